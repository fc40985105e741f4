//! Values in Thrift's compact protocol, as footers and page headers of Parquet files are written in.
//! What is built of them is never more than their bytes could hold.
//!
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

/// Structures and lists in each other; Parquet has none so deep.
const DEEPEST: usize = 16;

#[derive(Debug)]
pub(super) enum Thrift<'b> {
    Integer(i64),
    Flag(bool),
    Bytes(&'b [u8]),
    List(Vec<Self>),
    Struct(Vec<(i16, Self)>),
}

impl<'b> Thrift<'b> {
    /// Reads the structure at the beginning of some bytes, and how many of them it takes; `None` where
    /// they hold no whole one.
    pub(super) fn read(bytes: &'b [u8]) -> Option<(Self, usize)> {
        let mut rest = bytes;
        let read = value(STRUCT, &mut rest, 0)?;
        Some((read, bytes.len() - rest.len()))
    }

    pub(super) fn field(&self, id: i16) -> Option<&Self> {
        match self {
            Self::Struct(fields) => {
                fields.iter().find(|(field, _)| *field == id).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub(super) fn integer(&self, id: i16) -> Option<i64> {
        match self.field(id)? {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn flag(&self, id: i16) -> Option<bool> {
        match self.field(id)? {
            Self::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    pub(super) fn bytes(&self, id: i16) -> Option<&'b [u8]> {
        match self.field(id)? {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub(super) fn list(&self, id: i16) -> &[Self] {
        match self.field(id) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }
}

const LIST: u8 = 9;
const STRUCT: u8 = 12;

fn value<'b>(kind: u8, rest: &mut &'b [u8], depth: usize) -> Option<Thrift<'b>> {
    if depth > DEEPEST {
        return None;
    }
    Some(match kind {
        1 | 2 => Thrift::Flag(byte(rest)? == 1),
        3 => Thrift::Integer(i64::from(byte(rest)?.cast_signed())),
        4 => Thrift::Integer(i64::from(i16::try_from(zigzag(varint(rest)?)).ok()?)),
        5 => Thrift::Integer(i64::from(i32::try_from(zigzag(varint(rest)?)).ok()?)),
        6 => Thrift::Integer(zigzag(varint(rest)?)),
        7 => Thrift::Bytes(taken(8, rest)?),
        8 => {
            let length = varint(rest)?;
            Thrift::Bytes(taken(length, rest)?)
        }
        LIST => list(rest, depth)?,
        STRUCT => structure(rest, depth)?,
        // Sets and maps are not part of Parquet.
        _ => return None,
    })
}

fn list<'b>(rest: &mut &'b [u8], depth: usize) -> Option<Thrift<'b>> {
    let head = byte(rest)?;
    let count = if head >> 4 == 15 { varint(rest)? } else { u64::from(head >> 4) };
    // Every item takes a byte at least.
    if count > rest.len() as u64 {
        return None;
    }
    let items = (0..count).map(|_| value(head & 0x0f, rest, depth + 1));
    items.collect::<Option<_>>().map(Thrift::List)
}

/// Fields in the order of their ids, as every writer has them; so that none comes twice.
fn structure<'b>(rest: &mut &'b [u8], depth: usize) -> Option<Thrift<'b>> {
    let mut fields = Vec::new();
    let mut last = 0_i16;
    loop {
        let head = byte(rest)?;
        if head == 0 {
            return Some(Thrift::Struct(fields));
        }
        let step = i16::from(head >> 4);
        let id = match step {
            0 => i16::try_from(zigzag(varint(rest)?)).ok()?,
            _ => last.checked_add(step)?,
        };
        if id <= last {
            return None;
        }
        last = id;
        let value = match head & 0x0f {
            // A flag that is a field is told by its type.
            kind @ (1 | 2) => Thrift::Flag(kind == 1),
            kind => value(kind, rest, depth + 1)?,
        };
        fields.push((id, value));
    }
}

fn taken<'b>(length: u64, rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (taken, behind) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = behind;
    Some(taken)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, behind) = rest.split_first()?;
    *rest = behind;
    Some(*first)
}

/// An integer in groups of seven bits, the lowest first; `None` where it has more than 64.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let next = byte(rest)?;
        let bits = u64::from(next & 0x7f);
        if shift == 63 && bits > 1 {
            return None;
        }
        value |= bits << shift;
        if next & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

pub(super) fn zigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_by_their_ids() {
        let bytes = [0x15, 3, 0x29, 0x25, 2, 0xd8, 4, 1, 38, 0x18, 2, b'a', b'b', 0, 9, 9];
        let (read, taken) = Thrift::read(&bytes).expect("whole");
        assert_eq!(taken, bytes.len() - 2);
        assert_eq!((read.integer(1), read.flag(19)), (Some(-2), Some(true)));
        assert_eq!(read.bytes(20), Some(&b"ab"[..]));
        assert!(matches!(read.list(3), [Thrift::Integer(1), Thrift::Integer(300)]));
    }

    #[test]
    fn what_is_larger_than_its_bytes_or_comes_twice_is_nothing() {
        for (bytes, what) in [
            (&[0x39, 0xf5, 0xff, 0xff, 0xff, 0x7f, 0, 0][..], "a list of 2^28 items"),
            (&[0x88, 0x28, 0xff, 0xff, 0x7f, 0, 0], "a text longer than the bytes"),
            (&[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0], "no end"),
            (&[0x15, 0xff, 0xff, 0xff, 0xff, 0x7f, 0], "more than 32 bits"),
            (&[0x15, 2, 0x05, 2, 4, 0], "a field twice"),
            (&[0x7c; 4000], "structures without end"),
            (&[], "nothing"),
        ] {
            assert!(Thrift::read(bytes).is_none(), "{what}");
        }
    }
}
