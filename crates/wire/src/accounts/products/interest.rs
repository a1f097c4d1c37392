//! Interest on credit, overdrafts and loans.

use super::charges::{ChargePlacement, present_charges};
use super::dialect::{Dialect, DialectWord};
use super::object::{InDialect, ObjectWriter};
use lombard_domain::account::product::{
    CodeOrOther, CreditTier, CreditTierSet, InterestDestination, LoanInterest, LoanTier, LoanTierSet, Overdraft,
    OverdraftTier, OverdraftTierSet, Tiering,
};
use serde::ser::{Serialize, Serializer};

/// Source: `CreditInterest`.
#[derive(Debug)]
pub(super) struct CreditInterest<'a, M, D>(Dialect, &'a [CreditTierSet<M, D>]);

/// The interest; `None` if there is none.
pub(super) fn present_credit<M, D>(dialect: Dialect, sets: &[CreditTierSet<M, D>]) -> Option<CreditInterest<'_, M, D>> {
    sets.iter().any(|set| !set.tiers.is_empty()).then_some(CreditInterest(dialect, sets))
}

impl<M: DialectWord, D: Clone + Into<CodeOrOther<InterestDestination>>> Serialize for CreditInterest<'_, M, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, sets) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        let sets = sets.iter().filter(|set| !set.tiers.is_empty());
        object.list("TierBandSet", sets.map(|set| InDialect(dialect, set)))?;
        object.end()
    }
}

/// Source: `CreditInterest/TierBandSet`.
impl<M: DialectWord, D: Clone + Into<CodeOrOther<InterestDestination>>> Serialize
    for InDialect<'_, CreditTierSet<M, D>>
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, set) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.word("TierBandMethod", Some(set.method))?;
        object.maybe_choice("CalculationMethod", "OtherCalculationMethod", set.calculation.as_ref())?;
        object.choice("Destination", "OtherDestination", &set.destination.clone().into())?;
        object.list("Notes", &set.notes)?;
        object.list("TierBand", set.tiers.iter().map(|tier| InDialect(dialect, tier)))?;
        object.end()
    }
}

/// Source: `CreditInterest/TierBandSet/TierBand`.
impl<M: DialectWord> Serialize for InDialect<'_, CreditTier<M>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, tier) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("Identification", tier.id.as_deref())?;
        object.put("TierValueMinimum", &tier.from)?;
        object.maybe("TierValueMaximum", tier.to)?;
        object.maybe_choice("CalculationFrequency", "OtherCalculationFrequency", tier.calculated.as_ref())?;
        object.choice("ApplicationFrequency", "OtherApplicationFrequency", &tier.applied)?;
        object.word("DepositInterestAppliedCoverage", tier.coverage)?;
        object.word("FixedVariableInterestRateType", Some(tier.variation))?;
        object.put("AER", &tier.aer)?;
        object.maybe_choice("BankInterestRateType", "OtherBankInterestType", tier.rate_type.as_ref())?;
        object.maybe("BankInterestRate", tier.rate)?;
        object.list("Notes", &tier.notes)?;
        object.end()
    }
}

/// The overdraft; `None` without a tier.
pub(super) fn said_overdraft(dialect: Dialect, overdraft: Option<&Overdraft>) -> Option<InDialect<'_, Overdraft>> {
    let overdraft = overdraft.filter(|overdraft| overdraft.sets.iter().any(|set| !set.tiers.is_empty()))?;
    Some(InDialect(dialect, overdraft))
}

/// Source: `Overdraft`.
impl Serialize for InDialect<'_, Overdraft> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, overdraft) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.list("Notes", &overdraft.notes)?;
        let sets = overdraft.sets.iter().filter(|set| !set.tiers.is_empty());
        object.list("OverdraftTierBandSet", sets.map(|set| InDialect(dialect, set)))?;
        object.end()
    }
}

/// Source: `Overdraft/OverdraftTierBandSet`.
impl Serialize for InDialect<'_, OverdraftTierSet> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, set) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.word("TierBandMethod", Some(set.method))?;
        object.word("OverdraftType", set.kind)?;
        object.maybe("Identification", set.id.as_deref())?;
        object.maybe("AuthorisedIndicator", set.authorised)?;
        object.maybe("BufferAmount", set.buffer)?;
        object.list("Notes", &set.notes)?;
        object.list("OverdraftTierBand", set.tiers.iter().map(|tier| InDialect(dialect, tier)))?;
        let charges =
            set.charges.iter().filter_map(|charges| present_charges(dialect, ChargePlacement::Overdraft, charges));
        object.list("OverdraftFeesCharges", charges)?;
        object.end()
    }
}

/// Source: `OverdraftTierBandSet/OverdraftTierBand`.
impl Serialize for InDialect<'_, OverdraftTier> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, tier) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("Identification", tier.id.as_deref())?;
        object.put("TierValueMin", &tier.from)?;
        object.maybe("TierValueMax", tier.to)?;
        object.maybe("EAR", tier.ear)?;
        object.maybe("RepresentativeAPR", tier.apr.filter(|_| dialect != Dialect::Other))?;
        if let Some(agreement) = tier.agreement.filter(|_| dialect != Dialect::Personal) {
            object.maybe("AgreementLengthMin", agreement.min)?;
            object.maybe("AgreementLengthMax", agreement.max)?;
            object.word("AgreementPeriod", Some(agreement.period))?;
        }
        let says_banded = dialect != Dialect::Personal;
        let coverage = tier.coverage.filter(|coverage| says_banded || *coverage != Tiering::Banded);
        object.word("OverdraftInterestChargingCoverage", coverage)?;
        object.maybe("BankGuaranteedIndicator", tier.guaranteed)?;
        object.list("Notes", &tier.notes)?;
        let charges =
            tier.charges.iter().filter_map(|charges| present_charges(dialect, ChargePlacement::Overdraft, charges));
        object.list("OverdraftFeesCharges", charges)?;
        object.end()
    }
}

/// The loan; `None` without a tier.
pub(super) fn present_loan(loan: Option<&LoanInterest>) -> Option<InDialect<'_, LoanInterest>> {
    let loan = loan.filter(|loan| loan.sets.iter().any(|set| !set.tiers.is_empty()))?;
    Some(InDialect(Dialect::Other, loan))
}

/// Source: `OtherProductType/LoanInterest`.
impl Serialize for InDialect<'_, LoanInterest> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, loan) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.list("Notes", &loan.notes)?;
        let sets = loan.sets.iter().filter(|set| !set.tiers.is_empty());
        object.list("LoanInterestTierBandSet", sets.map(|set| InDialect(dialect, set)))?;
        object.end()
    }
}

/// Source: `LoanInterest/LoanInterestTierBandSet`.
impl Serialize for InDialect<'_, LoanTierSet> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, set) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.word("TierBandMethod", Some(set.method))?;
        object.maybe("Identification", set.id.as_deref())?;
        object.choice("CalculationMethod", "OtherCalculationMethod", &set.calculation)?;
        object.list("Notes", &set.notes)?;
        object.list("LoanInterestTierBand", set.tiers.iter().map(|tier| InDialect(dialect, tier)))?;
        let charges = set.charges.iter().filter_map(|charges| present_charges(dialect, ChargePlacement::Loan, charges));
        object.list("LoanInterestFeesCharges", charges)?;
        object.end()
    }
}

/// Source: `LoanInterestTierBandSet/LoanInterestTierBand`.
impl Serialize for InDialect<'_, LoanTier> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, tier) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("Identification", tier.id.as_deref())?;
        object.put("TierValueMinimum", &tier.from)?;
        object.maybe("TierValueMaximum", tier.to)?;
        object.put("TierValueMinTerm", &tier.term_min.count)?;
        object.word("MinTermPeriod", Some(tier.term_min.period))?;
        object.maybe("TierValueMaxTerm", tier.term_max.map(|term| term.count))?;
        object.word("MaxTermPeriod", tier.term_max.map(|term| term.period))?;
        object.word("FixedVariableInterestRateType", Some(tier.variation))?;
        object.put("RepAPR", &tier.apr)?;
        let rate_type = tier.rate_type.as_ref();
        object.maybe_choice("LoanProviderInterestRateType", "OtherLoanProviderInterestRateType", rate_type)?;
        object.maybe("LoanProviderInterestRate", tier.rate)?;
        object.list("Notes", &tier.notes)?;
        let charges =
            tier.charges.iter().filter_map(|charges| present_charges(dialect, ChargePlacement::Loan, charges));
        object.list("LoanInterestFeesCharges", charges)?;
        object.end()
    }
}
