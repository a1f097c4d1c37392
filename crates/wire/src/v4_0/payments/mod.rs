//! Payments in v4.0: the objects and names in which they differ from v3.1. Source: section 10.

mod mandate;
pub mod names;
mod reasons;
pub(crate) mod remittance;
mod schedule;
#[cfg(test)]
mod tests;

use crate::codes::StatusReasonCode;
use crate::document::BadDocument;
use crate::parse::{FromJson, NotPart};
use crate::payments::address::Address;
use crate::payments::codes;
use crate::payments::forms::PaymentForms;
use crate::payments::parts::open;
use crate::payments::risk::KeptRisk;
use crate::payments::values::RailText;
use crate::v4_0::{V4_0, upgrade};
use jiff::Timestamp;
use lombard_domain::consent::{AccessEnd, PaymentConsentStatus, PaymentConsentView};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{ApprovalStatus, OrderView, PaymentDetailsEntry, RailDetail, StatusChange};
use lombard_domain::payment::vrp::{InteractionType, VrpType};
use lombard_domain::submitted::Submitted;
use std::borrow::Cow;

impl PaymentForms for V4_0 {
    type Only3<T: FromJson> = NotPart<T>;
    type Only4<T: FromJson> = T;
    type AddressKind = names::AddressTypeCode;
    type StreetName = RailText<1, 140>;
    type TownName = RailText<1, 140>;
    type DeliveryAddress = Address<Self>;
    type Remittance = remittance::Remittance<codes::DocumentType>;
    type VrpRemittance = remittance::Remittance<codes::VrpDocumentType>;
    type VrpDebtor = open::DebtorAccount<Self>;
    type VrpCreditorName = RailText<1, 70>;
    type Context = names::LivePaymentContext;
    type KeptRisk = KeptRisk<Self>;
    type Purpose = codes::PurposeCode;
    type FileKind = names::FileKind;
    type VrpKind = VrpType;
    type DomesticSchedule = schedule::Schedule;
    type InternationalSchedule = schedule::Schedule;

    const DEFAULT_INTERACTION: Option<InteractionType> = Some(InteractionType::OffSession);
    const FLAT_VRP_REFUND: bool = false;
    const REFUND_NAME_MAX: usize = 350;

    fn document(submitted: &Submitted) -> Result<Cow<'_, str>, BadDocument> {
        upgrade(submitted)
    }

    fn consent_status(view: &PaymentConsentView) -> &'static str {
        names::viewed_consent_status(view)
    }

    fn consent_status_since(view: &PaymentConsentView) -> Timestamp {
        match view.ended {
            Some(AccessEnd::Revoked(_, at) | AccessEnd::Expired(at)) => at,
            None => view.status_since,
        }
    }

    fn consent_statuses(product: PaymentProduct) -> Vec<&'static str> {
        let statuses = PaymentConsentStatus::ALL.into_iter().filter(|status| status.is_of(product));
        let ends = [names::CANCELLED, names::EXPIRED].into_iter().filter(|_| product.reuses_consents());
        statuses.map(names::consent_status).chain(ends).collect()
    }

    fn consent_reasons(view: &PaymentConsentView) -> &'static [StatusReasonCode] {
        reasons::of_consent(view)
    }

    fn order_status(view: &OrderView, change: StatusChange) -> &'static str {
        names::order_status(change.status, view.product, view.has_unexecuted_payments)
    }

    fn order_statuses(product: PaymentProduct) -> Vec<&'static str> {
        names::order_statuses(product)
    }

    fn order_reasons(view: &OrderView) -> &'static [StatusReasonCode] {
        reasons::of_order(view)
    }

    fn approval_status(status: ApprovalStatus) -> &'static str {
        names::approval_status(status)
    }

    fn approval_statuses() -> Vec<&'static str> {
        [ApprovalStatus::Awaiting, ApprovalStatus::Authorised, ApprovalStatus::Rejected]
            .map(names::approval_status)
            .to_vec()
    }

    fn payment_status(entry: &PaymentDetailsEntry) -> &'static str {
        names::payment_status(entry.status)
    }

    fn payment_statuses() -> Vec<&'static str> {
        names::payment_statuses()
    }

    /// The rail's own words are not shown, because v4.0 has codes here (PIS-091).
    fn rail_status<'a>(entry: &'a PaymentDetailsEntry, _: &'a RailDetail) -> &'a str {
        names::payment_status(entry.status)
    }

    fn rail_statuses() -> Option<Vec<&'static str>> {
        Some(names::payment_statuses())
    }

    fn rail_reason(detail: &RailDetail) -> Option<&'static str> {
        detail.reason.map(names::detail_reason)
    }

    fn rail_reasons() -> Vec<&'static str> {
        names::detail_reasons()
    }
}
