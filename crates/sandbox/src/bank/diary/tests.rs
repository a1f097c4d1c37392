//! The diary over a real store.
