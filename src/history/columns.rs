//! Values of rows as columns of a table, and back.

use polars::prelude::{
    Column, DataType, IntoSeries as _, NamedFrom as _, PolarsResult, Series, TimeUnit, TimeZone,
};

use crate::quantity::{Moment, Night};

/// A type that has a column of its own.
pub(super) trait Stored: Sized {
    fn write(name: &str, values: Vec<Option<Self>>) -> PolarsResult<Column>;
    fn read(column: &Column) -> PolarsResult<Vec<Option<Self>>>;
}

macro_rules! stored {
    ($($type:ty, $accessor:ident, $get:expr;)*) => {$(
        impl Stored for $type {
            fn write(name: &str, values: Vec<Option<Self>>) -> PolarsResult<Column> {
                Ok(Series::new(name.into(), values).into())
            }

            fn read(column: &Column) -> PolarsResult<Vec<Option<Self>>> {
                Ok(column.$accessor()?.iter().map($get).collect())
            }
        }
    )*};
}

stored! {
    String, str, |text| text.map(str::to_owned);
    f64, f64, |number| number;
    u32, u32, |number| number;
    bool, bool, |truth| truth;
}

impl Stored for Night {
    fn write(name: &str, values: Vec<Option<Self>>) -> PolarsResult<Column> {
        let days: Vec<Option<i32>> =
            values.iter().map(|night| night.map(|night| night.0)).collect();
        Ok(Series::new(name.into(), days).cast(&DataType::Date)?.into())
    }

    fn read(column: &Column) -> PolarsResult<Vec<Option<Self>>> {
        Ok(column.cast(&DataType::Int32)?.i32()?.iter().map(|days| days.map(Self)).collect())
    }
}

/// Microseconds of universal time.
const MICROSECONDS: i64 = 1_000_000;

impl Stored for Moment {
    fn write(name: &str, values: Vec<Option<Self>>) -> PolarsResult<Column> {
        let numbers = values.iter().map(|moment| moment.map(|moment| moment.0 * MICROSECONDS));
        let numbers = Series::new(name.into(), numbers.collect::<Vec<Option<i64>>>());
        let moments = numbers.i64()?.clone();
        let moments = moments.into_datetime(TimeUnit::Microseconds, Some(TimeZone::UTC));
        Ok(moments.into_series().into())
    }

    fn read(column: &Column) -> PolarsResult<Vec<Option<Self>>> {
        let numbers = column.cast(&DataType::Int64)?;
        let moment =
            |number: Option<i64>| number.map(|number| Self(number.div_euclid(MICROSECONDS)));
        Ok(numbers.i64()?.iter().map(moment).collect())
    }
}

/// A field of a row: a value, or one that may be absent.
pub(super) trait Field: Sized {
    type Value: Stored;

    fn value(&self) -> Option<Self::Value>;
    /// `None` where a value is needed and there is none.
    fn of(value: Option<Self::Value>) -> Option<Self>;
}

impl<T: Stored + Clone> Field for T {
    type Value = T;

    fn value(&self) -> Option<T> {
        Some(self.clone())
    }

    fn of(value: Option<T>) -> Option<Self> {
        value
    }
}

impl<T: Stored + Clone> Field for Option<T> {
    type Value = T;

    fn value(&self) -> Self {
        self.clone()
    }

    fn of(value: Self) -> Option<Self> {
        Some(value)
    }
}
