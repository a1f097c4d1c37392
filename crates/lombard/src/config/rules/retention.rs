//! Checks how long records are kept, and converts the settings into the rules of the purge.

use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::value::Mode;
use jiff::SignedDuration;
use lombard_domain::retention::{PAYMENT_RECORD_DAYS_MIN, RetentionRules};

/// A record must not be kept for less time than the records that stand on it, and production keeps what a regulation demands.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let kept = &config.retention;
    let mut problem = |setting: &str, message: &str| problems.push(Problem::new(setting, message));
    if kept.ended_consent_days < kept.order_days {
        let message =
            "is less than retention.order_days: an order is shown with its consent, which must be kept as long";
        problem("retention.ended_consent_days", message);
    }
    if kept.file_days > kept.order_days {
        let message = "is more than retention.order_days: a file belongs to its order, and is not kept without it";
        problem("retention.file_days", message);
    }
    if config.mode == Mode::Production && kept.order_days < PAYMENT_RECORD_DAYS_MIN {
        let message = "must be at least 1827 in production: records of payment transactions are kept for five years (Payment Services \
                       Regulations 2017, regulation 31)";
        problem("retention.order_days", message);
    }
}

impl Config {
    /// How long records are kept.
    pub(crate) fn retention_rules(&self) -> RetentionRules {
        let days = |days: u32| SignedDuration::from_hours(24_i64.saturating_mul(days.into()));
        let kept = &self.retention;
        RetentionRules {
            unauthorised_consents: days(kept.unauthorised_consent_days),
            ended_consents: days(kept.ended_consent_days),
            orders: days(kept.order_days),
            files: days(kept.file_days),
            evidence: days(kept.evidence_days),
            audit: days(kept.audit_days),
            sessions: days(kept.session_days),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use lombard_domain::retention::RetentionRules;

    #[test]
    fn the_defaults_are_those_of_the_rules() {
        assert_eq!(Config::from_parts("", &[]).unwrap().retention_rules(), RetentionRules::default());
    }

    #[test]
    fn records_are_kept_as_long_as_those_that_stand_on_them() {
        for (text, setting) in [
            ("ended_consent_days = 30", "retention.ended_consent_days"),
            ("order_days = 30", "retention.file_days"),
            ("unauthorised_consent_days = 0", "retention.unauthorised_consent_days"),
        ] {
            let problems = Config::from_parts(&format!("[retention]\n{text}\n"), &[]).unwrap_err();
            let named = format!("{problems:?}");
            assert!(named.contains(setting), "{text}: {named}");
        }
        let fine = "[retention]\nended_consent_days = 30\norder_days = 30\nfile_days = 7\n";
        Config::from_parts(fine, &[]).unwrap();
    }

    #[test]
    fn production_keeps_records_of_payments_for_five_years() {
        for (days, is_fine) in [(1826, false), (1827, true)] {
            let text = format!(
                "mode = \"production\"\n[retention]\nended_consent_days = {days}\norder_days = {days}\nfile_days = 1\n"
            );
            let problems = format!("{:?}", Config::from_parts(&text, &[]).unwrap_err());
            assert_eq!(!problems.contains("regulation 31"), is_fine, "{days}");
        }
    }
}
