//! The members of consents and orders that are not echoed.

use crate::parts::{Bic, CashAccount, WireMoney};
use crate::payments::forms::PaymentForms;
use crate::payments::names::{self, Listed};
use crate::time::WireInstant;
use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::order::{Approvals, Debtor, Refund};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType, PaymentProduct, PaymentTerritory};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: PIS-100, `OBCharge2`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct WireCharge {
    #[schemars(extend("enum" = ChargeBearer::NAMES))]
    charge_bearer: &'static str,
    #[serde(rename = "Type")]
    #[schemars(extend("enum" = ChargeType::NAMES))]
    kind: &'static str,
    amount: WireMoney,
}

impl From<&Charge> for WireCharge {
    fn from(charge: &Charge) -> Self {
        Self {
            charge_bearer: names::charge_bearer(charge.bearer),
            kind: names::charge_type(charge.kind),
            amount: charge.amount.into(),
        }
    }
}

/// The account for refunds; domestic payments have only the account. Source: PIS-097, PIS-098,
/// `OBDomesticRefundAccount1`, `OBInternationalRefundAccount1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct WireRefund<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor: Option<RefundCreditor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Bic<'a>>,
    account: CashAccount<'a>,
}

/// Source: `OBInternationalRefundAccount1/Creditor`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct RefundCreditor {
    #[schemars(length(min = 1))]
    name: String,
}

impl<'a> WireRefund<'a> {
    /// The refund object of an order of this territory.
    pub(super) fn of<V: PaymentForms>(refund: &'a Refund, reach: PaymentTerritory) -> Self {
        let account: &AccountIdentification = &refund.account;
        let (creditor, agent) = match reach {
            PaymentTerritory::Domestic => (None, None),
            PaymentTerritory::International => {
                // The account's own name may be longer.
                let name = refund.account.holder_name().chars().take(V::REFUND_NAME_MAX).collect();
                (Some(RefundCreditor { name }), refund.bic.as_deref().map(Bic::new))
            }
        };
        Self { creditor, agent, account: account.into() }
    }
}

/// Source: PIS-099, `OBCashAccountDebtor4`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct WireDebtor<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identification: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_identification: Option<&'a str>,
}

impl<'a> From<&'a Debtor> for WireDebtor<'a> {
    fn from(debtor: &'a Debtor) -> Self {
        let account = debtor.account.as_ref();
        Self {
            scheme_name: account.map(|account| crate::names::account_scheme(account.scheme)),
            identification: account.map(|account| account.number.as_str()),
            name: &debtor.name,
            secondary_identification: account.and_then(|account| account.secondary.as_deref()),
        }
    }
}

/// The debtor: the name, or the account for products that show it. Source: PIS-099, VRP-019.
pub(super) fn payer(
    product: PaymentProduct,
    debtor: Option<&Debtor>,
) -> (Option<WireDebtor<'_>>, Option<CashAccount<'_>>) {
    if product.shows_debtor_account() {
        (None, debtor.and_then(|debtor| debtor.account.as_ref()).map(CashAccount::from))
    } else {
        (debtor.map(WireDebtor::from), None)
    }
}

/// Source: PIS-112, `OBMultiAuthorisation1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct MultiAuthorisation {
    status: &'static str,
    number_required: u16,
    number_received: u16,
    last_update_date_time: WireInstant,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_date_time: Option<WireInstant>,
}

impl MultiAuthorisation {
    /// The multi-authorisation with the names of a version.
    pub(super) fn of<V: PaymentForms>(approvals: &Approvals) -> Self {
        Self {
            status: V::approval_status(approvals.status),
            number_required: approvals.required,
            number_received: approvals.count(),
            last_update_date_time: WireInstant(approvals.changed_at),
            expiration_date_time: approvals.expires_at.map(WireInstant),
        }
    }
}
