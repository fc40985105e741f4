//! The integration tests, one binary: polars is linked once.

mod stats_properties;
mod stats_reference;
