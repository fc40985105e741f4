//! The integration tests, one binary: polars is linked once.

mod readers;
mod render;
mod run_files;
mod sample_report;
mod samples;
mod stats_properties;
mod stats_reference;
