//! The `lombard` program.

use std::process::ExitCode;

/// Returns free memory to the system within a second (`.cargo/config.toml`). The system's allocator does not return the memory after a
/// burst of connections. Only shipped programs use it, because building it takes more than a minute.
#[cfg(all(target_os = "linux", feature = "jemalloc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    lombard::cli::run_command_line()
}
