//! The only module that prints: results to standard output, errors to standard error.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command answers the person who typed it")]

use std::error::Error;
use std::io::{self, Write, stdout};

/// Prints a line to standard output. The line is lost if nobody reads standard output any more, as after `| head`.
pub(crate) fn print_line(text: &str) {
    let _ = try_print_line(text);
}

/// Prints a line for commands that end when nobody reads their output.
///
/// # Errors
/// The error of writing to standard output.
pub(crate) fn try_print_line(text: &str) -> io::Result<()> {
    writeln!(stdout(), "{text}")
}

/// Prints an error and its causes to standard error.
pub(crate) fn print_error(error: &dyn Error) {
    eprintln!("lombard: {}", with_causes(error));
}

/// Formats an error with its causes. A cause is left out if the error's own text already contains it.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = error.source();
    }
    text
}
