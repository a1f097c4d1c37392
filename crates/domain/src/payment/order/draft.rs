//! Consent and order requests before validation.

use super::{Instruction, PaymentConsentRequest};
use crate::ids::{ClientId, ConsentId};
use crate::payment::offer::PaymentLimits;
use crate::payment::transfer::Timing;
use crate::payment::vrp::{CommercialVrp, VrpCapabilities, VrpPayment};
use crate::refusal::{Fault, FaultCode, Field};
use crate::submitted::Submitted;
use jiff::Timestamp;

/// A payment consent request after parsing and before validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentDraft {
    /// The requested content.
    pub terms: PaymentConsentRequest,
    /// The facts that only the form of the request shows.
    pub form: RequestForm,
    /// The submitted request, as it is echoed: `Data`, and `Risk` if the product has it.
    pub submitted: Submitted,
}

/// Facts about the form of a consent request, beyond its content. Only validation uses them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestForm {
    /// Whether a standing order of v4.0 has a frequency in the words of v3.1. Source: V4-017.
    pub legacy_frequency: bool,
    /// The absent members that commercial VRP may require. Source: CVRP-005.
    pub absent: Vec<Field>,
}

impl PaymentDraft {
    /// The request with the quarter days of its schedule replaced by the days that the bank uses. The schedule keeps these days,
    /// so a later change of the bank's setting does not move the PSU's payments. Source: X-23.
    #[must_use]
    pub fn with_quarter_days_of(mut self, limits: &PaymentLimits) -> Self {
        if let Instruction::Transfer(transfer) = &mut self.terms.instruction
            && let Timing::StandingOrder(schedule) = &mut transfer.timing
        {
            schedule.frequency = schedule.frequency.with_scottish_days(limits.scottish_quarter_days);
        }
        self
    }

    /// Validates the request by the rules that do not need the PSU; `now` is the bank's clock.
    ///
    /// Returns every fault; an empty list means that the consent may be created.
    pub fn faults(&self, now: Timestamp, limits: &PaymentLimits) -> Vec<Fault> {
        let mut faults = self.terms.faults(now, limits);
        self.frequency_fault(limits, &mut faults);
        self.commercial_faults(&limits.vrp.commercial, &mut faults);
        faults
    }

    /// Whether the request is for a VRP consent with a commercial type. Source: CVRP-002.
    fn is_commercial(&self) -> bool {
        self.terms.instruction.vrp().is_some_and(|request| request.controls.is_commercial())
    }

    /// Whether only members of the agreement on commercial VRP may make the request, and this TPP is not a member. If commercial
    /// VRP is not offered, validation reports its types as faults. Source: CVRP-002, CVRP-008.
    pub fn needs_membership(&self, client: &ClientId, offer: &VrpCapabilities) -> bool {
        let controls = self.terms.instruction.vrp().map(|request| &request.controls);
        offer.offers_commercial() && controls.is_some_and(|controls| !offer.permits_use(client, controls))
    }

    /// The fault of a frequency in the words of v3.1. Source: V4-017, X-24.
    fn frequency_fault(&self, limits: &PaymentLimits, faults: &mut Vec<Fault>) {
        if self.form.legacy_frequency && !limits.legacy_frequency {
            faults.push(Fault::field(
                FaultCode::UnsupportedFrequency,
                Field::Frequency,
                "New standing orders need a frequency code of this version.",
            ));
        }
    }

    /// The faults of a VRP consent with a commercial type. Source: CVRP-003, CVRP-005.
    fn commercial_faults(&self, offer: &CommercialVrp, faults: &mut Vec<Fault>) {
        if !self.is_commercial() {
            return;
        }
        let context = self.terms.context;
        if context.is_some_and(|context| !offer.contexts.contains(&context)) {
            faults.push(Fault::field(
                FaultCode::FieldInvalid,
                Field::PaymentRisk,
                "Commercial payments are not made in this context.",
            ));
        }
        if offer.strict {
            let context = context.is_none().then_some(Field::PaymentRisk);
            let absent = context.into_iter().chain(self.form.absent.iter().copied());
            let message = "Commercial payments need this member.";
            faults.extend(absent.map(|field| Fault::field(FaultCode::FieldMissing, field, message)));
        }
    }
}

/// A payment order request after parsing and before the comparison with its consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDraft {
    /// The consent that it names.
    pub consent: ConsentId,
    /// The submitted request, in the same form as the consent's, for the comparison.
    pub submitted: Submitted,
    /// The payment, if the consent does not determine it. Source: VRP-051.
    pub payment: Option<Box<VrpPayment>>,
}
