//! Leaves out warnings and errors that are equal to others of the last minute, so that a failure of the database does not fill
//! the disk with one line. What is left out is counted, and logged as one line afterwards.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tracing::field::{Field, Visit};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, Filter};

/// The period for which equal lines are counted.
const PERIOD: Duration = Duration::from_secs(60);

/// The most different lines that are remembered; further ones count as equal if they are logged at the same place of the code.
const LINES_MAX: usize = 256;

/// The most characters of a message that the line about the others repeats.
const MESSAGE_CHARS_MAX: usize = 200;

/// Fields that differ between equal lines: they say which request met a failure.
const OF_A_REQUEST: [&str; 2] = ["interaction.id", "error.id"];

/// The target of the summary line, which is never suppressed.
const TARGET: &str = "lombard::repeated";

/// The lines that this process remembers.
static OF_PROCESS: OnceLock<Arc<RepeatedLines>> = OnceLock::new();

/// The filter of a process with this limit for each minute; 0 sets no limit.
pub(super) fn filter_of_process(lines_max: u32) -> LeavesOutRepeated {
    let lines = Arc::new(RepeatedLines::new(lines_max));
    LeavesOutRepeated(Arc::clone(OF_PROCESS.get_or_init(|| lines)))
}

/// Logs how many lines were left out in periods that have ended.
pub fn report_left_out_lines() {
    report(|began, now| now.saturating_duration_since(began) >= PERIOD);
}

/// Logs how many lines were left out until now. For the end of the process.
pub fn report_all_left_out_lines() {
    report(|_, _| true);
}

fn report(has_ended: impl Fn(Instant, Instant) -> bool) {
    let Some(lines) = OF_PROCESS.get() else { return };
    let now = Instant::now();
    // The lock is not held while lines are written.
    for line in lines.end_periods(|began| has_ended(began, now)) {
        let RepeatedLine { left_out, message, level, target, .. } = line;
        tracing::event!(
            target: TARGET,
            Level::WARN,
            lines.left_out = left_out,
            lines.message = message.as_str(),
            lines.level = level.as_str(),
            lines.target = target,
            "equal lines were left out"
        );
    }
}

/// Whether lines like this may be left out.
fn is_limited(metadata: &Metadata<'_>) -> bool {
    *metadata.level() <= Level::WARN && metadata.target() != TARGET
}

/// A filter that suppresses repeated lines.
#[derive(Debug, Clone)]
pub(super) struct LeavesOutRepeated(Arc<RepeatedLines>);

impl<S> Filter<S> for LeavesOutRepeated {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        // Only lines that may be left out are asked about each time.
        if is_limited(metadata) { Interest::sometimes() } else { Interest::always() }
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        let admitted = !is_limited(event.metadata()) || self.0.admit(event, Instant::now());
        if !admitted {
            metrics::counter!("lombard_log_lines_left_out_total").increment(1);
        }
        admitted
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::TRACE)
    }
}

/// The lines of the last period.
#[derive(Debug)]
struct RepeatedLines {
    lines_max: u32,
    lines: Mutex<HashMap<u64, RepeatedLine>>,
    hashes: RandomState,
}

#[derive(Debug)]
struct RepeatedLine {
    began: Instant,
    written: u32,
    left_out: u64,
    message: String,
    level: Level,
    target: &'static str,
}

impl RepeatedLines {
    fn new(lines_max: u32) -> Self {
        Self { lines_max, lines: Mutex::default(), hashes: RandomState::new() }
    }

    /// Whether a line is written.
    fn admit(&self, event: &Event<'_>, now: Instant) -> bool {
        if self.lines_max == 0 {
            return true;
        }
        let place = event.metadata().callsite();
        let mut hash = HashedLine(self.hashes.build_hasher());
        hash.0.write_u64(self.hashes.hash_one(&place));
        let of_place = hash.0.finish();
        event.record(&mut hash);
        let mut key = hash.0.finish();
        let mut lines = self.lines.lock();
        if !lines.contains_key(&key) && lines.len() >= LINES_MAX {
            // A period that left nothing out needs no report.
            lines.retain(|_, line| line.left_out > 0 || now.saturating_duration_since(line.began) < PERIOD);
            if lines.len() >= LINES_MAX {
                key = of_place;
            }
        }
        let line = lines.entry(key).or_insert_with(|| RepeatedLine::new(event, now));
        // Until it is reported, a period with lines left out goes on.
        if line.left_out == 0 && now.saturating_duration_since(line.began) >= PERIOD {
            line.began = now;
            line.written = 0;
        }
        if line.written < self.lines_max {
            line.written = line.written.saturating_add(1);
            return true;
        }
        line.left_out = line.left_out.saturating_add(1);
        false
    }

    /// Removes and returns the lines whose periods have ended, if any of them were left out.
    fn end_periods(&self, has_ended: impl Fn(Instant) -> bool) -> Vec<RepeatedLine> {
        let mut lines = self.lines.lock();
        let ended = lines.extract_if(|_, line| line.left_out > 0 && has_ended(line.began));
        ended.map(|(_, line)| line).collect()
    }
}

impl RepeatedLine {
    fn new(event: &Event<'_>, began: Instant) -> Self {
        let mut message = Message(String::new());
        event.record(&mut message);
        let metadata = event.metadata();
        let (level, target) = (*metadata.level(), metadata.target());
        Self { began, written: 0, left_out: 0, message: message.0, level, target }
    }
}

/// Hashes the fields of a line.
struct HashedLine<H>(H);

impl<H: Hasher> Visit for HashedLine<H> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if OF_A_REQUEST.contains(&field.name()) {
            return;
        }
        self.0.write(field.name().as_bytes());
        // Writing to a hasher cannot fail.
        let _ = write!(Hashed(&mut self.0), "={value:?};");
    }
}

struct Hashed<'h, H>(&'h mut H);

impl<H: Hasher> Write for Hashed<'_, H> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// The message of a line.
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}").chars().take(MESSAGE_CHARS_MAX).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Subscriber;
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::registry::LookupSpan;
    use tracing_subscriber::{Layer, Registry};

    /// Counts the events that pass the filter.
    #[derive(Debug, Clone, Default)]
    struct Passed(Arc<Mutex<Vec<String>>>);

    impl<S: Subscriber + for<'lookup> LookupSpan<'lookup>> Layer<S> for Passed {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            let mut message = Message(String::new());
            event.record(&mut message);
            self.0.lock().push(message.0);
        }
    }

    fn passed(lines: &Arc<RepeatedLines>, log: impl FnOnce()) -> Vec<String> {
        let passed = Passed::default();
        let filter = LeavesOutRepeated(Arc::clone(lines));
        tracing::subscriber::with_default(Registry::default().with(passed.clone().with_filter(filter)), log);
        std::mem::take(&mut *passed.0.lock())
    }

    fn fail(request: usize, error: &str) {
        let id = format!("id-{request}");
        tracing::warn!(interaction.id = id, error.id = id, error, "the database does not answer");
    }

    #[test]
    fn of_equal_warnings_the_first_are_logged_and_then_their_number() {
        let lines = Arc::new(RepeatedLines::new(20));
        let logged = passed(&lines, || (0..1_500).for_each(|request| fail(request, "no connection")));
        assert_eq!(logged.len(), 20);
        assert_eq!(lines.end_periods(|_| false).len(), 0);
        let ended = lines.end_periods(|_| true);
        let [line] = ended.as_slice() else { panic!("{ended:?}") };
        assert_eq!((line.left_out, line.message.as_str()), (1_480, "the database does not answer"));
        assert_eq!(passed(&lines, || fail(1, "no connection")).len(), 1, "a new period");
    }

    #[test]
    fn different_lines_and_those_that_are_no_warnings_are_all_logged() {
        let lines = Arc::new(RepeatedLines::new(1));
        let logged = passed(&lines, || {
            fail(1, "no connection");
            fail(2, "too many connections");
            fail(3, "no connection");
            tracing::error!("another place");
            (0..3).for_each(|_| tracing::info!("answered"));
        });
        assert_eq!(logged.iter().filter(|line| line.contains("database")).count(), 2);
        assert_eq!(logged.len(), 6, "{logged:?}");
        let unlimited = Arc::new(RepeatedLines::new(0));
        assert_eq!(passed(&unlimited, || (0..50).for_each(|request| fail(request, "same"))).len(), 50);
    }

    #[test]
    fn the_memory_is_bounded_however_different_the_lines_are() {
        let lines = Arc::new(RepeatedLines::new(5));
        let logged = passed(&lines, || (0..10_000).for_each(|number| fail(number, &format!("error {number}"))));
        assert!(lines.lines.lock().len() <= LINES_MAX + 1);
        assert_eq!(logged.len(), LINES_MAX + 5, "further ones count as equal");
    }
}
