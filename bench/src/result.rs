//! What the steps of a benchmark return.

/// What any step of a benchmark can fail with; the text is for the person who runs it.
pub(crate) type BenchResult<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
