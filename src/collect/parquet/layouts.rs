//! What the fields of footers and page headers are, as `parquet.thrift` of the Parquet format has them.
//! All that polars reads is here; what it skips may be anything.
//!
//! <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift>

use super::thrift::Layout::{self, Byte, Bytes, Flag, I16, I32, I64, List, Struct};

const EMPTY: Layout = Struct(&[]);
const TIME: Layout = Struct(&[(1, Flag), (2, Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]))]);
const LOGICAL_TYPE: Layout = Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Struct(&[(1, I32), (2, I32)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Byte), (2, Flag)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
]);
const SCHEMA_ELEMENT: Layout = Struct(&[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, Bytes),
    (5, I32),
    (6, I32),
    (7, I32),
    (8, I32),
    (9, I32),
    (10, LOGICAL_TYPE),
]);
const STATISTICS: Layout = Struct(&[
    (1, Bytes),
    (2, Bytes),
    (3, I64),
    (4, I64),
    (5, Bytes),
    (6, Bytes),
    (7, Flag),
    (8, Flag),
]);
const COLUMN: Layout = Struct(&[
    (1, I32),
    (2, List(&I32)),
    (3, List(&Bytes)),
    (4, I32),
    (5, I64),
    (6, I64),
    (7, I64),
    (9, I64),
    (10, I64),
    (11, I64),
    (12, STATISTICS),
    (14, I64),
    (15, I32),
]);
const COLUMN_CHUNK: Layout =
    Struct(&[(1, Bytes), (2, I64), (3, COLUMN), (4, I64), (5, I32), (6, I64), (7, I32)]);
const ROW_GROUP: Layout = Struct(&[
    (1, List(&COLUMN_CHUNK)),
    (2, I64),
    (3, I64),
    (4, List(&Struct(&[(1, I32), (2, Flag), (3, Flag)]))),
    (5, I64),
    (6, I64),
    (7, I16),
]);

pub(super) static FOOTER: Layout = Struct(&[
    (1, I32),
    (2, List(&SCHEMA_ELEMENT)),
    (3, I64),
    (4, List(&ROW_GROUP)),
    (5, List(&Struct(&[(1, Bytes), (2, Bytes)]))),
    (6, Bytes),
    (7, List(&Struct(&[(1, EMPTY), (2, EMPTY)]))),
]);

pub(super) static PAGE_HEADER: Layout = Struct(&[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, I32),
    (5, Struct(&[(1, I32), (2, I32), (3, I32), (4, I32), (5, STATISTICS)])),
    (6, EMPTY),
    (7, Struct(&[(1, I32), (2, I32), (3, Flag)])),
    (
        8,
        Struct(&[
            (1, I32),
            (2, I32),
            (3, I32),
            (4, I32),
            (5, I32),
            (6, I32),
            (7, Flag),
            (8, STATISTICS),
        ]),
    ),
]);
