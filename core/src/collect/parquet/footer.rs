//! What the footer of a Parquet file says of its columns, held against what the file can hold. Knows
//! no page.
//!
//! Field numbers are those of
//! <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift>

use super::kind::{FIXED_LENGTH, Kind};
use super::thrift::Thrift;

/// Groups of columns in each other; what is nested deeper would be read by recursion.
const DEEPEST: i16 = 64;
/// Bytes of a value of fixed length, of which thousands are made at once.
const LONGEST_FIXED: i64 = 16 << 10;
/// Values of lists that a chunk of any size may have: as many numbers take 128 MiB.
const FEW_VALUES: i64 = 1 << 24;
/// And each of its bytes: lists of thousands of equal values are a few bytes each.
const VALUES_OF_A_BYTE: i64 = 1 << 12;

const REPEATED: i64 = 2;

#[derive(Debug)]
pub(super) struct Footer {
    pub(super) columns: Vec<Column>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) groups: Vec<Group>,
}

/// A column of the table.
#[derive(Debug)]
pub(in crate::collect) struct Column {
    pub(in crate::collect) name: String,
    pub(super) node: Node,
}

/// A column, or a part of one.
#[derive(Debug)]
pub(super) struct Node {
    /// The leaves below it, as places among all leaves.
    pub(super) leaves: std::ops::Range<usize>,
    /// The definition level from which on it is there.
    pub(super) present: i16,
    pub(super) shape: Shape,
}

#[derive(Debug)]
pub(super) enum Shape {
    Leaf(Kind),
    Record(Vec<Column>),
    /// `some` is the definition level from which on it has items, `repetition` that of all but the first.
    List {
        some: i16,
        repetition: i16,
        item: Box<Node>,
    },
}

/// A column without columns inside.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) physical: i64,
    pub(super) length: i64,
    /// Highest levels.
    pub(super) definition: i16,
    pub(super) repetition: i16,
}

/// Rows that are stored together.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) rows: usize,
    /// One for each leaf.
    pub(super) chunks: Vec<Chunk>,
}

/// The values of a leaf in a group of rows.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) values: i64,
    pub(super) codec: i64,
}

/// Reads the footer of a file of so many bytes; says what contradicts itself or the file.
pub(super) fn footer(bytes: &[u8], file: u64) -> Result<Footer, &'static str> {
    let (read, _) = Thrift::read(bytes).ok_or("damaged: the footer is no footer")?;
    let (root, elements) = read.list(2).split_first().ok_or("damaged: no schema")?;
    let mut schema = Schema { elements, leaves: Vec::new() };
    let columns = (0..root.integer(5).unwrap_or(0))
        .map(|_| schema.column(Levels::default()))
        .collect::<Option<Vec<_>>>()
        .filter(|_| schema.elements.is_empty())
        .ok_or("damaged: the schema is no tree")?;
    let leaves = schema.leaves;
    if leaves
        .iter()
        .any(|leaf| leaf.physical == FIXED_LENGTH && !(1..=LONGEST_FIXED).contains(&leaf.length))
    {
        return Err("damaged: values of a fixed length that is none");
    }
    let mut rows = read.list(4).iter().map(|group| group.integer(3).filter(|rows| *rows >= 0));
    let rows = rows.try_fold(0_i64, |sum, rows| sum.checked_add(rows?));
    if rows.is_none() || rows != read.integer(3) {
        return Err("damaged: its parts have other numbers of rows than the whole");
    }
    let groups = read.list(4).iter().map(|read| group(read, &leaves, file));
    Ok(Footer { groups: groups.collect::<Result<_, _>>()?, columns, leaves })
}

#[derive(Debug, Clone, Copy, Default)]
struct Levels {
    definition: i16,
    repetition: i16,
    depth: i16,
}

/// The elements of a schema that are still to be read, in the order of a walk from the root.
struct Schema<'t> {
    elements: &'t [Thrift<'t>],
    leaves: Vec<Leaf>,
}

impl Schema<'_> {
    /// The next element with all below it.
    fn column(&mut self, outer: Levels) -> Option<Column> {
        let (element, rest) = self.elements.split_first()?;
        self.elements = rest;
        let repetition = element.integer(3).unwrap_or(0);
        let is_repeated = repetition == REPEATED;
        let levels = Levels {
            definition: outer.definition + i16::from(repetition != 0),
            repetition: outer.repetition + i16::from(is_repeated),
            depth: outer.depth + 1,
        };
        if levels.depth > DEEPEST {
            return None;
        }
        let name = String::from_utf8_lossy(element.bytes(4)?).into_owned();
        let first = self.leaves.len();
        let shape = self.shape(element, &name, levels)?;
        let leaves = first..self.leaves.len();
        let mut node = Node { leaves: leaves.clone(), present: levels.definition, shape };
        if is_repeated {
            let (some, repetition) = (levels.definition, levels.repetition);
            let shape = Shape::List { some, repetition, item: Box::new(node) };
            node = Node { leaves, present: outer.definition, shape };
        }
        Some(Column { name, node })
    }

    fn shape(&mut self, element: &Thrift<'_>, name: &str, levels: Levels) -> Option<Shape> {
        let count = element.integer(5).unwrap_or(0);
        if count == 0 {
            let physical = element.integer(1)?;
            self.leaves.push(Leaf {
                physical,
                length: element.integer(2).unwrap_or(0),
                definition: levels.definition,
                repetition: levels.repetition,
            });
            return Some(Shape::Leaf(Kind::of(physical, element)));
        }
        let fields = (0..count).map(|_| self.column(levels)).collect::<Option<Vec<_>>>()?;
        let logical = |id| element.field(10).is_some_and(|logical| logical.field(id).is_some());
        let converted = element.integer(6);
        let is_list = logical(3) || converted == Some(3);
        let is_map = logical(2) || matches!(converted, Some(1 | 2));
        let [field] = &fields[..] else { return Some(Shape::Record(fields)) };
        let is_wrapped = (is_list || is_map) && matches!(field.node.shape, Shape::List { .. });
        if !is_wrapped {
            return Some(Shape::Record(fields));
        }
        let field = fields.into_iter().next()?;
        // Old writers have the items themselves below the list, as LogicalTypes.md of the format tells.
        let has_wrapped_items =
            is_list && field.name != "array" && field.name != format!("{name}_tuple");
        Some(match field.node.shape {
            Shape::List { some, repetition, item } if has_wrapped_items => {
                Shape::List { some, repetition, item: Box::new(only_field(*item)) }
            }
            shape => shape,
        })
    }
}

/// What stands in a record of one field, which is how lists hold their items.
fn only_field(node: Node) -> Node {
    match node.shape {
        Shape::Record(mut fields) if fields.len() == 1 => fields.remove(0).node,
        _ => node,
    }
}

fn group(read: &Thrift<'_>, leaves: &[Leaf], file: u64) -> Result<Group, &'static str> {
    let columns = read.list(1);
    if columns.len() != leaves.len() {
        return Err("damaged: its parts have other columns than the schema");
    }
    let rows = read.integer(3).unwrap_or(0);
    let chunk = |(column, leaf): (&Thrift<'_>, &Leaf)| {
        let column = column.field(3)?;
        let data = column.integer(9)?;
        // Some writers say 0 where there is no dictionary.
        let dictionary = column.integer(11).filter(|start| (1..data).contains(start));
        let start = dictionary.unwrap_or(data);
        let bytes = column.integer(7)?;
        let end = start.checked_add(bytes)?;
        let values = column.integer(5)?;
        let most = FEW_VALUES.max(bytes.saturating_mul(VALUES_OF_A_BYTE));
        let is_sound = start >= 0
            && bytes >= 0
            && end.unsigned_abs() <= file
            && column.integer(1) == Some(leaf.physical)
            && if leaf.repetition > 0 { (0..=most).contains(&values) } else { values == rows };
        is_sound.then_some(Chunk {
            start: start.unsigned_abs(),
            end: end.unsigned_abs(),
            values,
            codec: column.integer(4)?,
        })
    };
    let chunks = columns.iter().zip(leaves).map(chunk).collect::<Option<_>>();
    let chunks = chunks.ok_or("damaged: a column of other sizes than the file can hold")?;
    Ok(Group { rows: usize::try_from(rows).unwrap_or(0), chunks })
}
