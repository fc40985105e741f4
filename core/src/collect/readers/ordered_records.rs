//! Records that stand in the order of their positions, made points of one by one, so that none has to be held.

use super::super::document::{Node, Syntax, parse_json_line};
use super::super::{FileEntry, ReadOptions};
use super::curve_columns::{CurveColumns, is_of_models};
use super::plain_record::{PlainRecords, PlainValue};
use super::points::{Points, add_columns, add_row, is_metric, place_of_record};
use crate::diag::Warned;
use crate::model::{Point, Series, axis_of_curve};

/// What the name of a field of records says.
#[derive(Debug)]
struct Field {
    name: String,
    is_axis: bool,
    is_metric: bool,
    is_of_models: bool,
}

/// Series of records in order, as [`series_of`](super::points::series_of) has them.
#[derive(Default)]
pub(super) struct OrderedRecords {
    points: Points,
    first: Option<f64>,
    last: Option<f64>,
    is_out_of_order: bool,
    columns: CurveColumns,
    asked: Vec<(String, bool)>,
    above: String,
    /// The axis of the last record, and what was said of its fields: the next one mostly has the same.
    axis: Option<&'static str>,
    fields: Vec<Field>,
    plain: PlainRecords,
    values: Vec<(usize, f64)>,
}

impl OrderedRecords {
    pub(super) fn of(options: &ReadOptions) -> Self {
        let (points, columns) = (Points::of(&options.names), CurveColumns::asking(options));
        Self { points, columns, ..Self::default() }
    }

    /// Takes the next record. Says whether all of them were in order.
    pub(super) fn add(&mut self, row: &Node) -> bool {
        if let (false, Some(table)) = (self.is_out_of_order, row.table()) {
            add_columns((row.line, row), is_of_models, &mut self.asked, &mut self.columns);
            if let Some((axis, at)) = place_of_record(row) {
                self.axis = Some(axis);
                self.follow(at);
                add_row((row.line, table), &mut self.above, (axis, at), &mut self.points);
            }
        }
        !self.is_out_of_order
    }

    /// Takes the record of a line, if it is one.
    pub(super) fn add_line(&mut self, line: u64, text: &str) -> Result<(), Syntax> {
        if !self.is_out_of_order && self.add_plain(line, text).is_none() {
            self.add(&parse_json_line(text, line)?.root);
        }
        Ok(())
    }

    /// Takes a record that is written plainly and has the metrics and the axis of those before it.
    fn add_plain(&mut self, line: u64, text: &str) -> Option<()> {
        let guess = self.axis?;
        let Self { points, columns, fields, plain, values, .. } = self;
        let (mut place, mut axes, mut of_models) = (0, Vec::new(), Vec::new());
        values.clear();
        plain.read(text, &mut |path, depth, value| {
            let field = (depth == 0).then(|| {
                place += 1;
                field(fields, place - 1, path, points)
            });
            if let Some(field) = field.filter(|field| field.is_axis || field.is_of_models) {
                let list = if field.is_axis { &mut axes } else { &mut of_models };
                list.push((place - 1, value));
            }
            match value {
                // It may be a percentage.
                PlainValue::Text(text) if text.trim_end().ends_with('%') => return None,
                PlainValue::Number(number, _) if field.is_none_or(|field| !field.is_axis) => {
                    if let Some(metric) = points.known(path, guess) {
                        values.push((metric, number));
                    } else if field.map_or_else(|| is_metric(path, points.names()), |f| f.is_metric)
                    {
                        return None;
                    }
                }
                _ => {}
            }
            Some(())
        })?;
        let name = |place: usize| fields.get(place).map_or("", |field| field.name.as_str());
        let is_written = |word: &str| axes.iter().any(|(place, _)| name(*place) == word);
        let (written, axis) = axis_of_curve(is_written)?;
        let (_, at) = axes.iter().find(|(place, _)| name(*place) == written)?;
        let PlainValue::Number(at, _) = *at else { return None };
        (axis == guess && at.is_finite()).then_some(())?;
        for (place, value) in of_models {
            let (PlainValue::Number(_, written) | PlainValue::Text(written)) = value else {
                continue;
            };
            columns.add(name(place), line, written.trim());
        }
        for (metric, value) in self.values.drain(..) {
            self.points.add_at(metric, Point { at, value, line });
        }
        self.follow(at);
        Some(())
    }

    fn follow(&mut self, at: f64) {
        self.first.get_or_insert(at);
        self.is_out_of_order = self.last.replace(at).is_some_and(|last| last >= at);
    }

    /// Takes records that stand behind these and were taken by themselves, so many lines further down. Says whether
    /// all of them are in order.
    pub(super) fn append(&mut self, others: Self, before: u64) -> bool {
        let follows = self.last.zip(others.first).is_none_or(|(last, first)| last < first);
        self.is_out_of_order |= others.is_out_of_order || !follows;
        if !self.is_out_of_order {
            self.points.append(&others.points, before);
            self.columns.append(others.columns, before);
            self.last = others.last.or(self.last);
        }
        !self.is_out_of_order
    }

    /// Nothing where the records have to be looked at together: they are in another order, or of several models.
    pub(super) fn finish(self, file: &FileEntry) -> Option<Warned<Vec<Series>>> {
        let is_one = !self.is_out_of_order && !self.columns.name_models();
        is_one.then(|| self.points.finish(file))
    }
}

/// What is said of the name at that place of a record. Records have the same names in the same order, nearly
/// always, so it is asked of the last record first.
fn field<'f>(fields: &'f mut Vec<Field>, place: usize, name: &str, points: &Points) -> &'f Field {
    if fields.get(place).is_none_or(|field| field.name != name) {
        fields.truncate(place);
        fields.push(Field {
            name: name.to_owned(),
            is_axis: axis_of_curve(|word| word == name).is_some(),
            is_metric: is_metric(name, points.names()),
            is_of_models: is_of_models(name),
        });
    }
    &fields[fields.len().min(place + 1) - 1]
}

#[cfg(test)]
mod tests {
    use super::super::points::series_of;
    use super::*;

    /// Whether records are taken one by one; then they give what all of them together do, as nodes, as lines, and
    /// as lines in two blocks.
    fn check(lines: &[&str], are_ordered: bool) {
        let (options, file) = (ReadOptions::default(), FileEntry::holding("log.jsonl", b""));
        let lines: Vec<String> = lines.iter().map(|line| line.replace('\'', "\"")).collect();
        let record =
            |(number, line): (u64, &String)| parse_json_line(line, number).expect("a record").root;
        let rows: Vec<Node> = (1..).zip(&lines).map(record).collect();
        let all = series_of(&rows.iter().collect::<Vec<_>>(), &file, &options);
        let of_lines = |lines: &[String]| {
            let mut ordered = OrderedRecords::of(&options);
            for (number, line) in (1..).zip(lines) {
                ordered.add_line(number, line).expect("a record");
            }
            ordered
        };
        let mut of_nodes = OrderedRecords::of(&options);
        for row in &rows {
            of_nodes.add(row);
        }
        let in_blocks = |cut: usize| {
            let mut ordered = of_lines(&lines[..cut]);
            ordered.append(of_lines(&lines[cut..]), cut as u64);
            ordered
        };
        let ways = [of_nodes, of_lines(&lines)].into_iter();
        for ordered in ways.chain((0..=lines.len()).map(in_blocks)) {
            let found = ordered.finish(&file);
            assert_eq!(found.is_some(), are_ordered, "{lines:?}");
            if let Some(found) = found {
                assert_eq!(format!("{found:?}"), format!("{all:?}"), "{lines:?}");
            }
        }
    }

    #[test]
    fn a_record_like_the_one_before_it_is_not_parsed_to_a_tree() {
        for (first, second, is_plain) in [
            (
                r#"{"step":1,"a":{"b":2},"t":"x"}"#,
                r#"{"a":{"b":3},"step":2,"t":"y","l":[1]}"#,
                true,
            ),
            (r#"{"step":1,"a":2}"#, r#"{"step":2,"a":3,"new":1}"#, false),
            (r#"{"step":1,"a":2}"#, r#"{"epoch":2,"a":3}"#, false),
        ] {
            let mut ordered = OrderedRecords::of(&ReadOptions::default());
            ordered.add_line(1, first).expect("a record");
            assert_eq!(ordered.add_plain(2, second).is_some(), is_plain, "{second}");
        }
    }

    #[test]
    fn records_in_order_give_one_by_one_what_they_give_together() {
        for (lines, are_ordered) in [
            (&["{'step':1,'a':{'b':2,'c':{'d':3}},'e':4}", "{'step':2,'a':{'b':1}}"][..], true),
            (&["{'step':1,'data':{'a':{'x':2},'b':3},'c':4}", "{'step':2,'c':1}"], true),
            (&["{'step':1,'a':true,'b':'5%','acc':'5%','c':'NaN'}", "{'note':'x'}"], true),
            (&["{'step':1,'a':1}", "{'a':2}", "{'step':3,'b':1,'a':0}", "{'step':4,'a':1}"], true),
            (&["{'step':1,'model':'x','a':1}", "{'step':2,'model':'x','a':2}"], true),
            (&["{'step':1,'model':'x','a':1}", "{'step':2,'model':'y','a':2}"], false),
            (&["{'step':1,'a':1}", "{'step':1,'a':2}"], false),
            (&["{'step':1,'a':1}", "{'step':3,'a':2}", "{'step':2,'a':2}"], false),
            (&["{'step':1,'a':1}", "{'epoch':0,'a':2}"], false),
            (&["{'step':1,'a':1}", "{'epoch':2,'a':2}", "{'epoch':3,'a':2}"], true),
            (&["{'step':1,'a':1}", "{'step':2,'a':1,'a':3}", "{'step':3,'x':{'a':1},'x':2}"], true),
            (&["{'step':1,'a':1}", "{'step':2,'a':'7%'}", "{'step':3,'a':NaN,'time':4}"], true),
            (
                &[
                    "{'step':1,'a':1}",
                    "{'a':2,'step':'2'}",
                    "{'step':NaN,'a':1}",
                    "{'step':{},'a':1}",
                ],
                true,
            ),
            (
                &["{'epoch':1,'a':1,'step':7}", "{'a':2,'step':8,'epoch':2}", "{'step':9,'a':1}"],
                true,
            ),
            (
                &["{'step':1,'lr':[1,{'a':2}],'a':{'lr':3}}", "{'step':2,'lr':[],'a':{'lr':1}}"],
                true,
            ),
            (&["{'step':1,'shot':2,'a':1}", "{'step':2,'shot':2,'a':3}"], true),
            (&["{'step':1,'shot':2,'a':1}", "{'step':2,'shot':3,'a':3}"], false),
            (&[], true),
        ] {
            check(lines, are_ordered);
        }
    }
}
