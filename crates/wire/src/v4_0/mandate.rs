//! The mandate behind direct debits and standing orders. Source: AIS-170 to AIS-172, V4-010.

use super::frequency::FrequencyForm;
use super::parts::text;
use crate::code_sets;
use crate::time::WireInstant;
use lombard_domain::account::MandateTerms;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// Source: `OBMandateRelatedInformation1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Mandate<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 35))]
    pub(super) mandate_identification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::MANDATE_CLASSIFICATIONS))]
    pub(super) classification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::CATEGORY_PURPOSES))]
    pub(super) category_purpose_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) final_payment_date_time: Option<WireInstant>,
    pub(super) frequency: Frequency,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 256))]
    pub(super) reason: Option<&'a str>,
}

impl<'a> Mandate<'a> {
    /// The mandate with these terms; its dates are those of the order.
    pub(super) fn of(terms: Option<&'a MandateTerms>, frequency: Frequency) -> Self {
        Self {
            mandate_identification: terms.and_then(|terms| terms.identification.as_deref()),
            classification: terms.and_then(|terms| terms.classification.as_ref()).map(text),
            category_purpose_code: terms.and_then(|terms| terms.category_purpose.as_ref()).map(text),
            first_payment_date_time: None,
            final_payment_date_time: None,
            frequency,
            reason: terms.and_then(|terms| terms.reason.as_deref()),
        }
    }
}

/// Source: `OBFrequency6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Frequency {
    r#type: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2))]
    point_in_time: Option<String>,
}

impl Frequency {
    /// A frequency that needs only a code.
    pub(super) const fn code(code: &'static str) -> Self {
        Self { r#type: Cow::Borrowed(code), point_in_time: None }
    }
}

impl From<FrequencyForm> for Frequency {
    fn from(form: FrequencyForm) -> Self {
        Self { r#type: form.kind, point_in_time: form.point_in_time }
    }
}
