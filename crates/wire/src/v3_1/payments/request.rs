//! The requests for consents and orders: what all products share around their initiation.

use super::describe;
use super::initiation::{Asked, Immediate, Initiation, Scheduled, StandingOrder};
use super::parts::{Authorisation, ScaSupportData};
use super::risk::Risk;
use super::values::{Create, Text, YesNo};
use crate::document::keep;
use crate::parse::{self, Read, object};
use crate::payments::{DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, ProductWire, Schemas};
use crate::v3_1::V3_1;
use lombard_domain::consent::Submitted;
use lombard_domain::order::{OrderDraft, PaymentDraft, PaymentTerms, Product};
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::version::Version;

object! {
    /// Source: `OBWriteDomesticConsent4` and its sisters.
    struct ConsentRequest<D>: Closed {
        required data: D = "Data",
        required risk: Risk = "Risk",
    }
}

object! {
    /// The data of a consent to pay now. Source: `OBWriteDomesticConsent4/Data`.
    struct NowData<I>: Closed {
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

object! {
    /// The data of a consent to pay later, which carries a permission. Source: PIS-028,
    /// `OBWriteDomesticScheduledConsent4/Data`, `OBWriteDomesticStandingOrderConsent5/Data`.
    struct LaterData<I>: Closed {
        required _permission: Create = "Permission",
        optional refund: YesNo = "ReadRefundAccount",
        required initiation: I = "Initiation",
        optional authorisation: Authorisation = "Authorisation",
        optional sca: ScaSupportData = "SCASupportData",
    }
}

impl<I> From<LaterData<I>> for NowData<I> {
    fn from(it: LaterData<I>) -> Self {
        Self { refund: it.refund, initiation: it.initiation, authorisation: it.authorisation, sca: it.sca }
    }
}

object! {
    /// Source: `OBWriteDomestic2` and its sisters.
    struct OrderRequest<I>: Closed {
        required data: OrderData<I> = "Data",
        required _risk: Risk = "Risk",
    }
}

object! {
    /// Source: `OBWriteDomestic2/Data`, PIS-054.
    struct OrderData<I>: Closed {
        required consent: Text<1, 128> = "ConsentId",
        required _initiation: I = "Initiation",
    }
}

macro_rules! products {
    ($($product:ident: $data:ident<$initiation:ident>;)*) => {$(
        impl ProductWire<V3_1> for $product {
            const PRODUCT: Product = Product::$product;

            fn read_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
                consent::<$data<$initiation>, $initiation>(body, depth_max)
            }

            fn read_order(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
                order::<$initiation>(body, depth_max)
            }

            fn schemas() -> Schemas {
                describe::schemas::<ConsentRequest<$data<$initiation>>, OrderRequest<$initiation>>(Product::$product)
            }
        }
    )*};
}

products! {
    DomesticPayment: NowData<Immediate>;
    DomesticScheduledPayment: LaterData<Scheduled>;
    DomesticStandingOrder: LaterData<StandingOrder>;
}

fn consent<D: Read + Into<NowData<I>>, I: Initiation>(
    body: &[u8],
    depth_max: usize,
) -> Result<PaymentDraft, Vec<Fault>> {
    let ConsentRequest { data, risk } = parse::body::<ConsentRequest<D>>(body, depth_max)?;
    let data: NowData<I> = data.into();
    let Asked { transfer, debtor } = data.initiation.into();
    let terms = PaymentTerms {
        instruction: transfer.into(),
        debtor,
        refund: data.refund.is_some_and(|wanted| wanted.0),
        authorisation: data.authorisation.map(Into::into).unwrap_or_default(),
        sca: data.sca.map(Into::into).unwrap_or_default(),
        context: risk.context,
    };
    Ok(PaymentDraft { terms, submitted: submitted(body)? })
}

fn order<I: Initiation>(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
    let OrderRequest { data, .. } = parse::body::<OrderRequest<I>>(body, depth_max)?;
    Ok(OrderDraft { consent: data.consent.0.into(), submitted: submitted(body)?, payment: None })
}

/// The request as it will be shown again and compared. Source: PIS-019.
fn submitted(body: &[u8]) -> Result<Submitted, Vec<Fault>> {
    let json = std::str::from_utf8(body).ok().and_then(|text| keep(text).ok());
    // It has just been read once, so this cannot fail; if it did, nothing must be kept.
    let json = json.ok_or_else(|| vec![Fault::new(FaultCode::InvalidFormat, "The body cannot be read.")])?;
    Ok(Submitted { version: Version::V3_1, json })
}
