//! What a consent to variable recurring payments is about.

use super::credit::ReferencesRecord;
use lombard_database::records::AddressRecord;
use lombard_database::records::{AmountRecord, IdentificationRecord, read_amount, write_amount};
use lombard_domain::code::{Code, Word};
use lombard_domain::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, PeriodCycle, PeriodicLimit, PeriodicLimits,
    VrpConsentRequest, VrpType,
};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Serialize, Deserialize)]
pub(crate) struct VrpConsentRecord {
    controls: ControlsRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    creditor: Option<IdentificationRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressRecord>,
    #[serde(default, skip_serializing_if = "ReferencesRecord::is_empty")]
    references: ReferencesRecord,
}

impl VrpConsentRecord {
    pub(super) fn of(it: &VrpConsentRequest) -> Self {
        Self {
            controls: ControlsRecord::of(&it.controls),
            creditor: it.creditor.as_deref().map(IdentificationRecord::of),
            address: it.address.as_ref().map(AddressRecord::of),
            references: ReferencesRecord::of(&it.references),
        }
    }

    pub(super) fn into_domain(self) -> Result<VrpConsentRequest, Source> {
        Ok(VrpConsentRequest {
            controls: self.controls.into_domain()?,
            creditor: self.creditor.map(IdentificationRecord::into_named).transpose()?,
            address: self.address.map(AddressRecord::into_domain),
            references: self.references.into_domain(),
        })
    }
}

/// The limits; days are ISO dates.
#[derive(Serialize, Deserialize)]
struct ControlsRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_to: Option<String>,
    individual: AmountRecord,
    limits: Vec<LimitRecord>,
    types: Vec<Word<VrpType>>,
    methods: Vec<Word<AuthenticationMethod>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    interactions: Vec<Word<InteractionType>>,
}

/// One limit on a period.
#[derive(Serialize, Deserialize)]
struct LimitRecord {
    cycle: Word<PeriodCycle>,
    amount: AmountRecord,
}

impl ControlsRecord {
    fn of(it: &ControlParameters) -> Self {
        let limit = |it: &PeriodicLimit| LimitRecord { cycle: Word(it.cycle), amount: write_amount(it.amount) };
        Self {
            valid_from: it.valid_from.map(|day| day.to_string()),
            valid_to: it.valid_to.map(|day| day.to_string()),
            individual: write_amount(it.individual),
            limits: it.limits.iter().map(limit).collect(),
            types: words(&it.types),
            methods: words(&it.methods),
            interactions: words(&it.interactions),
        }
    }

    fn into_domain(self) -> Result<ControlParameters, Source> {
        let limit = |it: LimitRecord| PeriodicLimit { cycle: it.cycle.0, amount: read_amount(it.amount) };
        let limits = PeriodicLimits::new(self.limits.into_iter().map(limit).collect());
        Ok(ControlParameters {
            valid_from: self.valid_from.map(|day| day.parse()).transpose()?,
            valid_to: self.valid_to.map(|day| day.parse()).transpose()?,
            individual: read_amount(self.individual),
            limits: limits.ok_or("a consent to recurring payments has no limit")?,
            types: set(self.types),
            methods: set(self.methods),
            interactions: set(self.interactions),
        })
    }
}

fn words<T: Code + Copy>(set: &BTreeSet<T>) -> Vec<Word<T>> {
    set.iter().copied().map(Word).collect()
}

fn set<T: Ord>(words: Vec<Word<T>>) -> BTreeSet<T> {
    words.into_iter().map(|word| word.0).collect()
}
