//! Builds the payment settings from the configuration.

use super::sandbox_ids::usual_client;
use crate::config::Config;
use jiff::SignedDuration;
use lombard_domain::ids::ClientId;
use lombard_domain::money::Currency;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::exchange::ExchangeLimits;
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::payment::vrp::{CommercialVrp, VrpCapabilities, VrpType};
use lombard_service::consents::ConsentQuota;
use lombard_service::payments::{FileQuota, PaymentSettings};
use std::sync::Arc;
use std::time::Duration;

/// The default limit of funds confirmations per day in a sandbox. It is high enough for test suites.
const SANDBOX_QUESTIONS: u32 = 1_000;

/// The default limit in production. It exceeds the use of a card on most days, and is too low to determine a balance.
const PRODUCTION_QUESTIONS: u32 = 20;

/// The default members of the agreement on commercial VRP in a sandbox.
const SANDBOX_MEMBERS: [&str; 2] = ["acme", "robot"];

/// The bank's payment settings.
pub(super) fn settings(config: &Config) -> PaymentSettings {
    let payments = &config.payments;
    PaymentSettings {
        limits: Arc::new(limits(config)),
        retired_versions: config.retired_versions().collect(),
        idempotency_window: seconds(payments.key_secs),
        undecided_after: seconds(payments.undecided_secs),
        consent_quota: ConsentQuota::new(config.limits.open_consents_max),
        file_quota: FileQuota {
            files_max: config.limits.unused_files_max,
            bytes_max: config.limits.unused_file_bytes_max,
        },
        unused_files_after: seconds(payments.unused_file_secs),
        funds_requests_per_day_max: funds_requests_per_day_max(config),
        page_answer_within: Duration::from_millis(config.pages.answer_ms),
        tells_new_payees: config.pages.warnings.tell_new_payees(),
        ..PaymentSettings::default()
    }
}

/// The limit of funds confirmations per consent and day; `None` means no limit.
fn funds_requests_per_day_max(config: &Config) -> Option<u32> {
    let usual = if config.is_sandbox() { SANDBOX_QUESTIONS } else { PRODUCTION_QUESTIONS };
    Some(config.limits.funds_questions_per_day.unwrap_or(usual)).filter(|most| *most > 0)
}

/// The offered kinds of variable recurring payments. Source: CVRP-002, CVRP-003, CVRP-005, CVRP-008.
fn vrp(config: &Config) -> VrpCapabilities {
    let usual = VrpCapabilities::default();
    let commercial = VrpType::ALL.into_iter().filter(|kind| kind.is_commercial() && config.vrp.commercial);
    let members = match config.vrp.commercial_members.as_slice() {
        [] if config.is_sandbox() => SANDBOX_MEMBERS.map(|name| usual_client(config.sandbox.seed, name)).into(),
        members => members.iter().cloned().map(ClientId::from).collect(),
    };
    VrpCapabilities {
        types: usual.types.into_iter().chain(commercial).collect(),
        commercial: CommercialVrp {
            strict: config.vrp.commercial_strict,
            contexts: config.vrp.commercial_contexts.clone(),
            members,
        },
        ..usual
    }
}

/// The products, amounts and schedules that the bank accepts. Source: PIS-021.
fn limits(config: &Config) -> PaymentLimits {
    let payments = &config.payments;
    let mut products = PaymentLimits::default().products;
    products.retain(|product, _| payments.products.contains(product));
    for (product, instruments) in [
        (PaymentProduct::DomesticPayment, &payments.domestic_instruments),
        (PaymentProduct::DomesticScheduledPayment, &payments.scheduled_instruments),
        (PaymentProduct::FilePayment, &payments.file_instruments),
        (PaymentProduct::InternationalPayment, &payments.international_instruments),
        (PaymentProduct::InternationalScheduledPayment, &payments.international_instruments),
    ] {
        if let Some(offered) = products.get_mut(&product) {
            offered.instruments.clone_from(instruments);
        }
    }
    let refuses = |instrument: &Instrument| payments.refuse_long_texts.contains(instrument);
    PaymentLimits {
        products,
        ceilings: payments.ceilings.clone(),
        horizon_days: payments.horizon_days.into(),
        truncating_instruments: Instrument::ALL.into_iter().filter(|instrument| !refuses(instrument)).collect(),
        context_required: payments.context_required,
        exchange: exchange(config),
        legacy_frequency: payments.legacy_frequency,
        scottish_quarter_days: payments.scottish_quarter_days,
        allows_sweeping_without_creditor: payments.sweeps_anywhere,
        vrp: vrp(config),
    }
}

/// The currencies and rates that the bank accepts. Source: INT-015, INT-021.
fn exchange(config: &Config) -> ExchangeLimits {
    let payments = &config.payments;
    ExchangeLimits {
        transfers: std::iter::once(Currency::GBP).chain(payments.rates.iter().map(|it| it.currency)).collect(),
        units: payments.account_currencies.clone(),
        lifetime: seconds(payments.quote_secs),
        ..ExchangeLimits::default()
    }
}

pub(super) fn seconds(seconds: u64) -> SignedDuration {
    SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(payments: &str) -> Config {
        Config::from_parts(&format!("[payments]\n{payments}"), &[]).unwrap()
    }

    #[test]
    fn pis_139_nothing_said_is_what_is_usual() {
        let said = settings(&config(""));
        let usual = PaymentSettings::default();
        let exchange = exchange(&config(""));
        let vrp = vrp(&config(""));
        assert_eq!(vrp.types, VrpCapabilities::default().types, "CVRP-002: off unless set");
        assert_eq!(*said.limits, PaymentLimits { exchange, vrp, ..PaymentLimits::default() });
        assert_eq!((said.idempotency_window, said.undecided_after), (usual.idempotency_window, usual.undecided_after));
    }

    #[test]
    fn pis_021_the_operator_says_what_is_offered() {
        let limits = limits(&config(
            "products = [\"domestic-payment\", \"domestic-standing-order\"]
            domestic_instruments = [\"FPS\"]
            refuse_long_texts = [\"BACS\"]
            ceilings = [\"GBP 10\"]
            horizon_days = 30
            context_required = true
            sweeps_anywhere = true",
        ));
        let products: Vec<_> = limits.products.keys().copied().collect();
        assert_eq!(products, [PaymentProduct::DomesticPayment, PaymentProduct::DomesticStandingOrder]);
        assert_eq!(limits.products[&PaymentProduct::DomesticPayment].instruments, [Instrument::FasterPayments]);
        assert!(
            !limits.truncating_instruments.contains(&Instrument::Bacs)
                && limits.truncating_instruments.contains(&Instrument::Chaps)
        );
        assert_eq!(limits.ceilings.iter().map(|it| it.minor()).collect::<Vec<_>>(), [1_000]);
        assert!(limits.context_required && limits.allows_sweeping_without_creditor && limits.horizon_days == 30);
    }

    #[test]
    fn int_015_currencies_and_prices_follow_from_the_rates() {
        let usual = exchange(&config(""));
        assert!(usual.transfers.len() > 5 && usual.units == ExchangeLimits::default().units);
        let own = "rates = [\"NOK 13.4\"]\nrate_spread = 0\nrate_movement = 0\nquote_secs = 60";
        assert_eq!(exchange(&config(own)).transfers, [Currency::GBP, "NOK".parse().unwrap()]);
        assert_eq!(exchange(&config(own)).lifetime, SignedDuration::from_mins(1));
    }
}
