//! Parties and regulatory reports of payment requests, which only v4.0 has. Source: section 10.2.

use super::address::Address;
use super::codes::ReportingIndicator;
use super::forms::PaymentForms;
use super::open_amount::OpenAmount;
use super::values::{Country, RailText, UpTo};
use crate::parse::schema::text;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use crate::time::SentInstant;
use lombard_domain::account::AccountScheme;
use lombard_domain::refusal::FaultCode;
use serde_json::Value;

object! {
    /// Source: `OBUltimateCreditor1`, `OBUltimateDebtor1`.
    struct UltimateParty<V: PaymentForms>: Open {
        optional name: RailText<1, 140> = "Name",
        optional number: RailText<1, 256> = "Identification",
        optional lei: Lei = "LEI",
        optional scheme: AccountScheme = "SchemeName",
        optional address: Address<V> = "PostalAddress",
    }
}

impl<V: PaymentForms> From<UltimateParty<V>> for lombard_domain::account::UltimateParty {
    fn from(it: UltimateParty<V>) -> Self {
        Self {
            name: it.name.map(|text| text.0),
            scheme: it.scheme,
            identification: it.number.map(|text| text.0),
            lei: it.lei.map(|lei| lei.0),
            address: it.address.map(Into::into),
        }
    }
}

/// A legal entity identifier. Source: V4-008.
#[derive(Debug)]
pub(crate) struct Lei(pub(crate) String);

impl FromJson for Lei {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text("^[A-Z0-9]{18,18}[0-9]{2,2}$")
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let body = |it: &u8| it.is_ascii_uppercase() || it.is_ascii_digit();
        let (head, check) = text.as_bytes().split_at_checked(18).unwrap_or_default();
        if head.len() == 18 && check.len() == 2 && head.iter().all(body) && check.iter().all(u8::is_ascii_digit) {
            return Some(Self(text.to_owned()));
        }
        reader.fault(FaultCode::FieldInvalid, at, "Must be a legal entity identifier.");
        None
    }
}

/// At most ten reports.
pub(crate) type RegulatoryReporting = UpTo<RegulatoryReport, 10>;

object! {
    /// Source: `OBRegulatoryReporting1`.
    struct RegulatoryReport: Open {
        optional indicator: ReportingIndicator = "DebitCreditReportingIndicator",
        optional authority: RegulatoryAuthority = "Authority",
        optional details: UpTo<RegulatoryDetail, { usize::MAX }> = "Details",
    }
}

object! {
    /// Source: `OBRegulatoryAuthority2`.
    struct RegulatoryAuthority: Open {
        optional name: RailText<1, 140> = "Name",
        optional country: Country = "CountryCode",
    }
}

object! {
    /// Source: `OBStructuredRegulatoryReporting3`.
    struct RegulatoryDetail: Open {
        optional kind: RailText<1, 35> = "Type",
        optional date: SentInstant = "Date",
        optional country: Country = "Country",
        optional amount: OpenAmount = "Amount",
        optional information: UpTo<RailText<1, 35>, { usize::MAX }> = "Information",
    }
}

impl From<RegulatoryReport> for lombard_domain::payment::transfer::RegulatoryReport {
    fn from(it: RegulatoryReport) -> Self {
        let (authority, authority_country) = it.authority.map_or((None, None), |it| (it.name, it.country));
        Self {
            indicator: it.indicator.map(|code| code.0),
            authority: authority.map(|text| text.0),
            authority_country: authority_country.map(|country| country.0),
            details: it.details.into_iter().flat_map(|list| list.0).map(Into::into).collect(),
        }
    }
}

impl From<RegulatoryDetail> for lombard_domain::payment::transfer::RegulatoryDetail {
    fn from(it: RegulatoryDetail) -> Self {
        Self {
            kind: it.kind.map(|text| text.0),
            dated_at: it.date.map(|sent| sent.instant),
            country: it.country.map(|country| country.0),
            amount: it.amount.map(|amount| amount.0),
            information: it.information.into_iter().flat_map(|list| list.0).map(|text| text.0).collect(),
        }
    }
}
