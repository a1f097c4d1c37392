//! The requests for consents and orders: what all products share around their initiation.

use super::initiation::{Asked, Immediate, Initiation, Scheduled, StandingOrder};
use super::parts::{Authorisation, ScaSupportData};
use super::risk::Risk;
use super::values::{Create, Text, YesNo};
use super::{describe, file, international};
use crate::document::keep;
use crate::parse::{self, Read, object};
use crate::payments::{
    DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, FilePayment, InternationalPayment,
    InternationalScheduledPayment, InternationalStandingOrder, ProductWire, Schemas,
};
use crate::v3_1::V3_1;
use lombard_domain::consent::Submitted;
use lombard_domain::order::{OrderDraft, PaymentConsentRequest, PaymentContext, PaymentDraft, Product};
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::version::Version;

object! {
    /// A request with a risk block. Source: PIS-142, `OBWriteDomesticConsent4`, `OBWriteDomestic2` and their sisters.
    struct WithRisk<D>: Closed {
        required data: D = "Data",
        required risk: Risk = "Risk",
    }
}

object! {
    /// A request without. Source: FILE-002, FILE-021, `OBWriteFileConsent3`, `OBWriteFile2`.
    struct WithoutRisk<D>: Closed {
        required data: D = "Data",
    }
}

object! {
    /// The data of a consent to pay now. Source: `OBWriteDomesticConsent4/Data`, `OBWriteInternationalConsent5/Data`.
    struct ImmediateConsentData<I>: Closed {
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to pay later, which carries a permission. Source: PIS-028,
    /// `OBWriteDomesticScheduledConsent4/Data`, `OBWriteDomesticStandingOrderConsent5/Data` and their sisters.
    struct ScheduledConsentData<I>: Closed {
        required _permission: Create = "Permission",
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to pay what is in a file. Source: FILE-002, `OBWriteFileConsent3/Data`.
    struct FileData<I>: Closed {
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of an order. Source: `OBWriteDomestic2/Data` and its sisters, PIS-054.
    struct OrderData<I>: Closed {
        required consent: Text<1, 128> = "ConsentId",
        required _initiation: I = "Initiation",
    }
}

/// A consent as it was asked for, whatever its request is made of.
struct Wanted {
    asked: Asked,
    refund: Option<YesNo>,
    authorisation: Option<Authorisation>,
    sca: Option<ScaSupportData>,
    context: Option<PaymentContext>,
}

impl<D: Into<Wanted>> From<WithRisk<D>> for Wanted {
    fn from(WithRisk { data, risk }: WithRisk<D>) -> Self {
        Self { context: risk.context, ..data.into() }
    }
}

impl<D: Into<Wanted>> From<WithoutRisk<D>> for Wanted {
    fn from(it: WithoutRisk<D>) -> Self {
        it.data.into()
    }
}

/// The data of all of them say the same, or less.
macro_rules! wanted {
    ($($data:ident: $it:ident, $refund:expr;)*) => {$(
        impl<I: Initiation> From<$data<I>> for Wanted {
            fn from($it: $data<I>) -> Self {
                let asked = $it.initiation.into();
                Self { asked, refund: $refund, authorisation: $it.authorisation, sca: $it.sca, context: None }
            }
        }
    )*};
}

wanted! {
    ImmediateConsentData: it, it.refund;
    ScheduledConsentData: it, it.refund;
    FileData: it, None;
}

/// The consent that an order names.
struct Named(Text<1, 128>);

impl<I> From<WithRisk<OrderData<I>>> for Named {
    fn from(it: WithRisk<OrderData<I>>) -> Self {
        Self(it.data.consent)
    }
}

impl<I> From<WithoutRisk<OrderData<I>>> for Named {
    fn from(it: WithoutRisk<OrderData<I>>) -> Self {
        Self(it.data.consent)
    }
}

macro_rules! products {
    ($($product:ident: $around:ident, $data:ident<$initiation:ty>;)*) => {$(
        impl ProductWire<V3_1> for $product {
            const PRODUCT: Product = Product::$product;

            fn read_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
                consent::<$around<$data<$initiation>>>(body, depth_max)
            }

            fn read_order(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
                order::<$around<OrderData<$initiation>>>(body, depth_max)
            }

            fn schemas() -> Schemas {
                type Consent = $around<$data<$initiation>>;
                describe::schemas::<Consent, $around<OrderData<$initiation>>>(Product::$product)
            }
        }
    )*};
}

products! {
    DomesticPayment: WithRisk, ImmediateConsentData<Immediate>;
    DomesticScheduledPayment: WithRisk, ScheduledConsentData<Scheduled>;
    DomesticStandingOrder: WithRisk, ScheduledConsentData<StandingOrder>;
    InternationalPayment: WithRisk, ImmediateConsentData<international::Immediate>;
    InternationalScheduledPayment: WithRisk, ScheduledConsentData<international::Scheduled>;
    InternationalStandingOrder: WithRisk, ScheduledConsentData<international::StandingOrder>;
    FilePayment: WithoutRisk, FileData<file::Initiation>;
}

fn consent<C: Read + Into<Wanted>>(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
    let wanted: Wanted = parse::body::<C>(body, depth_max)?.into();
    let Asked { instruction, debtor } = wanted.asked;
    let terms = PaymentConsentRequest {
        instruction,
        debtor,
        refund: wanted.refund.is_some_and(|wanted| wanted.0),
        authorisation: wanted.authorisation.map(Into::into).unwrap_or_default(),
        sca: wanted.sca.map(Into::into).unwrap_or_default(),
        context: wanted.context,
    };
    Ok(PaymentDraft { terms, submitted: submitted(body)? })
}

fn order<O: Read + Into<Named>>(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
    let Named(consent) = parse::body::<O>(body, depth_max)?.into();
    Ok(OrderDraft { consent: consent.0.into(), submitted: submitted(body)?, payment: None })
}

/// The request as it will be shown again and compared. Source: PIS-019.
pub(crate) fn submitted(body: &[u8]) -> Result<Submitted, Vec<Fault>> {
    let json = std::str::from_utf8(body).ok().and_then(|text| keep(text).ok());
    // It has just been read once, so this cannot fail; if it did, nothing must be kept.
    let json = json.ok_or_else(|| vec![Fault::new(FaultCode::InvalidFormat, "The body cannot be read.")])?;
    Ok(Submitted { version: Version::V3_1, json })
}
