//! The integration tests, one binary: polars is linked once.

