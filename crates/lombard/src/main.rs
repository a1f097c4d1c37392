//! The program.

use std::process::ExitCode;

/// Gives memory that is free back to the system within a second (`.cargo/config.toml`), which the system's own allocator does
/// not: what a burst of connections took stays taken there.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    lombard::cli::run_command_line()
}
