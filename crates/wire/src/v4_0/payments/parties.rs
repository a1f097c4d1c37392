//! Parties and regulatory reports of payment requests in v4.0. They are checked and echoed; no rail of the bank carries
//! them. Source: section 10.2.

use super::codes::ReportingIndicator;
use crate::parse::schema::text;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use crate::payments::address::Address;
use crate::payments::values::{Country, RailText, UpTo};
use crate::time::SentInstant;
use crate::v4_0::V4_0;
use crate::vrp::parts::VrpAmountReader;
use lombard_domain::account::AccountScheme;
use lombard_domain::refusal::FaultCode;
use serde_json::Value;

object! {
    /// Source: `OBUltimateCreditor1`, `OBUltimateDebtor1`.
    struct UltimateParty: Open {
        optional _name: RailText<1, 140> = "Name",
        optional _number: RailText<1, 256> = "Identification",
        optional _lei: Lei = "LEI",
        optional _scheme: AccountScheme = "SchemeName",
        optional _address: Address<V4_0> = "PostalAddress",
    }
}

/// A legal entity identifier. Source: V4-008.
#[derive(Debug)]
pub(crate) struct Lei;

impl FromJson for Lei {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text("^[A-Z0-9]{18,18}[0-9]{2,2}$")
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let body = |it: &u8| it.is_ascii_uppercase() || it.is_ascii_digit();
        let (head, check) = text.as_bytes().split_at_checked(18).unwrap_or_default();
        if head.len() == 18 && check.len() == 2 && head.iter().all(body) && check.iter().all(u8::is_ascii_digit) {
            return Some(Self);
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
        optional _indicator: ReportingIndicator = "DebitCreditReportingIndicator",
        optional _authority: RegulatoryAuthority = "Authority",
        optional _details: UpTo<RegulatoryDetail, { usize::MAX }> = "Details",
    }
}

object! {
    /// Source: `OBRegulatoryAuthority2`.
    struct RegulatoryAuthority: Open {
        optional _name: RailText<1, 140> = "Name",
        optional _country: Country = "CountryCode",
    }
}

object! {
    /// Source: `OBStructuredRegulatoryReporting3`.
    struct RegulatoryDetail: Open {
        optional _kind: RailText<1, 35> = "Type",
        optional _date: SentInstant = "Date",
        optional _country: Country = "Country",
        optional _amount: VrpAmountReader = "Amount",
        optional _information: UpTo<RailText<1, 35>, { usize::MAX }> = "Information",
    }
}
