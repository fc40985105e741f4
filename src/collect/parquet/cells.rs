//! Cells of tables as JSON, with lists and records in them.

use polars::prelude::{AnyValue, DataType};
use serde_json::Value as Json;

pub(in crate::collect) fn as_json(cell: AnyValue<'_>) -> Json {
    match cell {
        AnyValue::Null => Json::Null,
        AnyValue::Boolean(flag) => flag.into(),
        AnyValue::String(text) => text.into(),
        AnyValue::StringOwned(text) => text.as_str().into(),
        AnyValue::List(items) => items.iter().map(as_json).collect(),
        AnyValue::Struct(..) | AnyValue::StructOwned(_) => {
            let mut cells = Vec::new();
            cell._materialize_struct_av(&mut cells);
            let DataType::Struct(fields) = cell.dtype() else { return Json::Null };
            let named = fields.iter().map(|field| field.name.to_string());
            Json::Object(named.zip(cells.into_iter().map(as_json)).collect())
        }
        number if number.is_primitive_numeric() => {
            let whole = number.extract::<i64>().filter(|_| number.is_integer());
            whole.map_or_else(|| number.extract::<f64>().into(), Json::from)
        }
        other => other.to_string().into(),
    }
}
