//! What an event says.

use lombard_database::records::json;
use lombard_domain::code::Word;
use lombard_domain::event::{AccountReason, Claims, EventType, Link};
use lombard_domain::version::Version;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// A record of [`Claims`].
#[derive(Serialize, Deserialize)]
pub(crate) struct ClaimsRecord {
    issuer: String,
    about: String,
    resource_id: String,
    resource_type: String,
    links: Vec<(Word<Version>, String)>,
    types: Vec<Word<EventType>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Word<AccountReason>>,
}

impl ClaimsRecord {
    pub(crate) fn write(claims: &Claims) -> String {
        json(&Self {
            issuer: claims.issuer.clone(),
            about: claims.about.clone(),
            resource_id: claims.resource_id.clone(),
            resource_type: claims.resource_type.clone(),
            links: claims.links.iter().map(|link| (Word(link.version), link.address.clone())).collect(),
            types: claims.types.iter().copied().map(Word).collect(),
            reason: claims.reason.map(Word),
        })
    }

    pub(crate) fn read(text: &str) -> Result<Claims, Source> {
        let it: Self = serde_json::from_str(text)?;
        Ok(Claims {
            issuer: it.issuer,
            about: it.about,
            resource_id: it.resource_id,
            resource_type: it.resource_type,
            links: it.links.into_iter().map(|(Word(version), address)| Link { version, address }).collect(),
            types: it.types.into_iter().map(|Word(kind)| kind).collect(),
            reason: it.reason.map(|Word(reason)| reason),
        })
    }
}
