//! The program.

use std::process::ExitCode;

fn main() -> ExitCode {
    lombard::cli::main()
}
