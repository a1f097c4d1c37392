//! The texts of a payment on its rail. Source: PIS-132 to PIS-134.
//!
//! Texts are truncated for the rail alone; the TPP gets back what it sent. The bank may instead reject such payments of
//! an instrument ([`PaymentLimits::truncating_instruments`](crate::payment::offer::PaymentLimits::truncating_instruments)).

use super::{CreditorDetails, Instrument};
use crate::refusal::{Fault, FaultCode, Field};

/// The field lengths of a rail in characters; `None` for a field that the rail does not carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLengths {
    /// The length of the payee's name.
    pub name: Option<u16>,
    /// The length of the end-to-end identification.
    pub end_to_end: Option<u16>,
    /// The length of the remittance reference.
    pub reference: Option<u16>,
    /// The length of the message to the payee.
    pub message: Option<u16>,
}

/// The texts as a rail carries them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RailTexts {
    /// The payee's name.
    pub name: Option<String>,
    /// The end-to-end identification.
    pub end_to_end: Option<String>,
    /// The remittance reference; replaced by the payee's roll number if the rail has one field for both. Source:
    /// PIS-134.
    pub reference: Option<String>,
    /// The message to the payee.
    pub message: Option<String>,
}

impl Instrument {
    /// The field lengths. For instruments whose message format has no lengths of its own they are those of the
    /// standard. Source: PIS-132.
    pub const fn field_lengths(self) -> FieldLengths {
        match self {
            Self::FasterPayments | Self::Paym | Self::Link => {
                FieldLengths { name: Some(40), end_to_end: Some(31), reference: Some(18), message: Some(140) }
            }
            Self::Bacs => FieldLengths { name: Some(18), end_to_end: None, reference: Some(18), message: None },
            Self::Chaps | Self::Swift => {
                FieldLengths { name: Some(35), end_to_end: Some(35), reference: Some(16), message: Some(140) }
            }
            Self::BalanceTransfer
            | Self::MoneyTransfer
            | Self::Euro1
            | Self::SepaCreditTransfer
            | Self::SepaInstantCreditTransfer
            | Self::Target2 => {
                FieldLengths { name: Some(350), end_to_end: Some(35), reference: Some(35), message: Some(140) }
            }
        }
    }

    /// Whether the roll number is sent in the reference field. Source: PIS-134.
    const fn has_one_reference_field(self) -> bool {
        matches!(self, Self::FasterPayments | Self::Bacs)
    }
}

impl CreditorDetails {
    /// The texts as sent on the rail. Source: PIS-133, PIS-134.
    pub fn rail_texts(&self, rail: Instrument) -> RailTexts {
        let room = rail.field_lengths();
        let references = &self.references;
        RailTexts {
            name: cut(Some(self.creditor.holder_name()), room.name),
            end_to_end: cut(references.end_to_end.as_deref(), room.end_to_end),
            reference: cut(self.reference_on(rail), room.reference),
            message: cut(references.message.as_deref(), room.message),
        }
    }

    fn reference_on(&self, rail: Instrument) -> Option<&str> {
        let roll_number = self.creditor.secondary.as_deref().filter(|_| rail.has_one_reference_field());
        roll_number.or(self.references.reference.as_deref())
    }

    /// The faults of texts that exceed the rail's field lengths, for rails without truncation. `reference_at` is the
    /// field of the product's reference. Source: PIS-133.
    pub(in crate::payment) fn length_faults(&self, rail: Instrument, reference_at: Field, faults: &mut Vec<Fault>) {
        let room = rail.field_lengths();
        let references = &self.references;
        let texts = [
            (Some(self.creditor.holder_name()), room.name, Field::CreditorName),
            (references.end_to_end.as_deref(), room.end_to_end, Field::EndToEnd),
            (references.reference.as_deref(), room.reference, reference_at),
            (references.message.as_deref(), room.message, Field::RemittanceMessage),
        ];
        for (text, room, at) in texts {
            if let (Some(text), Some(room)) = (text, room)
                && text.chars().count() > usize::from(room)
            {
                faults.push(Fault::field(FaultCode::FieldInvalid, at, "The instrument has no room for all of this."));
            }
        }
    }
}

fn cut(text: Option<&str>, room: Option<u16>) -> Option<String> {
    let kept: String = text?.chars().take(usize::from(room?)).collect();
    Some(kept)
}
