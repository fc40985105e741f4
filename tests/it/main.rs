//! The integration tests, one binary: polars is linked once.

mod readers;
mod run_files;
mod samples;
mod stats_properties;
mod stats_reference;
