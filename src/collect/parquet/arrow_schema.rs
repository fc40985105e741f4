//! What the schema of Arrow that a footer may carry asks of its reader: how deeply it nests its fields,
//! because whoever reads it goes down by recursion, and types that polars ends the program at. Knows of
//! flatbuffers what leads to the fields.

/// Fields that are looked at; a schema of more is none that a program writes.
const MOST_FIELDS: usize = 100_000;
/// Before the schema itself: a mark, and its length.
const CONTINUED: &[u8] = b"\xff\xff\xff\xff";
/// Places in their tables.
const HEADER: usize = 2;
const FIELDS: usize = 1;
const TYPE: usize = 2;
const CHILDREN: usize = 5;
/// Types that polars-arrow 0.55 panics at (`todo!` in `ipc/read/schema.rs`): run-end encoded, list views
/// and large list views, as numbers of `Type` in Arrow's `Schema.fbs`.
const UNREAD_TYPES: [u8; 3] = [22, 25, 26];

/// Whether no field lies below so many others, or has a type that cannot be read. What is no schema is for
/// others to refuse.
pub(super) fn is_readable(message: &[u8], deepest: usize) -> bool {
    let bytes =
        message.strip_prefix(CONTINUED).map_or(message, |rest| rest.get(4..).unwrap_or(rest));
    let schema = follow(bytes, 0).and_then(|message| member(bytes, message, HEADER));
    let Some(fields) = schema.and_then(|schema| member(bytes, schema, FIELDS)) else { return true };
    let mut waiting = vec![(fields, 0)];
    let mut seen = 0;
    while let Some((list, depth)) = waiting.pop() {
        let count = number(bytes, list).unwrap_or(0);
        seen += count;
        if depth > deepest || seen > MOST_FIELDS {
            return false;
        }
        for place in 0..count {
            let field = follow(bytes, list + 4 + 4 * place);
            let place_of_type = field.and_then(|field| place_in(bytes, field, TYPE));
            let of_type = place_of_type.and_then(|place| bytes.get(place));
            if of_type.is_some_and(|of_type| UNREAD_TYPES.contains(of_type)) {
                return false;
            }
            let children = field.and_then(|field| member(bytes, field, CHILDREN));
            waiting.extend(children.map(|children| (children, depth + 1)));
        }
    }
    true
}

/// What a member of a table leads to.
fn member(bytes: &[u8], table: usize, place: usize) -> Option<usize> {
    follow(bytes, place_in(bytes, table, place)?)
}

/// Where a member of a table stands.
fn place_in(bytes: &[u8], table: usize, place: usize) -> Option<usize> {
    let offset = i32::from_le_bytes(four(bytes, table)?);
    let members = i64::try_from(table).ok()? - i64::from(offset);
    let entry = usize::try_from(members).ok()?.checked_add(4 + 2 * place)?;
    let length = bytes.get(usize::try_from(members).ok()?..)?.first_chunk::<2>()?;
    if usize::from(u16::from_le_bytes(*length)) <= 4 + 2 * place {
        return None;
    }
    let within = u16::from_le_bytes(*bytes.get(entry..)?.first_chunk::<2>()?);
    if within == 0 { None } else { table.checked_add(usize::from(within)) }
}

/// Where the offset at a place leads.
fn follow(bytes: &[u8], place: usize) -> Option<usize> {
    place.checked_add(number(bytes, place)?)
}

fn number(bytes: &[u8], place: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(four(bytes, place)?)).ok()
}

fn four(bytes: &[u8], place: usize) -> Option<[u8; 4]> {
    bytes.get(place..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A schema of fields, each in the one before: places of members, then message, schema and fields.
    fn nested(fields: i32) -> Vec<u8> {
        let words = |words: &[i32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut bytes: Vec<u8> = words(&[40]);
        let members = [10, 8, 0, 0, 4, 0, 8, 8, 0, 4, 16, 8, 0, 0, 0, 0, 0, 4];
        bytes.extend(members.iter().flat_map(|member: &u16| member.to_le_bytes()));
        bytes.extend::<Vec<u8>>(words(&[36, 4, 32, 4, 1, 4]));
        for field in 0..fields {
            let is_last = field + 1 == fields;
            bytes.extend::<Vec<u8>>(words(&[40 + 16 * field, 4, i32::from(!is_last), 4]));
        }
        bytes
    }

    #[test]
    fn fields_may_lie_in_each_other_so_often_and_no_more() {
        for (fields, expected) in [(1, true), (60, true), (70, false), (50_000, false)] {
            assert_eq!(is_readable(&nested(fields), 64), expected, "{fields}");
        }
    }

    #[test]
    fn types_that_polars_ends_the_program_at_are_refused() {
        for (of_type, expected) in
            [(2, true), (12, true), (24, true), (22, false), (25, false), (26, false)]
        {
            let mut bytes = nested(1);
            // The entry for the type leads to the word at the end.
            bytes.extend([of_type, 0, 0, 0]);
            let [members, field] = [24, 64];
            bytes[members + 4 + 2 * TYPE] = u8::try_from(bytes.len() - 4 - field).expect("near");
            assert_eq!(is_readable(&bytes, 64), expected, "{of_type}");
        }
    }

    #[test]
    fn what_is_no_schema_is_left_to_others() {
        for bytes in [&b""[..], b"PAR1", &[0; 40], &[255; 40]] {
            assert!(is_readable(bytes, 64), "{bytes:?}");
        }
    }
}
