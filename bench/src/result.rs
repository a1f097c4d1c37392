//! The result type of the steps of a benchmark.

/// The result of a step. The text of its error is for the person who runs the benchmark.
pub(crate) type BenchResult<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
