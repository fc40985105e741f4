//! The `reportgen` program.

fn main() {}
