//! The request object is signed by a registered key of this client.

use super::request::{Claims, LocalProblem, Opened, invalid};
use lombard_domain::client::Client;
use lombard_jose::{Compact, KeySet};

/// Most bytes of a request object. Source: AS-066.
const OBJECT_BYTES_MAX: usize = 12 * 1024;

/// Verifies the object: PS256 only, by a key the client registered, one JSON object without repeated names.
///
/// Which of these failed is not told (AS-064): the answer would help only somebody who is not the client.
///
/// Source: AS-010, AS-064, AS-066, AS-070, AS-081.
pub(super) fn open(client: &Client, object: &str) -> Result<Opened, LocalProblem> {
    if object.len() > OBJECT_BYTES_MAX {
        return Err(LocalProblem::new("AS-066", invalid("The request object is longer than 12288 bytes.")));
    }
    let compact = Compact::parse(object).map_err(|_| LocalProblem::unidentified("AS-064"))?;
    let keys = KeySet::parse(&client.jwks).map_err(|_| LocalProblem::unidentified("AS-070"))?;
    compact.verify(&keys).map_err(|_| LocalProblem::unidentified("AS-070"))?;
    let claims = compact.claims().map_err(|_| LocalProblem::unidentified("AS-081"))?;
    Ok(Opened { typ: compact.header().typ.clone(), claims: Claims(claims) })
}
