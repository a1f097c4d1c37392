//! The consent and order requests: the members around the initiation, shared by all products.

use super::initiation::{Immediate, RequestedPayment, Scheduled, StandingOrder};
use super::parts::{Authorisation, ScaSupportData};
use super::risk::Risk;
use super::values::{Create, RailText, YesNo};
use super::{describe, file, international};
use crate::parse::{FromJson, object};
use crate::payments::{
    DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, FilePayment, InternationalPayment,
    InternationalScheduledPayment, InternationalStandingOrder, ProductBodies, ProductWire, RequestedOrder,
    read_consent, read_order,
};
use crate::v3_1::V3_1;
use lombard_domain::order::{PaymentConsentRequest, PaymentProduct};

impl ProductWire<V3_1> for DomesticPayment {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticPayment;
    const BODIES: ProductBodies = bodies::<WithRisk<ImmediateConsentData<Immediate>>, WithRisk<OrderData<Immediate>>>();
}

impl ProductWire<V3_1> for DomesticScheduledPayment {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticScheduledPayment;
    const BODIES: ProductBodies = bodies::<WithRisk<ScheduledConsentData<Scheduled>>, WithRisk<OrderData<Scheduled>>>();
}

impl ProductWire<V3_1> for DomesticStandingOrder {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticStandingOrder;
    const BODIES: ProductBodies =
        bodies::<WithRisk<ScheduledConsentData<StandingOrder>>, WithRisk<OrderData<StandingOrder>>>();
}

impl ProductWire<V3_1> for InternationalPayment {
    const PRODUCT: PaymentProduct = PaymentProduct::InternationalPayment;
    const BODIES: ProductBodies = bodies::<
        WithRisk<ImmediateConsentData<international::Immediate>>,
        WithRisk<OrderData<international::Immediate>>,
    >();
}

impl ProductWire<V3_1> for InternationalScheduledPayment {
    const PRODUCT: PaymentProduct = PaymentProduct::InternationalScheduledPayment;
    const BODIES: ProductBodies = bodies::<
        WithRisk<ScheduledConsentData<international::Scheduled>>,
        WithRisk<OrderData<international::Scheduled>>,
    >();
}

impl ProductWire<V3_1> for InternationalStandingOrder {
    const PRODUCT: PaymentProduct = PaymentProduct::InternationalStandingOrder;
    const BODIES: ProductBodies = bodies::<
        WithRisk<ScheduledConsentData<international::StandingOrder>>,
        WithRisk<OrderData<international::StandingOrder>>,
    >();
}

impl ProductWire<V3_1> for FilePayment {
    const PRODUCT: PaymentProduct = PaymentProduct::FilePayment;
    const BODIES: ProductBodies =
        bodies::<WithoutRisk<FileConsentData<file::Initiation>>, WithoutRisk<OrderData<file::Initiation>>>();
}

/// The parsers and schemas of a product with these request types.
pub(crate) const fn bodies<C, O>() -> ProductBodies
where
    C: FromJson + Into<PaymentConsentRequest>,
    O: FromJson + Into<RequestedOrder>,
{
    ProductBodies {
        read_consent: read_consent::<V3_1, C>,
        read_order: read_order::<V3_1, O>,
        schemas: describe::schemas::<C, O>,
    }
}

object! {
    /// A request with a `Risk` block. Source: PIS-142, `OBWriteDomesticConsent4`, `OBWriteDomestic2` and their
    /// counterparts.
    struct WithRisk<D>: Closed {
        required data: D = "Data",
        required risk: Risk = "Risk",
    }
}

object! {
    /// A request without a `Risk` block. Source: FILE-002, FILE-021, `OBWriteFileConsent3`, `OBWriteFile2`.
    struct WithoutRisk<D>: Closed {
        required data: D = "Data",
    }
}

object! {
    /// The data of a consent to an immediate payment. Source: `OBWriteDomesticConsent4/Data`,
    /// `OBWriteInternationalConsent5/Data`.
    struct ImmediateConsentData<I>: Closed {
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to a scheduled payment or standing order, with a `Permission`. Source: PIS-028,
    /// `OBWriteDomesticScheduledConsent4/Data`, `OBWriteDomesticStandingOrderConsent5/Data` and their counterparts.
    struct ScheduledConsentData<I>: Closed {
        required _permission: Create = "Permission",
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to a payment file. Source: FILE-002, `OBWriteFileConsent3/Data`.
    struct FileConsentData<I>: Closed {
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of an order. Source: `OBWriteDomestic2/Data` and its counterparts, PIS-054.
    struct OrderData<I>: Closed {
        required consent: RailText<1, 128> = "ConsentId",
        required _initiation: I = "Initiation",
    }
}

impl<D: Into<PaymentConsentRequest>> From<WithRisk<D>> for PaymentConsentRequest {
    fn from(WithRisk { data, risk }: WithRisk<D>) -> Self {
        Self { context: risk.context, ..data.into() }
    }
}

impl<D: Into<PaymentConsentRequest>> From<WithoutRisk<D>> for PaymentConsentRequest {
    fn from(it: WithoutRisk<D>) -> Self {
        it.data.into()
    }
}

impl<I: Into<RequestedPayment>> From<ImmediateConsentData<I>> for PaymentConsentRequest {
    fn from(it: ImmediateConsentData<I>) -> Self {
        requested(it.initiation, it.refund, it.authorisation, it.sca)
    }
}

impl<I: Into<RequestedPayment>> From<ScheduledConsentData<I>> for PaymentConsentRequest {
    fn from(it: ScheduledConsentData<I>) -> Self {
        requested(it.initiation, it.refund, it.authorisation, it.sca)
    }
}

impl<I: Into<RequestedPayment>> From<FileConsentData<I>> for PaymentConsentRequest {
    fn from(it: FileConsentData<I>) -> Self {
        requested(it.initiation, None, it.authorisation, it.sca)
    }
}

/// The content of a consent request; its payment context is in the `Risk` block.
fn requested(
    initiation: impl Into<RequestedPayment>,
    refund: Option<YesNo>,
    authorisation: Option<Authorisation>,
    sca: Option<ScaSupportData>,
) -> PaymentConsentRequest {
    let RequestedPayment { instruction, debtor } = initiation.into();
    PaymentConsentRequest {
        instruction,
        debtor,
        refund: refund.is_some_and(|wanted| wanted.0),
        authorisation: authorisation.map(Into::into).unwrap_or_default(),
        sca: sca.map(Into::into).unwrap_or_default(),
        context: None,
    }
}

impl<D: Into<RequestedOrder>> From<WithRisk<D>> for RequestedOrder {
    fn from(it: WithRisk<D>) -> Self {
        it.data.into()
    }
}

impl<D: Into<RequestedOrder>> From<WithoutRisk<D>> for RequestedOrder {
    fn from(it: WithoutRisk<D>) -> Self {
        it.data.into()
    }
}

impl<I> From<OrderData<I>> for RequestedOrder {
    fn from(it: OrderData<I>) -> Self {
        Self { consent: it.consent.0.into(), payment: None }
    }
}
