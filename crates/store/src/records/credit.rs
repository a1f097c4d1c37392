//! To whom a payment goes, and what goes with it.

use lombard_database::records::AddressRecord;
use lombard_database::records::IdentificationRecord;
use lombard_domain::code::Word;
use lombard_domain::order::{Credit, Instrument, References};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct CreditRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Word<Instrument>>,
    creditor: IdentificationRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressRecord>,
    /// Its members stand among those of the record itself.
    #[serde(flatten)]
    references: ReferencesRecord,
}

impl CreditRecord {
    pub(super) fn of(it: &Credit) -> Self {
        Self {
            instrument: it.instrument.map(Word),
            creditor: IdentificationRecord::of(&it.creditor),
            address: it.address.as_ref().map(AddressRecord::of),
            references: ReferencesRecord::of(&it.references),
        }
    }

    pub(super) fn into_domain(self) -> Result<Credit, Source> {
        Ok(Credit {
            instrument: self.instrument.map(|word| word.0),
            creditor: self.creditor.into_named()?,
            address: self.address.map(AddressRecord::into_domain),
            references: self.references.into_domain(),
        })
    }
}

/// What identifies a payment.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReferencesRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instruction: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_to_end: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl ReferencesRecord {
    pub(super) fn of(it: &References) -> Self {
        let References { instruction, end_to_end, reference, message } = it.clone();
        Self { instruction, end_to_end, reference, message }
    }

    pub(super) fn into_domain(self) -> References {
        let Self { instruction, end_to_end, reference, message } = self;
        References { instruction, end_to_end, reference, message }
    }

    /// Whether it says nothing and need not be written.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
