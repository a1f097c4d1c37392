//! Builds the event services from the configuration: outbox, signing and polling.

use super::signing::organisation;
use super::{CoreServices, Sandbox};
use crate::config::Config;
use jiff::SignedDuration;
use lombard_api::catalogue::{is_switched_off, list_operations};
use lombard_auth::AuthorisationServer;
use lombard_auth::sets::{KeyringSetSigner, SetHeader, SetParty};
use lombard_domain::event::{ResourceAddresses, ResourceType};
use lombard_domain::version::Version;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::HttpMethod;
use lombard_service::Context;
use lombard_service::events::{EventPolling, Outbox, PollingSettings, RetentionLimits};
use std::sync::Arc;
use std::time::Duration;

const HOURS_OF_A_DAY: i64 = 24;

/// Builds the outbox, which raises events.
pub(super) fn outbox(config: &Config, services: &CoreServices, issuer: &str, resource_base: &str) -> Outbox {
    let places = ResourceAddresses {
        readable: served_versions(config),
        linked_account_type: config.set.linked_account_rty.clone(),
        ..ResourceAddresses::new(issuer, resource_base)
    };
    Outbox::new(places, services.ids.clone(), services.clocks.clone())
}

/// The resource types that can be read by id, each with the served versions in which that is possible. Source: SET-024.
fn served_versions(config: &Config) -> Vec<(ResourceType, Version)> {
    let off = config.endpoints.off.iter().cloned().collect();
    let retired: Vec<_> = config.retired_versions().collect();
    let is_served = |it: &Operation| !is_switched_off(it.endpoint, &off) && !retired.contains(&it.version);
    let read: Vec<_> = list_operations()
        .filter(|it| it.endpoint.method == HttpMethod::Get && is_served(it))
        .map(|it| (it.version, it.path()))
        .collect();
    let by_id = |kind: ResourceType, version: Version| {
        let collection = format!("/open-banking/{}{}/{{", version.segment(), kind.path());
        let is_item = |path: &str| path.strip_prefix(&collection).is_some_and(|rest| !rest.contains('/'));
        read.iter().any(|(served, path)| *served == version && is_item(path))
    };
    let versions = [Version::V3_1, Version::V4_0];
    let all = ResourceType::ALL.iter().flat_map(|kind| versions.map(|version| (*kind, version)));
    all.filter(|(kind, version)| by_id(*kind, *version)).collect()
}

/// Builds the service of event polling.
pub(super) fn event_polling(
    config: &Config,
    services: &CoreServices,
    context: &Context,
    auth: &AuthorisationServer,
    sandbox: Option<&Sandbox>,
) -> EventPolling {
    let signing =
        KeyringSetSigner::new(auth.keys.clone(), auth.signing.clone(), context.clocks.clone(), header(config, sandbox));
    let events = &config.events;
    let settings = PollingSettings {
        events_max: events.max_events_cap,
        hold_duration: Duration::from_secs(events.long_poll_s),
        held_per_client_max: events.max_held_per_tpp,
        held_total_max: events.max_held,
        reports_max: Some(events.negative_ack_limit).filter(|max| *max > 0),
        deliveries_max: Some(events.max_deliveries).filter(|max| *max > 0),
        filter_by_scope: events.filter_by_scope,
        retention: retention_limits(config),
        ..PollingSettings::default()
    };
    EventPolling::new(context.clone(), Arc::new(signing), services.event_waiters.clone(), settings)
}

fn header(config: &Config, sandbox: Option<&Sandbox>) -> SetHeader {
    // Without an organisation id, the header members are omitted.
    let signer = organisation(config, sandbox)
        .filter(|_| config.set.ob_headers)
        .map(|organisation| SetParty { organisation, trust_anchor: config.signing.trust_anchor.clone() });
    SetHeader { typ: config.set.typ.clone(), signer }
}

/// The retention limits of events.
fn retention_limits(config: &Config) -> RetentionLimits {
    let days = |days: u32| SignedDuration::from_hours(i64::from(days).saturating_mul(HOURS_OF_A_DAY));
    let retention = Some(config.events.retention_days).filter(|days| *days > 0).map(days);
    RetentionLimits {
        retention,
        remembered: retention.unwrap_or(RetentionLimits::default().remembered),
        queue_max: Some(config.events.queue_limit).filter(|max| *max > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::payment::PaymentProduct;

    fn readable_without(off: &[&str]) -> Vec<(ResourceType, Version)> {
        let mut config = Config::from_parts("", &[]).unwrap();
        config.endpoints.off = off.iter().map(|name| (*name).to_owned()).collect();
        served_versions(&config)
    }

    /// Events about payments contain the payments' URLs. Source: SET-024.
    #[test]
    fn set_024_domestic_payments_can_be_read_where_they_are_served() {
        let readable = readable_without(&[]);
        let products = [
            PaymentProduct::DomesticPayment,
            PaymentProduct::DomesticScheduledPayment,
            PaymentProduct::DomesticStandingOrder,
        ];
        for kind in
            products.into_iter().flat_map(|product| [product.consent_resource_type(), product.order_resource_type()])
        {
            let versions: Vec<_> = readable.iter().filter(|(it, _)| *it == kind).map(|(_, version)| *version).collect();
            assert_eq!(versions, Version::ALL, "{kind:?}");
        }
    }

    #[test]
    fn set_024_what_is_switched_off_has_no_address() {
        let order = (PaymentProduct::DomesticScheduledPayment.order_resource_type(), Version::V3_1);
        let get = "GetDomesticScheduledPaymentsDomesticScheduledPaymentId";
        let post = "CreateDomesticScheduledPayments";
        assert!(readable_without(&[]).contains(&order));
        assert!(!readable_without(&[get, post]).contains(&order));
        let consent = (ResourceType::AccountAccessConsent, Version::V3_1);
        let mandatory = readable_without(&["GetAccountAccessConsentsConsentId"]);
        assert!(mandatory.contains(&consent), "what is mandatory stays");
    }

    #[test]
    fn set_024_rw_010_a_version_that_is_no_longer_served_has_no_addresses() {
        let mut config = Config::from_parts("", &[]).unwrap();
        config.endpoints.retired_versions = vec!["v3.1".to_owned()];
        let versions: Vec<_> = served_versions(&config).into_iter().map(|(_, version)| version).collect();
        assert!(!versions.is_empty() && versions.iter().all(|version| *version == Version::V4_0));
    }
}
