//! Reads the header in which Envoy forwards a client's certificate. Source: TLS-010, TLS-012; Envoy, HTTP header manipulation,
//! `x-forwarded-client-cert`.
//!
//! Each proxy on the way may append an element. Only a single element is accepted, because of several it is unknown which proxy wrote
//! which.

use super::fault::{ForwardingFault, MALFORMED_CERTIFICATE as MALFORMED, SEVERAL_CERTIFICATES as SEVERAL};
use super::pem::chain_of_pem;
use rustls::pki_types::CertificateDer;

/// The keys of an element. `Cert` holds the certificate, and `Chain` holds it with its chain; the other keys are accepted and ignored.
const KEYS: [&str; 7] = ["by", "hash", "cert", "chain", "subject", "uri", "dns"];

/// Reads the chain from a value of the header, leaf first.
///
/// # Errors
/// [`ForwardingFault`] for several elements, for none with a certificate, and for a malformed one.
pub(super) fn read_chain(text: &str) -> Result<Vec<CertificateDer<'static>>, ForwardingFault> {
    let (mut leaf, mut chain, mut hash): (Option<String>, Option<String>, Option<String>) = (None, None, None);
    for pair in pairs(text)? {
        let taken = match pair.key.as_str() {
            "cert" => &mut leaf,
            "chain" => &mut chain,
            "hash" => &mut hash,
            _ => continue,
        };
        if taken.replace(pair.value).is_some() {
            return Err(MALFORMED);
        }
    }
    let leaf = leaf.map(|pem| chain_of_pem(pem.as_bytes())).transpose()?;
    if leaf.as_ref().is_some_and(|leaf| leaf.len() != 1) {
        return Err(MALFORMED);
    }
    let chain = match (leaf, chain.map(|pem| chain_of_pem(pem.as_bytes())).transpose()?) {
        (Some(leaf), None) => leaf,
        (leaf, Some(chain)) => {
            let is_its_chain = leaf.is_none_or(|leaf| leaf.first() == chain.first());
            if is_its_chain { chain } else { return Err(MALFORMED) }
        }
        (None, None) => return Err(MALFORMED),
    };
    let is_meant = |hash: &String| {
        let thumbprint =
            chain.first().map(|leaf| lombard_jose::sha256(leaf).0.map(|byte| format!("{byte:02x}")).concat());
        thumbprint.is_some_and(|thumbprint| thumbprint.eq_ignore_ascii_case(hash))
    };
    if hash.as_ref().is_none_or(is_meant) { Ok(chain) } else { Err(MALFORMED) }
}

/// A pair of an element, with its key in lower case.
struct Pair {
    key: String,
    value: String,
}

/// The pairs of the only element.
fn pairs(text: &str) -> Result<Vec<Pair>, ForwardingFault> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_matches([' ', '\t']);
    loop {
        let (key, after) = rest.split_once('=').ok_or(MALFORMED)?;
        let key = key.to_ascii_lowercase();
        if !KEYS.contains(&key.as_str()) {
            return Err(MALFORMED);
        }
        let (value, after) = value_of(&key, after).ok_or(MALFORMED)?;
        pairs.push(Pair { key, value });
        match after.split_at_checked(1) {
            None => return Ok(pairs),
            Some((";", more)) => rest = more,
            Some((",", _)) => return Err(SEVERAL),
            Some(_) => return Err(MALFORMED),
        }
    }
}

/// The keys whose values Envoy copies unchanged from the certificate; they may contain an equals sign.
const COPIED: [&str; 3] = ["by", "uri", "dns"];

/// Splits the value of a key from the start of a text. A value with a comma or a semicolon is in double quotes, in which a backslash
/// escapes the next character; subjects also contain backslashes before commas and hexadecimal digits.
fn value_of<'t>(key: &str, text: &'t str) -> Option<(String, &'t str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ';']).unwrap_or(text.len());
        let (value, rest) = text.split_at_checked(end)?;
        let is_plain = !value.contains('"') && (COPIED.contains(&key) || !value.contains('='));
        return is_plain.then(|| (value.to_owned(), rest));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (at, '"') => return Some((value, quoted.get(at.saturating_add(1)..)?)),
            (_, '\\') => value.push(characters.next().map(|(_, it)| it)?),
            (_, other) => value.push(other),
        }
    }
}
