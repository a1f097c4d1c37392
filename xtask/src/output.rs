//! The only module that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where a command-line tool talks")]

/// Announces a step.
pub(crate) fn step(text: &str) {
    println!("==> {text}");
}

/// Prints a note.
pub(crate) fn note(text: &str) {
    println!("    {text}");
}

/// Prints a line that another program reads.
pub(crate) fn line(text: &str) {
    println!("{text}");
}

/// Prints an error.
pub(crate) fn error(text: &str) {
    eprintln!("error: {text}");
}
