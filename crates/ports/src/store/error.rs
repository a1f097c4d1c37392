//! Storage errors.

/// The cause beneath a storage error.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why a storage operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The transaction conflicted with others at every attempt; it may succeed later.
    #[error("storage is contended")]
    Contended,
    /// The database cannot be reached, is full or is shutting down.
    #[error("storage is unavailable")]
    Unavailable(#[source] Source),
    /// A row with this key exists already.
    #[error("a row exists already: {0}")]
    Duplicate(&'static str),
    /// A stored row cannot be read.
    #[error("a row of {table} cannot be read")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The row's id.
        id: String,
        /// The cause.
        #[source]
        source: Source,
    },
}
