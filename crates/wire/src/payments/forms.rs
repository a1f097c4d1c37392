//! The forms of a version's payments: the objects and names that differ between the versions. Everything else about payments has
//! one implementation for every version.

use super::requested_schedule::ScheduleMembers;
use crate::StandardVersion;
use crate::codes::StatusReasonCode;
use crate::document::BadDocument;
use crate::parse::FromJson;
use lombard_domain::account::{AccountIdentification, AddressType, IsoCode};
use lombard_domain::consent::PaymentConsentView;
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::{ApprovalStatus, OrderView, PaymentDetailsEntry, RailDetail, StatusChange};
use lombard_domain::payment::transfer::References;
use lombard_domain::payment::vrp::{InteractionType, VrpType};
use lombard_domain::payment::{PaymentContext, PaymentProduct};
use lombard_domain::submitted::Submitted;
use std::borrow::Cow;
use std::fmt::Debug;

/// The forms and names of payments in a version.
pub(crate) trait PaymentForms: StandardVersion + Debug + Sized {
    /// A member that only v3.1 has.
    type Only3<T: FromJson>: FromJson + Into<Option<T>>;
    /// A member that only v4.0 has.
    type Only4<T: FromJson>: FromJson + Into<Option<T>>;
    /// An address type. Source: V4-005.
    type AddressKind: FromJson + Into<AddressType>;
    /// The street of a postal address. Source: V4-005.
    type StreetName: FromJson + Into<String>;
    /// The town of a postal address. Source: V4-005.
    type TownName: FromJson + Into<String>;
    /// A delivery address, which is only checked. Source: PIS-147.
    type DeliveryAddress: FromJson;
    /// Remittance information. Source: PIS-131, PIS-135.
    type Remittance: FromJson + Into<References>;
    /// Remittance information of VRP requests. Source: PIS-157.
    type VrpRemittance: FromJson + Into<References>;
    /// The debtor account of a VRP request. Source: PIS-117, VRP-016.
    type VrpDebtor: FromJson + Into<AccountIdentification>;
    /// The name of a VRP creditor account. Source: VRP-016.
    type VrpCreditorName: FromJson + Into<String>;
    /// A payment context of a new consent. Source: PIS-144.
    type Context: FromJson + Into<PaymentContext>;
    /// The risk block of payments under a VRP consent, which may have been created through an older version. Source: V4-028.
    type KeptRisk: RiskForms;
    /// A payment purpose code. Source: PIS-144.
    type Purpose: FromJson + Into<Option<IsoCode>>;
    /// A type of payment file. Source: FILE-006.
    type FileKind: FromJson + Into<FileType>;
    /// A VRP type. Source: VRP-007, CVRP-002.
    type VrpKind: FromJson + Into<VrpType>;
    /// The schedule and the reference of a domestic standing order. Source: section 10.2.
    type DomesticSchedule: ScheduleMembers;
    /// The schedule and the reference of an international standing order. Source: section 10.2.
    type InternationalSchedule: ScheduleMembers;

    /// The meaning of a VRP request without an interaction type. Source: VRP-009.
    const DEFAULT_INTERACTION: Option<InteractionType>;
    /// Whether a VRP order shows the refund account without the object around it. Source: X-06.
    const FLAT_VRP_REFUND: bool;
    /// The maximum length of the name beside a refund account. Source: X-11.
    const REFUND_NAME_MAX: usize;

    /// The stored request in the form of the version; a newer version shows older requests in its own form. Source: PIS-161,
    /// V4-026.
    ///
    /// # Errors
    /// [`BadDocument`] when the stored document cannot be parsed.
    fn document(submitted: &Submitted) -> Result<Cow<'_, str>, BadDocument>;
    /// The status of a consent. Source: table 1.4, V4-004.
    fn consent_status(view: &PaymentConsentView) -> &'static str;
    /// When the displayed status began.
    fn consent_status_since(view: &PaymentConsentView) -> jiff::Timestamp;
    /// Every status of a product's consents.
    fn consent_statuses(product: PaymentProduct) -> Vec<&'static str>;
    /// The reasons for a consent's status. Source: V4-002.
    fn consent_reasons(view: &PaymentConsentView) -> &'static [StatusReasonCode];
    /// The status of an order after a change. Source: tables 1.4 and 1.5, V4-004.
    fn order_status(view: &OrderView, change: StatusChange) -> &'static str;
    /// Every status of a product's orders.
    fn order_statuses(product: PaymentProduct) -> Vec<&'static str>;
    /// The reasons for an order's status. Source: V4-002.
    fn order_reasons(view: &OrderView) -> &'static [StatusReasonCode];
    /// The status of a multi-authorisation. Source: PIS-112.
    fn approval_status(status: ApprovalStatus) -> &'static str;
    /// Every status of a multi-authorisation.
    fn approval_statuses() -> Vec<&'static str>;
    /// The status of a payment in the payment details. Source: PIS-092.
    fn payment_status(entry: &PaymentDetailsEntry) -> &'static str;
    /// Every status in the payment details.
    fn payment_statuses() -> Vec<&'static str>;
    /// The status of a payment on its rail. Source: PIS-091.
    fn rail_status<'a>(entry: &'a PaymentDetailsEntry, detail: &'a RailDetail) -> &'a str;
    /// Every status on the rail; `None` if the rail's own words are shown.
    fn rail_statuses() -> Option<Vec<&'static str>>;
    /// The code of the reason for the status on the rail. Source: PIS-093.
    fn rail_reason(detail: &RailDetail) -> Option<&'static str>;
    /// Every reason for a status on the rail.
    fn rail_reasons() -> Vec<&'static str>;
}

/// The members of a risk block that differ between new and older consents. Source: PIS-144, V4-028.
pub(crate) trait RiskForms: Debug {
    /// The payment context.
    type Context: FromJson + Into<PaymentContext>;
    /// The payment purpose.
    type Purpose: FromJson + Into<Option<IsoCode>>;
    /// The delivery address, which is only checked.
    type Delivery: FromJson;
}
