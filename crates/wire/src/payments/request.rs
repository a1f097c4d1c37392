//! The consent and order requests: the members around the initiation, shared by all products.

use super::forms::PaymentForms;
use super::initiation::{Immediate, Scheduled};
use super::parts::{Authorisation, ScaSupportData};
use super::requested::RequestedPayment;
use super::risk::{NewRisk, Risk};
use super::values::{Create, RailText, YesNo};
use super::{
    DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, FilePayment, InternationalPayment,
    InternationalScheduledPayment, InternationalStandingOrder, ProductBodies, ProductWire, RequestedConsent,
    RequestedOrder, describe, file, international, read_consent, read_order, standing_orders,
};
use crate::parse::{FromJson, object};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{Instruction, PaymentConsentRequest, RequestForm};

/// Names the two types that the requests of a product are read as, in every version.
macro_rules! products {
    ($($product:ident: $consent:ty, $order:ty;)*) => {$(
        impl<V: PaymentForms> ProductWire<V> for $product {
            const PRODUCT: PaymentProduct = PaymentProduct::$product;
            const BODIES: ProductBodies = bodies::<V, $consent, $order>();
        }
    )*};
}

products! {
    DomesticPayment: WithRisk<V, ImmediateConsentData<Immediate<V>>>, WithRisk<V, OrderData<Immediate<V>>>;
    DomesticScheduledPayment: WithRisk<V, ScheduledConsentData<Scheduled<V>>>, WithRisk<V, OrderData<Scheduled<V>>>;
    DomesticStandingOrder:
        WithRisk<V, ScheduledConsentData<standing_orders::Domestic<V>>>,
        WithRisk<V, OrderData<standing_orders::Domestic<V>>>;
    InternationalPayment:
        WithRisk<V, ImmediateConsentData<international::Immediate<V>>>,
        WithRisk<V, OrderData<international::Immediate<V>>>;
    InternationalScheduledPayment:
        WithRisk<V, ScheduledConsentData<international::Scheduled<V>>>,
        WithRisk<V, OrderData<international::Scheduled<V>>>;
    InternationalStandingOrder:
        WithRisk<V, ScheduledConsentData<standing_orders::International<V>>>,
        WithRisk<V, OrderData<standing_orders::International<V>>>;
    FilePayment: WithoutRisk<FileConsentData<file::Initiation<V>>>, WithoutRisk<OrderData<file::Initiation<V>>>;
}

/// The parsers and schemas of a product with these request types.
pub(crate) const fn bodies<V, C, O>() -> ProductBodies
where
    V: PaymentForms,
    C: FromJson + Into<RequestedConsent>,
    O: FromJson + Into<RequestedOrder>,
{
    ProductBodies {
        read_consent: read_consent::<V, C>,
        read_order: read_order::<V, O>,
        schemas: describe::schemas::<V, C, O>,
    }
}

object! {
    /// A request with a `Risk` block. Source: PIS-142, `OBWriteDomesticConsent4`, `OBWriteDomestic2` and their
    /// counterparts.
    struct WithRisk<V: PaymentForms, D: FromJson>: Closed {
        required data: D = "Data",
        required risk: Risk<V, NewRisk<V>> = "Risk",
    }
}

object! {
    /// A request without a `Risk` block. Source: FILE-002, FILE-021, `OBWriteFileConsent3`, `OBWriteFile2`.
    struct WithoutRisk<D: FromJson>: Closed {
        required data: D = "Data",
    }
}

object! {
    /// The data of a consent to an immediate payment. Source: `OBWriteDomesticConsent4/Data`,
    /// `OBWriteInternationalConsent5/Data`.
    struct ImmediateConsentData<I: FromJson>: Closed {
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to a scheduled payment or standing order, with a `Permission`. Source: PIS-028,
    /// `OBWriteDomesticScheduledConsent4/Data`, `OBWriteDomesticStandingOrderConsent5/Data` and their counterparts.
    struct ScheduledConsentData<I: FromJson>: Closed {
        required _permission: Create = "Permission",
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to a payment file. Source: FILE-002, `OBWriteFileConsent3/Data`.
    struct FileConsentData<I: FromJson>: Closed {
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of an order. Source: `OBWriteDomestic2/Data` and its counterparts, PIS-054.
    struct OrderData<I: FromJson>: Closed {
        required consent: RailText<1, 128> = "ConsentId",
        required _initiation: I = "Initiation",
    }
}

impl<V: PaymentForms, D: FromJson + Into<RequestedConsent>> From<WithRisk<V, D>> for RequestedConsent {
    fn from(WithRisk { data, mut risk }: WithRisk<V, D>) -> Self {
        let RequestedConsent { terms, form } = data.into();
        let instruction = match terms.instruction {
            Instruction::Transfer(transfer) => risk.with_purposes(transfer).into(),
            other @ (Instruction::File(_) | Instruction::Vrp(_)) => other,
        };
        let context = risk.context.map(Into::into);
        Self { terms: PaymentConsentRequest { instruction, context, ..terms }, form }
    }
}

impl<D: FromJson + Into<RequestedConsent>> From<WithoutRisk<D>> for RequestedConsent {
    fn from(it: WithoutRisk<D>) -> Self {
        it.data.into()
    }
}

impl<I: FromJson + Into<RequestedPayment>> From<ImmediateConsentData<I>> for RequestedConsent {
    fn from(it: ImmediateConsentData<I>) -> Self {
        requested(it.initiation, it.refund, it.authorisation, it.sca)
    }
}

impl<I: FromJson + Into<RequestedPayment>> From<ScheduledConsentData<I>> for RequestedConsent {
    fn from(it: ScheduledConsentData<I>) -> Self {
        requested(it.initiation, it.refund, it.authorisation, it.sca)
    }
}

impl<I: FromJson + Into<RequestedPayment>> From<FileConsentData<I>> for RequestedConsent {
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
) -> RequestedConsent {
    let RequestedPayment { instruction, debtor, legacy_frequency } = initiation.into();
    let terms = PaymentConsentRequest {
        instruction,
        debtor,
        refund: refund.is_some_and(|wanted| wanted.0),
        authorisation: authorisation.map(Into::into).unwrap_or_default(),
        sca: sca.map(Into::into).unwrap_or_default(),
        context: None,
    };
    RequestedConsent { terms, form: RequestForm { legacy_frequency, ..RequestForm::default() } }
}

impl<V: PaymentForms, D: FromJson + Into<RequestedOrder>> From<WithRisk<V, D>> for RequestedOrder {
    fn from(it: WithRisk<V, D>) -> Self {
        it.data.into()
    }
}

impl<D: FromJson + Into<RequestedOrder>> From<WithoutRisk<D>> for RequestedOrder {
    fn from(it: WithoutRisk<D>) -> Self {
        it.data.into()
    }
}

impl<I: FromJson> From<OrderData<I>> for RequestedOrder {
    fn from(it: OrderData<I>) -> Self {
        Self { consent: it.consent.0.into(), payment: None }
    }
}
