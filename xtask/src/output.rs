//! The one place that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where a command-line tool talks")]

/// A step begins.
pub(crate) fn step(text: &str) {
    println!("==> {text}");
}

/// Something worth knowing.
pub(crate) fn note(text: &str) {
    println!("    {text}");
}

/// A line for another program.
pub(crate) fn line(text: &str) {
    println!("{text}");
}

/// Something went wrong.
pub(crate) fn error(text: &str) {
    eprintln!("error: {text}");
}
