//! Beneficiaries. Source: AIS-160 to AIS-162.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::response::{Response, write};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountIdentification, Aliased, Beneficiary};
use schemars::JsonSchema;
use serde::Serialize;

/// The payee is present only with the Detail permission (AIS-050, AIS-051).
type BeneficiaryPayee = Beneficiary<Option<AccountIdentification>>;

/// Source: `OBReadBeneficiary5/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Beneficiaries<'a, V: AccountForms> {
    beneficiary: Vec<WireBeneficiary<'a, V>>,
}

/// Source: `OBBeneficiary5`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireBeneficiary<'a, V: AccountForms> {
    account_id: &'a str,
    beneficiary_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::beneficiary_type()))]
    beneficiary_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<V::Institution<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<V::Account<'a>>,
}

impl<'a, V: AccountForms> From<&'a Aliased<BeneficiaryPayee>> for WireBeneficiary<'a, V> {
    fn from(Aliased { alias, record }: &'a Aliased<BeneficiaryPayee>) -> Self {
        Self {
            account_id: alias.as_str(),
            beneficiary_id: record.id.as_str(),
            beneficiary_type: record.kind.map(names::beneficiary_type),
            reference: record.reference.as_deref(),
            creditor_agent: record.agent.as_ref().and_then(V::institution),
            creditor_account: record.payee.as_ref().map(V::Account::from),
        }
    }
}

described_in_all!([Aliased<BeneficiaryPayee>], Response<'static, Beneficiaries<'static, V>>);

impl<V: AccountForms> Render<[Aliased<BeneficiaryPayee>]> for V {
    fn render(
        beneficiaries: &[Aliased<BeneficiaryPayee>],
        envelope: &ResponseEnvelope,
    ) -> Result<Vec<u8>, RenderError> {
        let data = Beneficiaries::<V> { beneficiary: beneficiaries.iter().map(WireBeneficiary::from).collect() };
        write(data, envelope, beneficiaries.len().saturating_mul(450).saturating_add(400))
    }
}
