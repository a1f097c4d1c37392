//! The requests for VRP consents and for payments under them. The payment is parsed into domain types; the whole
//! request is stored as submitted (PIS-019).

use super::controls::VrpControls;
use crate::parse::object;
use crate::payments::address::Address;
use crate::payments::forms::{PaymentForms, RiskForms};
use crate::payments::open_amount::OpenAmount;
use crate::payments::parties::{RegulatoryReporting, UltimateParty};
use crate::payments::parts::SupplementaryData;
use crate::payments::parts::open::CreditorAccount;
use crate::payments::risk::{NewRisk, Risk};
use crate::payments::values::{RailText, YesNo};
use crate::payments::{DomesticVrp, ProductBodies, ProductWire, RequestedConsent, RequestedOrder, bodies};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{
    Instruction, PaymentConsentRequest, RequestForm, RequestedAuthorisation, ScaSupport,
};
use lombard_domain::payment::transfer::{CreditorDetails, Instrument, References, Timing, Transfer, TransferDetails};
use lombard_domain::payment::vrp::{AuthenticationMethod, InteractionType, VrpConsentRequest, VrpPayment};
use lombard_domain::refusal::Field;

impl<V: PaymentForms> ProductWire<V> for DomesticVrp {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticVrp;
    const BODIES: ProductBodies = bodies::<V, VrpConsentRequestBody<V, NewRisk<V>>, OrderRequest<V>>();
}

object! {
    /// The payment context is that of a new consent, or any that an older consent may have. Source: VRP-004, V4-028,
    /// `OBDomesticVRPConsentRequest`.
    struct VrpConsentRequestBody<V: PaymentForms, R: RiskForms>: Open {
        required data: ConsentData<V> = "Data",
        required risk: Risk<V, R> = "Risk",
    }
}

object! {
    /// Source: VRP-004, `OBDomesticVRPConsentRequest/Data`.
    struct ConsentData<V: PaymentForms>: Open {
        optional refund: YesNo = "ReadRefundAccount",
        required controls: VrpControls<V> = "ControlParameters",
        required initiation: Initiation<V> = "Initiation",
    }
}

object! {
    /// The initiation, which every payment under the consent repeats. Source: VRP-014, `OBDomesticVRPInitiation`.
    struct Initiation<V: PaymentForms>: Open {
        optional debtor: V::VrpDebtor = "DebtorAccount",
        optional creditor: CreditorAccount<V> = "CreditorAccount",
        optional address: Address<V> = "CreditorPostalAddress",
        optional remittance: V::VrpRemittance = "RemittanceInformation",
        optional ultimate_creditor: V::Only4<UltimateParty<V>> = "UltimateCreditor",
        optional ultimate_debtor: V::Only4<UltimateParty<V>> = "UltimateDebtor",
        optional regulatory: V::Only4<RegulatoryReporting> = "RegulatoryReporting",
    }
}

object! {
    /// The payment context may be any that the consent may have, including those that new consents must not have. Source:
    /// VRP-051, PIS-144, V4-028, `OBDomesticVRPRequest`.
    struct OrderRequest<V: PaymentForms>: Open {
        required data: OrderData<V> = "Data",
        required risk: Risk<V, V::KeptRisk> = "Risk",
    }
}

object! {
    /// Source: VRP-051, `OBDomesticVRPRequest/Data`.
    struct OrderData<V: PaymentForms>: Open {
        required consent: RailText<1, 128> = "ConsentId",
        required method: AuthenticationMethod = "PSUAuthenticationMethod",
        optional interaction: InteractionType = "PSUInteractionType",
        required kind: V::VrpKind = "VRPType",
        required initiation: Initiation<V> = "Initiation",
        required instruction: PaymentInstruction<V> = "Instruction",
    }
}

object! {
    /// The instruction of one payment. Source: VRP-052, VRP-053, `OBDomesticVRPInstruction`.
    struct PaymentInstruction<V: PaymentForms>: Open {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional remittance: V::VrpRemittance = "RemittanceInformation",
        optional instrument: Instrument = "LocalInstrument",
        required amount: OpenAmount = "InstructedAmount",
        optional address: Address<V> = "CreditorPostalAddress",
        required creditor: CreditorAccount<V> = "CreditorAccount",
        optional ultimate_creditor: V::Only4<UltimateParty<V>> = "UltimateCreditor",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl<V: PaymentForms, R: RiskForms> From<VrpConsentRequestBody<V, R>> for RequestedConsent {
    fn from(VrpConsentRequestBody { data, risk }: VrpConsentRequestBody<V, R>) -> Self {
        let Initiation { debtor, creditor, address, remittance, .. } = data.initiation;
        let interactions = (!data.controls.names_interactions).then_some(Field::InteractionTypes);
        let absent = interactions.into_iter().chain(risk.absent().map(Field::Risk)).collect();
        let instruction = Instruction::Vrp(Box::new(VrpConsentRequest {
            controls: data.controls.controls,
            creditor: creditor.map(Into::into),
            address: address.map(Into::into),
            references: remittance.map(Into::into).unwrap_or_default(),
        }));
        let terms = PaymentConsentRequest {
            instruction,
            debtor: debtor.map(Into::into),
            refund: data.refund.is_some_and(|wanted| wanted.0),
            authorisation: RequestedAuthorisation::default(),
            sca: ScaSupport::default(),
            context: risk.context.map(Into::into),
        };
        Self { terms, form: RequestForm { absent, ..RequestForm::default() } }
    }
}

impl<V: PaymentForms> From<OrderRequest<V>> for RequestedOrder {
    fn from(OrderRequest { data, mut risk }: OrderRequest<V>) -> Self {
        let OrderData { consent, method, interaction, kind, initiation, mut instruction } = data;
        let names_interaction = interaction.is_some();
        let interaction = interaction.or(V::DEFAULT_INTERACTION);
        let own = instruction.ultimate_creditor.take();
        // The parties and reports of the consent apply, because each payment repeats them, unless it has its own.
        let creditor = own.or(initiation.ultimate_creditor);
        let reports = initiation.regulatory.and_then(Into::into).map(|reports: RegulatoryReporting| reports.0);
        let details = TransferDetails {
            ultimate_creditor: creditor.and_then(Into::into).map(Into::into),
            ultimate_debtor: initiation.ultimate_debtor.and_then(Into::into).map(Into::into),
            regulatory_reporting: reports.into_iter().flatten().map(Into::into).collect(),
            ..TransferDetails::default()
        };
        let transfer = risk.with_purposes(Transfer::from(instruction).with_details(details));
        let payment = VrpPayment { transfer, kind: kind.into(), method, interaction, names_interaction };
        Self { consent: consent.0.into(), payment: Some(Box::new(payment)) }
    }
}

impl<V: PaymentForms> From<PaymentInstruction<V>> for Transfer {
    fn from(it: PaymentInstruction<V>) -> Self {
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
