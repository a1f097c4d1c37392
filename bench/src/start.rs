//! Time to readiness with existing data, and memory at rest, against fixed limits.

use crate::figure::{Aim, Figure, median};
use crate::fill;
use crate::process::Lombard;
use crate::result::BenchResult;
use std::path::Path;

const READY_SECS_MAX: f64 = 1.0;
const RESIDENT_BYTES_MAX: f64 = 60e6;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    drop(fill::first_start(program, data.path()).await?);
    let (mut secs, mut bytes) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let lombard = Lombard::start(program, data.path()).await?;
        secs.push(lombard.start.as_secs_f64());
        bytes.push(lombard.process.usage()?.resident_bytes);
        lombard.process.stop().await?;
    }
    let (secs, bytes) = (median(secs), median(bytes));
    println!("start\n  ready after {:.0} ms, {:.1} MB resident at rest", secs * 1e3, bytes / 1e6);
    let figure = |case: &str, ratio: f64| Figure { name: format!("start/{case}"), ratio, aim: Aim::AtMost(1.0) };
    Ok(vec![figure("ready", secs / READY_SECS_MAX), figure("memory", bytes / RESIDENT_BYTES_MAX)])
}
