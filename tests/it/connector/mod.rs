//! Cores that others write: the example in Python, and the check that names what is wrong with one.

mod built_in;
mod example;
mod python_core;
mod walk;
