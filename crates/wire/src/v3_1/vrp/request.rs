//! The requests for consents and for payments under them. What they say of the payment is the domain's; all of it is kept
//! as it came (PIS-019).

use super::parts::Money;
use crate::parse::{self, object};
use crate::payments::{DomesticVrp, ProductWire, Schemas};
use crate::v3_1::V3_1;
use crate::v3_1::payments::describe;
use crate::v3_1::payments::parts::open::{CreditorAccount, Remittance};
use crate::v3_1::payments::parts::{Address, SupplementaryData};
use crate::v3_1::payments::request::submitted;
use crate::v3_1::payments::risk::Risk;
use crate::v3_1::payments::values::{Text, YesNo};
use lombard_domain::order::{
    Credit, Instruction, Instrument, NamedAccount, OrderDraft, PaymentConsentRequest, PaymentDraft, Product,
    References, RequestedAuthorisation, ScaSupport, Timing, Transfer,
};
use lombard_domain::refusal::Fault;
use lombard_domain::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, VrpConsentRequest, VrpPayment, VrpType,
};

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
    /// What every payment under the consent repeats. Source: VRP-014, `OBDomesticVRPInitiation`.
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
        required consent: Text<1, 128> = "ConsentId",
        required method: AuthenticationMethod = "PSUAuthenticationMethod",
        optional interaction: InteractionType = "PSUInteractionType",
        required kind: VrpType = "VRPType",
        required _initiation: Initiation = "Initiation",
        required instruction: PaymentInstruction = "Instruction",
    }
}

object! {
    /// What is of one payment alone. Source: VRP-052, VRP-053, `OBDomesticVRPInstruction`.
    struct PaymentInstruction: Open {
        required instruction: Text<1, 35> = "InstructionIdentification",
        required end_to_end: Text<1, 35> = "EndToEndIdentification",
        optional remittance: Remittance = "RemittanceInformation",
        optional instrument: Instrument = "LocalInstrument",
        required amount: Money = "InstructedAmount",
        optional address: Address = "CreditorPostalAddress",
        required creditor: CreditorAccount = "CreditorAccount",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl ProductWire<V3_1> for DomesticVrp {
    const PRODUCT: Product = Product::DomesticVrp;

    fn read_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
        let VrpConsentRequestBody { data, risk } = parse::body::<VrpConsentRequestBody>(body, depth_max)?;
        let Initiation { debtor, creditor, address, remittance } = data.initiation;
        let instruction = Instruction::Recurring(Box::new(VrpConsentRequest {
            controls: data.controls,
            creditor: creditor.map(Into::into),
            address: address.map(Into::into),
            references: remittance.map(Into::into).unwrap_or_default(),
        }));
        let terms = PaymentConsentRequest {
            instruction,
            debtor: debtor.map(|account| (*NamedAccount::from(account)).clone()),
            refund: data.refund.is_some_and(|wanted| wanted.0),
            authorisation: RequestedAuthorisation::default(),
            sca: ScaSupport::default(),
            context: risk.context,
        };
        Ok(PaymentDraft { terms, submitted: submitted(body)? })
    }

    fn read_order(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
        let OrderRequest { data, .. } = parse::body::<OrderRequest>(body, depth_max)?;
        let OrderData { consent, method, interaction, kind, instruction, .. } = data;
        let payment = VrpPayment { transfer: instruction.into(), kind, method, interaction };
        Ok(OrderDraft { consent: consent.0.into(), submitted: submitted(body)?, payment: Some(Box::new(payment)) })
    }

    fn schemas() -> Schemas {
        describe::schemas::<VrpConsentRequestBody, OrderRequest>(Product::DomesticVrp)
    }
}

impl From<PaymentInstruction> for Transfer {
    fn from(it: PaymentInstruction) -> Self {
        let references = References {
            instruction: Some(it.instruction.0),
            end_to_end: Some(it.end_to_end.0),
            ..it.remittance.map(Into::into).unwrap_or_default()
        };
        let credit = Credit {
            instrument: it.instrument,
            creditor: it.creditor.into(),
            address: it.address.map(Into::into),
            references,
        };
        Self::domestic(credit, it.amount.0, Timing::Immediate)
    }
}
