//! The requests for VRP consents and for payments under them. The payment is parsed into domain types; the whole
//! request is stored as submitted (PIS-019).

use super::parts::VrpAmountReader;
use crate::parse::object;
use crate::payments::{DomesticVrp, ProductBodies, ProductWire, RequestedOrder};
use crate::v3_1::V3_1;
use crate::v3_1::payments::parts::open::{CreditorAccount, Remittance};
use crate::v3_1::payments::parts::{Address, SupplementaryData};
use crate::v3_1::payments::request::bodies;
use crate::v3_1::payments::risk::Risk;
use crate::v3_1::payments::values::{RailText, YesNo};
use lombard_domain::order::{
    CreditorDetails, Instruction, Instrument, NamedAccount, PaymentConsentRequest, PaymentProduct, References,
    RequestedAuthorisation, ScaSupport, Timing, Transfer,
};
use lombard_domain::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, VrpConsentRequest, VrpPayment, VrpType,
};

impl ProductWire<V3_1> for DomesticVrp {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticVrp;
    const BODIES: ProductBodies = bodies::<VrpConsentRequestBody, OrderRequest>();
}

object! {
    /// Source: VRP-004, `OBDomesticVRPConsentRequest`.
    struct VrpConsentRequestBody: Open {
        required data: ConsentData = "Data",
        required risk: Risk = "Risk",
    }
}

object! {
    /// Source: VRP-004, `OBDomesticVRPConsentRequest/Data`.
    struct ConsentData: Open {
        optional refund: YesNo = "ReadRefundAccount",
        required controls: ControlParameters = "ControlParameters",
        required initiation: Initiation = "Initiation",
    }
}

object! {
    /// The initiation, which every payment under the consent repeats. Source: VRP-014, `OBDomesticVRPInitiation`.
    struct Initiation: Open {
        optional debtor: CreditorAccount = "DebtorAccount",
        optional creditor: CreditorAccount = "CreditorAccount",
        optional address: Address = "CreditorPostalAddress",
        optional remittance: Remittance = "RemittanceInformation",
    }
}

object! {
    /// Source: VRP-051, `OBDomesticVRPRequest`.
    struct OrderRequest: Open {
        required data: OrderData = "Data",
        required _risk: Risk = "Risk",
    }
}

object! {
    /// Source: VRP-051, `OBDomesticVRPRequest/Data`.
    struct OrderData: Open {
        required consent: RailText<1, 128> = "ConsentId",
        required method: AuthenticationMethod = "PSUAuthenticationMethod",
        optional interaction: InteractionType = "PSUInteractionType",
        required kind: VrpType = "VRPType",
        required _initiation: Initiation = "Initiation",
        required instruction: PaymentInstruction = "Instruction",
    }
}

object! {
    /// The instruction of one payment. Source: VRP-052, VRP-053, `OBDomesticVRPInstruction`.
    struct PaymentInstruction: Open {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional remittance: Remittance = "RemittanceInformation",
        optional instrument: Instrument = "LocalInstrument",
        required amount: VrpAmountReader = "InstructedAmount",
        optional address: Address = "CreditorPostalAddress",
        required creditor: CreditorAccount = "CreditorAccount",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl From<VrpConsentRequestBody> for PaymentConsentRequest {
    fn from(VrpConsentRequestBody { data, risk }: VrpConsentRequestBody) -> Self {
        let Initiation { debtor, creditor, address, remittance } = data.initiation;
        let instruction = Instruction::Vrp(Box::new(VrpConsentRequest {
            controls: data.controls,
            creditor: creditor.map(Into::into),
            address: address.map(Into::into),
            references: remittance.map(Into::into).unwrap_or_default(),
        }));
        Self {
            instruction,
            debtor: debtor.map(|account| (*NamedAccount::from(account)).clone()),
            refund: data.refund.is_some_and(|wanted| wanted.0),
            authorisation: RequestedAuthorisation::default(),
            sca: ScaSupport::default(),
            context: risk.context,
        }
    }
}

impl From<OrderRequest> for RequestedOrder {
    fn from(OrderRequest { data, .. }: OrderRequest) -> Self {
        let OrderData { consent, method, interaction, kind, instruction, .. } = data;
        let payment = VrpPayment { transfer: instruction.into(), kind, method, interaction };
        Self { consent: consent.0.into(), payment: Some(Box::new(payment)) }
    }
}

impl From<PaymentInstruction> for Transfer {
    fn from(it: PaymentInstruction) -> Self {
        let references = References {
            instruction: Some(it.instruction.0),
            end_to_end: Some(it.end_to_end.0),
            ..it.remittance.map(Into::into).unwrap_or_default()
        };
        let credit = CreditorDetails {
            instrument: it.instrument,
            creditor: it.creditor.into(),
            address: it.address.map(Into::into),
            references,
        };
        Self::domestic(credit, it.amount.0, Timing::Immediate)
    }
}
