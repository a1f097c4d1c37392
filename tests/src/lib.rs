//! The tests of the whole: see `it/main.rs`. There is nothing here to depend on.
