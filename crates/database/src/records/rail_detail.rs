//! What a payment's rail says of it.

use super::json;
use lombard_domain::code::Word;
use lombard_domain::order::{DetailReason, Instrument, RailDetail};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// What the rail says of a payment.
#[derive(Serialize, Deserialize)]
pub struct RailDetailRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Word<Instrument>>,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Word<DetailReason>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

impl RailDetailRecord {
    pub fn write(detail: &RailDetail) -> String {
        json(&Self::of(detail))
    }

    pub fn read(text: &str) -> Result<RailDetail, Source> {
        Ok(serde_json::from_str::<Self>(text)?.into_domain())
    }

    pub fn of(it: &RailDetail) -> Self {
        Self {
            instrument: it.instrument.map(Word),
            status: it.status.clone(),
            reason: it.reason.map(Word),
            description: it.description.clone(),
        }
    }

    pub fn into_domain(self) -> RailDetail {
        RailDetail {
            instrument: self.instrument.map(|word| word.0),
            status: self.status,
            reason: self.reason.map(|word| word.0),
            description: self.description,
        }
    }
}
