//! The integration tests, one binary: polars is linked once.

mod check;
mod cli;
mod command;
mod compare_properties;
mod documents;
mod examples;
mod explain;
mod figures;
mod golden;
mod readers;
mod reading_codes;
mod render;
mod run_files;
mod sample_report;
mod samples;
mod selfcheck;
mod stats_coverage;
mod stats_extremes;
mod stats_properties;
mod stats_reference;
mod suite;
mod systems;
mod tasks;
mod tidy;
mod torture;
mod verdicts;
