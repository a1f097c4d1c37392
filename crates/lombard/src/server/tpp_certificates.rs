//! The certificates that TPPs publish with their keys, for operators.

use super::operation_errors::failed;
use crate::config::certificate_end;
use lombard_domain::client::{Client, Jwks};
use lombard_jose::from_base64;
use lombard_ops::{OperationError, TppCertificateView};
use lombard_ports::store::Store;
use serde_json::Value;

/// The most certificates of a TPP that are shown.
const SHOWN_MAX: usize = 20;

/// Reads the certificates in the key set of a client: the stored one, or the one that was fetched last. Keys without a readable certificate
/// are left out.
///
/// # Errors
/// [`OperationError::Failed`].
pub(super) async fn read_certificates(
    store: &Store,
    client: &Client,
) -> Result<Vec<TppCertificateView>, OperationError> {
    let address = match &client.jwks {
        Jwks::Local(document) => return Ok(certificates_in(document)),
        Jwks::Remote(address) => address.clone(),
    };
    let fetched = store.read(move |tx| tx.key_set(&address)).await.map_err(failed)?;
    Ok(fetched.map(|fetched| certificates_in(&fetched.document)).unwrap_or_default())
}

/// The certificates of a JWK set, those that end first before others.
fn certificates_in(document: &str) -> Vec<TppCertificateView> {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let keys = document.get("keys").and_then(Value::as_array);
    let mut found: Vec<_> = keys
        .into_iter()
        .flatten()
        .filter_map(|key| {
            let leaf = from_base64(key.pointer("/x5c/0")?.as_str()?)?;
            let text = |member| key.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
            Some((certificate_end(&leaf)?, text("kid"), text("use")))
        })
        .collect();
    found.sort();
    found.truncate(SHOWN_MAX);
    let view =
        |(end, kid, purpose): (jiff::Timestamp, _, _)| TppCertificateView { kid, purpose, not_after: end.to_string() };
    found.into_iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_jose::base64;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    #[test]
    fn the_certificates_of_a_key_set_are_listed_by_their_ends() {
        let certificate = |year| {
            let key = KeyPair::generate().unwrap();
            let mut params = CertificateParams::default();
            params.not_after = date_time_ymd(year, 1, 2);
            base64(params.self_signed(&key).unwrap().der())
        };
        let keys = [("late", 2031), ("soon", 2027)]
            .map(|(kid, year)| serde_json::json!({"kid": kid, "use": "sig", "x5c": [certificate(year)]}));
        let document = serde_json::json!({"keys": [keys[0], {"kid": "bare"}, keys[1], {"x5c": ["AAAA"]}]}).to_string();
        let shown: Vec<_> = certificates_in(&document).into_iter().map(|it| (it.kid, it.not_after)).collect();
        let expected = [("soon", "2027-01-02T00:00:00Z"), ("late", "2031-01-02T00:00:00Z")];
        assert_eq!(shown, expected.map(|(kid, end)| (kid.to_owned(), end.to_owned())));
        for broken in ["", "[]", "{\"keys\":7}"] {
            assert_eq!(certificates_in(broken), []);
        }
    }
}
