//! Metrics whose values are read when `/metrics` is asked for: the build, the process, the pool of the database, and the requests of TPPs.

use super::metric_list::{METRICS, Metric};
use lombard_database::PoolUse;
use lombard_edge::layers::TppRequestCount;
use std::fmt::Write;

/// The values of a server when its metrics are asked for.
#[derive(Debug, Clone, Default)]
pub struct SampledValues {
    /// Whether the node can serve requests, as `/readyz` says.
    pub is_ready: bool,
    /// The requests of the busiest TPPs.
    pub tpps: Vec<TppRequestCount>,
    /// The use of the pool of the database, if it has one.
    pub pool: Option<PoolUse>,
}

/// Adds the sampled metrics to the text of the others.
pub fn write_sampled_metrics(text: &mut String, values: &SampledValues) {
    let mut families = Families(text);
    let build = [("version", VERSION), ("commit", COMMIT), ("commit_date", COMMIT_DATE)];
    families.family("lombard_build_info", [(build.to_vec(), 1.0)]);
    families.single("lombard_node_ready", if values.is_ready { 1.0 } else { 0.0 });
    if let Some(pool) = values.pool {
        let of_state = |state, connections| (vec![("state", state)], whole(connections));
        let states = [of_state("idle", pool.idle), of_state("in_use", pool.in_use)];
        families.family("lombard_database_connections", states);
        families.single("lombard_database_connections_max", whole(pool.connections_max));
        families.single("lombard_database_connections_waiting", whole(pool.waiting));
    }
    let requests = values.tpps.iter().map(|it| {
        let labels = vec![("client_id", it.client.as_str()), ("status", it.status)];
        (labels, whole(usize::try_from(it.requests).unwrap_or(usize::MAX)))
    });
    families.family("lombard_tpp_requests_total", requests);
    process::write(&mut families);
}

/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that it was built from; empty if it is not known.
const COMMIT: &str = env!("LOMBARD_BUILD_COMMIT");
/// The date of the commit; empty if it is not known.
const COMMIT_DATE: &str = env!("LOMBARD_BUILD_COMMIT_DATE");

#[allow(clippy::cast_precision_loss, reason = "counts below 2^53 are exact")]
fn whole(count: usize) -> f64 {
    count as f64
}

/// Writes families of series in Prometheus' text format.
struct Families<'t>(&'t mut String);

impl Families<'_> {
    fn single(&mut self, name: &'static str, value: f64) {
        self.family(name, [(Vec::new(), value)]);
    }

    /// Writes the series of a listed metric; nothing if there are none.
    fn family<'l>(
        &mut self,
        name: &'static str,
        series: impl IntoIterator<Item = (Vec<(&'static str, &'l str)>, f64)>,
    ) {
        let mut series = series.into_iter().peekable();
        let listed = METRICS.iter().find(|metric| metric.name == name);
        let (Some(Metric { kind, unit, help, .. }), Some(_)) = (listed, series.peek()) else { return };
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help} Unit: {unit}.\n# TYPE {name} {}", kind.name());
        for (labels, value) in series {
            let labels: Vec<_> =
                labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(self.0, "{name}{labels} {value}");
        }
        self.0.push('\n');
    }
}

/// A label's value as it is written between quotation marks.
fn escaped(value: &str) -> String {
    value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n")
}

#[cfg(target_os = "linux")]
mod process {
    //! The resources of the process, as the kernel counts them. The names are those of Prometheus' client libraries.

    use super::{Families, whole};
    use procfs::process::{LimitValue, Process};
    use procfs::{WithCurrentSystemInfo, boot_time_secs, ticks_per_second};

    pub(super) fn write(families: &mut Families<'_>) {
        // Without /proc there are no such metrics.
        let Ok(process) = Process::myself() else { return };
        let Ok(stat) = process.stat() else { return };
        let secs = |ticks: u64| large(ticks) / large(ticks_per_second().max(1));
        families.single("process_cpu_seconds_total", secs(stat.utime.saturating_add(stat.stime)));
        if let Ok(limits) = process.limits()
            && let LimitValue::Value(limit) = limits.max_open_files.soft_limit
        {
            families.single("process_max_fds", large(limit));
        }
        if let Ok(open) = process.fd_count() {
            families.single("process_open_fds", whole(open));
        }
        families.single("process_resident_memory_bytes", large(stat.rss_bytes().get()));
        if let Ok(boot) = boot_time_secs() {
            families.single("process_start_time_seconds", large(boot) + secs(stat.starttime));
        }
        families.single("process_threads", large(u64::try_from(stat.num_threads).unwrap_or(0)));
        families.single("process_virtual_memory_bytes", large(stat.vsize));
    }

    #[allow(clippy::cast_precision_loss, reason = "counts below 2^53 are exact")]
    fn large(count: u64) -> f64 {
        count as f64
    }
}

#[cfg(not(target_os = "linux"))]
mod process {
    //! Only Linux has the files that the metrics are read from.

    pub(super) fn write(_: &mut super::Families<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(values: &SampledValues) -> String {
        let mut text = String::new();
        write_sampled_metrics(&mut text, values);
        text
    }

    #[test]
    fn values_are_sampled_with_their_meaning() {
        let pool = PoolUse { in_use: 3, idle: 1, connections_max: 16, waiting: 2 };
        let tpp = TppRequestCount { client: "a\"b\\c".to_owned(), status: "2xx", requests: 7 };
        let text = sampled(&SampledValues { is_ready: true, tpps: vec![tpp], pool: Some(pool) });
        for line in [
            "# TYPE lombard_build_info gauge",
            "lombard_database_connections{state=\"in_use\"} 3",
            "lombard_database_connections{state=\"idle\"} 1",
            "lombard_database_connections_max 16",
            "lombard_database_connections_waiting 2",
            "lombard_tpp_requests_total{client_id=\"a\\\"b\\\\c\",status=\"2xx\"} 7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let build = text.lines().find(|line| line.starts_with("lombard_build_info{")).unwrap();
        assert!(build.contains(&format!("version=\"{VERSION}\"")) && build.ends_with("} 1"), "{build}");
    }

    #[test]
    fn a_family_without_series_is_left_out() {
        let text = sampled(&SampledValues::default());
        assert!(!text.contains("lombard_tpp_requests_total") && !text.contains("lombard_database"), "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_process_counts_its_own_resources() {
        let text = sampled(&SampledValues::default());
        let value = |name: &str| {
            let line = text.lines().find(|line| line.split(' ').next() == Some(name));
            line.unwrap_or_else(|| panic!("{name}")).split(' ').nth(1).unwrap().parse::<f64>().unwrap()
        };
        assert!(value("process_open_fds") >= 3.0 && value("process_open_fds") <= value("process_max_fds"));
        assert!(value("process_resident_memory_bytes") > 1e6);
        assert!(value("process_virtual_memory_bytes") >= value("process_resident_memory_bytes"));
        assert!(value("process_start_time_seconds") > 1.6e9 && value("process_threads") >= 1.0);
        assert!(value("process_cpu_seconds_total") >= 0.0);
    }
}
