//! Payments in v3.1: the objects and names in which they differ from v4.0.

pub(crate) mod address;
pub mod names;
mod remittance;
mod schedule;

use crate::codes::StatusReasonCode;
use crate::document::BadDocument;
use crate::parse::{FromJson, NotPart};
use crate::payments::forms::PaymentForms;
use crate::payments::names::Listed;
use crate::payments::parts::open;
use crate::payments::risk::NewRisk;
use crate::payments::values::RailText;
use crate::v3_1::V3_1;
use jiff::Timestamp;
use lombard_domain::account::AddressType;
use lombard_domain::consent::{PaymentConsentStatus, PaymentConsentView};
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::{
    ApprovalStatus, DetailReason, OrderView, PaymentDetailsEntry, PaymentStatus, RailDetail, StatusChange,
    SummaryStatus,
};
use lombard_domain::payment::vrp::InteractionType;
use lombard_domain::payment::{OrderFamily, PaymentContext, PaymentProduct};
use lombard_domain::submitted::Submitted;
use std::borrow::Cow;

impl PaymentForms for V3_1 {
    type Only3<T: FromJson> = T;
    type Only4<T: FromJson> = NotPart<T>;
    type AddressKind = AddressType;
    type StreetName = RailText<1, 70>;
    type TownName = RailText<1, 35>;
    type DeliveryAddress = address::DeliveryAddress;
    type Remittance = remittance::closed::Remittance;
    type VrpRemittance = remittance::open::Remittance;
    type VrpDebtor = open::CreditorAccount<Self>;
    type VrpCreditorName = RailText<1, 350>;
    type Context = PaymentContext;
    type KeptRisk = NewRisk<Self>;
    type Purpose = RailText<3, 4>;
    type FileKind = FileType;
    type VrpKind = names::VrpKind;
    type DomesticSchedule = schedule::DomesticSchedule;
    type InternationalSchedule = schedule::InternationalSchedule;

    const DEFAULT_INTERACTION: Option<InteractionType> = None;
    const FLAT_VRP_REFUND: bool = true;
    const REFUND_NAME_MAX: usize = 140;

    fn document(submitted: &Submitted) -> Result<Cow<'_, str>, BadDocument> {
        Ok(Cow::Borrowed(&submitted.json))
    }

    fn consent_status(view: &PaymentConsentView) -> &'static str {
        names::consent_status(view.status)
    }

    fn consent_status_since(view: &PaymentConsentView) -> Timestamp {
        view.status_since
    }

    fn consent_statuses(product: PaymentProduct) -> Vec<&'static str> {
        let statuses = PaymentConsentStatus::ALL.into_iter().filter(|status| status.is_of(product));
        statuses.map(names::consent_status).collect()
    }

    fn consent_reasons(_: &PaymentConsentView) -> &'static [StatusReasonCode] {
        &[]
    }

    fn order_status(view: &OrderView, change: StatusChange) -> &'static str {
        names::order_status(change.summary(view.product.family()))
    }

    fn order_statuses(product: PaymentProduct) -> Vec<&'static str> {
        order_statuses(product.family()).iter().map(|status| names::order_status(*status)).collect()
    }

    fn order_reasons(_: &OrderView) -> &'static [StatusReasonCode] {
        &[]
    }

    fn approval_status(status: ApprovalStatus) -> &'static str {
        names::approval_status(status)
    }

    fn approval_statuses() -> Vec<&'static str> {
        ApprovalStatus::NAMES.to_vec()
    }

    fn payment_status(entry: &PaymentDetailsEntry) -> &'static str {
        names::payment_status(entry.status)
    }

    fn payment_statuses() -> Vec<&'static str> {
        let mut names = PaymentStatus::NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn rail_status<'a>(_: &'a PaymentDetailsEntry, detail: &'a RailDetail) -> &'a str {
        &detail.status
    }

    fn rail_statuses() -> Option<Vec<&'static str>> {
        None
    }

    fn rail_reason(detail: &RailDetail) -> Option<&'static str> {
        detail.reason.map(names::detail_reason)
    }

    fn rail_reasons() -> Vec<&'static str> {
        DetailReason::NAMES.to_vec()
    }
}

/// The statuses of the orders of a family. Source: table 1.4.
const fn order_statuses(family: OrderFamily) -> &'static [SummaryStatus] {
    match family {
        OrderFamily::Immediate => &[
            SummaryStatus::Pending,
            SummaryStatus::InProcess,
            SummaryStatus::Settled,
            SummaryStatus::WithoutPosting,
            SummaryStatus::Credited,
            SummaryStatus::Rejected,
        ],
        OrderFamily::Scheduled | OrderFamily::StandingOrder => &[
            SummaryStatus::InitiationPending,
            SummaryStatus::InitiationCompleted,
            SummaryStatus::InitiationFailed,
            SummaryStatus::Cancelled,
        ],
        OrderFamily::File => {
            &[SummaryStatus::InitiationPending, SummaryStatus::InitiationCompleted, SummaryStatus::InitiationFailed]
        }
    }
}
