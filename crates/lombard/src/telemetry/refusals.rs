//! Counts what rules of security refuse, for the audit log. Every refusal is an event with the field `security.refusal`, whatever the level of
//! the log lines.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterFn, LevelFilter};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// The field with the rule.
const RULE: &str = "security.refusal";

/// The fields with the address of the caller.
const FROM: [&str; 2] = ["from", "address"];

/// The most rules that are counted apart; further ones are counted together.
const RULES_MAX: usize = 32;

/// The rule under which refusals are counted when there are too many rules.
const OTHERS: &str = "other";

/// The most bytes of a rule or an address.
const VALUE_BYTES_MAX: usize = 64;

/// The counts of the process.
static OF_PROCESS: LazyLock<RefusalCounts> = LazyLock::new(RefusalCounts::default);

/// How often a rule refused something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CountedRefusals {
    /// The rule.
    pub rule: String,
    /// The number of refusals.
    pub count: u64,
    /// The address of the callers, if it is known and the same for all.
    pub from: Option<String>,
}

#[derive(Debug, Default)]
struct RefusalCounts(Mutex<BTreeMap<String, CountedRefusals>>);

impl RefusalCounts {
    fn add(&self, refusal: Refusal) {
        let mut counts = self.0.lock();
        let is_counted = counts.contains_key(&refusal.rule) || counts.len() < RULES_MAX;
        let rule = if is_counted { refusal.rule } else { OTHERS.to_owned() };
        let new = || CountedRefusals { rule: rule.clone(), count: 0, from: refusal.from.clone() };
        let counted = counts.entry(rule.clone()).or_insert_with(new);
        counted.count = counted.count.saturating_add(1);
        if counted.from != refusal.from {
            counted.from = None;
        }
    }

    fn take(&self) -> Vec<CountedRefusals> {
        std::mem::take(&mut *self.0.lock()).into_values().collect()
    }
}

/// Takes the counts of this process since the last call, one for each rule, and at most 33.
pub fn take_refusals() -> Vec<CountedRefusals> {
    OF_PROCESS.take()
}

/// The layer that counts the refusals of this process.
pub(super) fn refusals_layer<S: Subscriber + for<'lookup> LookupSpan<'lookup>>() -> impl Layer<S> {
    CountsRefusals(&OF_PROCESS).with_filter(is_refusal())
}

/// Selects the events with a rule. Lines of lower levels need not be looked at.
fn is_refusal() -> FilterFn<impl Fn(&Metadata<'_>) -> bool> {
    FilterFn::new(|metadata: &Metadata<'_>| metadata.fields().field(RULE).is_some())
        .with_max_level_hint(LevelFilter::INFO)
}

struct CountsRefusals(&'static RefusalCounts);

impl<S: Subscriber> Layer<S> for CountsRefusals {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut refusal = Refusal::default();
        event.record(&mut refusal);
        self.0.add(refusal);
    }
}

/// The fields of an event that are counted by.
#[derive(Debug, Default)]
struct Refusal {
    rule: String,
    from: Option<String>,
}

impl Refusal {
    fn record(&mut self, field: &Field, value: &str) {
        let value = || value.get(..value.floor_char_boundary(VALUE_BYTES_MAX)).unwrap_or_default().to_owned();
        if field.name() == RULE {
            self.rule = value();
        } else if FROM.contains(&field.name()) {
            self.from = Some(value());
        }
    }
}

impl Visit for Refusal {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record(field, &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::layer::SubscriberExt;

    fn counted(events: impl FnOnce()) -> Vec<(String, u64, Option<String>)> {
        let counts: &'static RefusalCounts = Box::leak(Box::default());
        let layer = CountsRefusals(counts).with_filter(is_refusal());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), events);
        counts.take().into_iter().map(|it| (it.rule, it.count, it.from)).collect()
    }

    #[test]
    fn refusals_are_counted_by_rule_and_told_from_one_address() {
        let one = Some("192.0.2.1".to_owned());
        let found = counted(|| {
            for address in ["192.0.2.1", "192.0.2.1"] {
                tracing::info!(security.refusal = "staff-identity", from = %address, "refused");
            }
            for address in ["192.0.2.1", "192.0.2.2"] {
                tracing::info!(security.refusal = "TLS-011", address = %address, "refused");
            }
            tracing::info!(http.status = 401, "another event");
        });
        assert_eq!(found, [("TLS-011".to_owned(), 2, None), ("staff-identity".to_owned(), 2, one)]);
    }

    #[test]
    fn the_rules_that_are_counted_apart_are_bounded() {
        let found = counted(|| {
            for number in 0..100 {
                tracing::info!(security.refusal = format!("rule-{number:03}").as_str(), "refused");
            }
        });
        assert_eq!(found.len(), RULES_MAX + 1);
        assert!(found.contains(&(OTHERS.to_owned(), 68, None)), "{found:?}");
    }
}
