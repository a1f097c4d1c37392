//! Signs the claims of events as security event tokens, with the server's current key. Source: SET-001 to SET-005.

use crate::keys::{Keyring, KeysError};
use async_trait::async_trait;
use lombard_domain::event::Event;
use lombard_domain::ids::KeyId;
use lombard_domain::version::Version;
use lombard_jose::{JoseHeader, PoolError, SigningPool};
use lombard_ports::clock::Clocks;
use lombard_ports::sets::{SetError, SetSigner};
use lombard_ports::store::{ReusableSignatures, StoredSignature};
use std::sync::Arc;

/// The critical header member that holds the time of signing. Source: SET-002.
const ISSUED_AT: &str = "http://openbanking.org.uk/iat";
const ISSUER: &str = "http://openbanking.org.uk/iss";
const TRUST_ANCHOR: &str = "http://openbanking.org.uk/tan";

/// The `typ` of tokens that are polled through v4.0. Source: SET-003.
const TYP_OF_V4_0: &str = "secevent+jwt";

/// The configurable members of a token's header.
#[derive(Debug, Clone)]
pub struct SetHeader {
    /// The `typ` of every token; `None` for the default of each version. Source: SET-003.
    pub typ: Option<String>,
    /// The signer and its trust anchor; `None` leaves these members out, for readers that refuse them. Source: SET-004.
    pub signer: Option<SetParty>,
}

/// The party that signs security event tokens.
#[derive(Debug, Clone)]
pub struct SetParty {
    /// The bank's organisation id.
    pub organisation: String,
    /// The domain of the trust anchor that publishes the bank's keys.
    pub trust_anchor: String,
}

/// Makes security event tokens.
#[derive(Debug, Clone)]
pub struct KeyringSetSigner {
    keys: Keyring,
    signing: SigningPool,
    clocks: Clocks,
    header: SetHeader,
}

impl KeyringSetSigner {
    /// A signer that uses these keys and this pool.
    pub const fn new(keys: Keyring, signing: SigningPool, clocks: Clocks, header: SetHeader) -> Self {
        Self { keys, signing, clocks, header }
    }

    /// The `typ` of tokens that are polled through this version. Source: SET-003.
    fn typ(&self, version: Version) -> Option<&str> {
        self.header.typ.as_deref().or(match version {
            Version::V3_1 => None,
            Version::V4_0 => Some(TYP_OF_V4_0),
        })
    }

    fn header(&self, kid: &KeyId, version: Version) -> JoseHeader {
        let mut header = JoseHeader::ps256(kid);
        if let Some(typ) = self.typ(version) {
            header = header.typ(typ);
        }
        if let Some(signer) = &self.header.signer {
            header = header
                .critical(ISSUED_AT, self.clocks.wall_now().as_second())
                .critical(ISSUER, signer.organisation.as_str())
                .critical(TRUST_ANCHOR, signer.trust_anchor.as_str());
        }
        header
    }
}

#[async_trait]
impl SetSigner for KeyringSetSigner {
    fn reusable_signatures(&self, version: Version) -> ReusableSignatures {
        let keys = self.keys.verification_keys().iter().filter_map(|key| key.id().cloned()).collect();
        ReusableSignatures { keys, typ: self.typ(version).map(Arc::from) }
    }

    async fn sign_event(&self, event: &Event, version: Version) -> Result<StoredSignature, SetError> {
        let key = self.keys.active_key().map_err(|error: KeysError| SetError::Broken(error.into()))?;
        let kid = key.key.id().clone();
        let payload = lombard_wire::events::write_set_claims(event);
        let key = Arc::clone(&key.key);
        let signed = self.signing.sign_compact(event.client.as_str(), key, self.header(&kid, version), payload).await;
        match signed {
            Ok(token) => Ok(StoredSignature { key: kid, typ: self.typ(version).map(Arc::from), token: token.into() }),
            Err(PoolError::Busy | PoolError::Unavailable) => Err(SetError::Busy),
            Err(error @ (PoolError::Stopped | PoolError::Key(_))) => Err(SetError::Broken(error.into())),
        }
    }
}
