//! Records figures in `bench/figures.json`, from which `cargo xtask docs` generates `docs/performance.md`.

use crate::database::Engine;
use crate::figure::Figure;
use crate::result::BenchResult;
use lombard_ports::clock::Clocks;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// The path of the record within the workspace.
const FILE: &str = "bench/figures.json";

/// The list of benchmarks with their descriptions. The page needs a description for every figure.
const BENCHMARKS: &str = include_str!("../benchmarks.json");

/// A benchmark in `bench/benchmarks.json`.
#[derive(Debug, Deserialize)]
struct Benchmark {
    name: String,
}

/// The names of the described benchmarks.
pub(crate) fn benchmarks() -> BenchResult<Vec<String>> {
    let all: Vec<Benchmark> = serde_json::from_str(BENCHMARKS)?;
    Ok(all.into_iter().map(|it| it.name).collect())
}

/// Fails if a figure belongs to a benchmark without a description.
pub(crate) fn check_names(figures: &[Figure]) -> BenchResult<()> {
    let benchmarks = benchmarks()?;
    let is_known = |figure: &Figure| benchmarks.iter().any(|it| figure.name.split('/').next() == Some(it));
    match figures.iter().find(|figure| !is_known(figure)) {
        Some(figure) => Err(format!("{} is of no benchmark in bench/benchmarks.json", figure.name).into()),
        None => Ok(()),
    }
}

/// A figure with the machine and the revision of its measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct RecordedFigure {
    #[serde(flatten)]
    figure: Figure,
    engine: String,
    /// The short id of the revision, followed by `+` if tracked files were modified.
    commit: String,
    /// The day of the measurement, UTC.
    measured_on: String,
    machine: String,
}

/// Adds the figures of this run to the record, in place of earlier ones with the same name and engine.
///
/// # Errors
/// Fails if the record cannot be read or written, or if the revision is unknown.
pub(crate) fn write(figures: &[Figure]) -> BenchResult<()> {
    let path = Path::new(FILE);
    let mut record: Vec<RecordedFigure> = match std::fs::read(path) {
        Ok(json) => serde_json::from_slice(&json)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let engine = Engine::of_this_run()?.name();
    let commit = revision()?;
    let machine = machine();
    let measured_on = Clocks::system().wall_now().strftime("%F").to_string();
    for figure in figures {
        let recorded = RecordedFigure {
            figure: figure.clone(),
            engine: engine.to_owned(),
            commit: commit.clone(),
            measured_on: measured_on.clone(),
            machine: machine.clone(),
        };
        let is_same = |it: &&mut RecordedFigure| it.figure.name == figure.name && it.engine == engine;
        match record.iter_mut().find(is_same) {
            Some(earlier) => *earlier = recorded,
            None => record.push(recorded),
        }
    }
    Ok(std::fs::write(path, serde_json::to_string_pretty(&record)? + "\n")?)
}

fn revision() -> BenchResult<String> {
    let git = |arguments: &[&str]| -> BenchResult<String> {
        Ok(String::from_utf8(Command::new("git").args(arguments).output()?.stdout)?.trim().to_owned())
    };
    let modified = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let mark = if modified.is_empty() { "" } else { "+" };
    Ok(git(&["rev-parse", "--short=10", "HEAD"])? + mark)
}

/// A description of the processors and the memory, such as `2 × AMD EPYC, 24 GiB`.
fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_owned())
    };
    let model = field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let kilobytes = field(&read("/proc/meminfo"), "MemTotal").unwrap_or_default();
    let kilobytes = kilobytes.trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{processors} × {model}, {:.0} GiB", kilobytes / 1024.0 / 1024.0)
}
