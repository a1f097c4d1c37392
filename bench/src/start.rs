//! Measures the time to readiness with existing data, and the memory of an idle server, against fixed limits.

use crate::compare::median;
use crate::figure::{Aim, Figure};
use crate::fill;
use crate::process::Lombard;
use crate::result::BenchResult;
use std::path::Path;

const READY_SECS_MAX: f64 = 1.0;
const RESIDENT_BYTES_MAX: f64 = 60e6;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    drop(fill::first_start(program, data.path()).await?);
    let mut secs = Vec::new();
    let mut bytes = Vec::new();
    for _ in 0..rounds {
        let lombard = Lombard::start(program, data.path()).await?;
        secs.push(lombard.start.as_secs_f64());
        bytes.push(lombard.process.usage()?.resident_bytes);
        lombard.process.stop().await?;
    }
    let secs = median(secs);
    let bytes = median(bytes);
    println!("start\n  ready after {:.0} ms, {:.1} MB resident at rest", secs * 1e3, bytes / 1e6);
    let within = Aim::AtMost(1.0);
    Ok(vec![
        Figure::of_sides("start/ready", secs * 1e3, READY_SECS_MAX * 1e3, "ms", within),
        Figure::of_sides("start/memory", bytes / 1e6, RESIDENT_BYTES_MAX / 1e6, "MB", within),
    ])
}
