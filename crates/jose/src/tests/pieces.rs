//! Bodies in pieces have the same results and signatures as complete ones.

use super::{key, other_key, set};
use crate::{
    CheckedSignature, DetachedDigest, DetachedJws, DetachedSigner, JoseHeader, KeyError, KeySet, MessageRules,
    MessageSignature, SignedPayload, SigningKey, message_header, sign_detached,
};
use lombard_domain::refusal::{Fault, FaultCode as C, FaultLocation};

const NOW: i64 = 1_800_000_000;
const XML: &str = "text/xml";
const RULES: MessageRules<'static> = MessageRules {
    issuer: "0015800001041RHAAY/4ODcxYzZlN2Q",
    trust_anchor: "openbanking.org.uk",
    payload: SignedPayload::Other(XML),
    now: NOW,
    age_secs_max: None,
};

/// A body that is longer than the buffer and not a whole number of base64 groups.
fn file() -> Vec<u8> {
    (0..=255_u8).cycle().take(10_001).collect()
}

fn header(key: &SigningKey) -> JoseHeader {
    message_header(key.id(), RULES.issuer, RULES.trust_anchor, RULES.payload, NOW)
}

fn checked(signature: &str) -> CheckedSignature {
    MessageSignature::parse_header(Some(signature.as_bytes())).and_then(|it| it.check_claims(&RULES)).unwrap()
}

/// The result of verifying these pieces with this signature.
fn verdict<'a>(signature: &str, pieces: impl IntoIterator<Item = &'a [u8]>, keys: &KeySet) -> Result<(), Vec<Fault>> {
    let mut arriving = checked(signature).begin_body();
    pieces.into_iter().for_each(|piece| arriving.update(piece));
    arriving.verify(keys)
}

fn digested<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, header: &JoseHeader) -> DetachedDigest {
    let mut input = DetachedSigner::new(header).unwrap();
    pieces.into_iter().for_each(|piece| input.update(piece));
    input.finish()
}

#[test]
fn pis_074_a_body_in_pieces_has_the_result_of_the_whole_body() {
    let file = file();
    let keys = set(&key());
    let signature = sign_detached(&key(), &header(&key()), &file).unwrap();
    assert_eq!(checked(&signature).verify(&file, &keys), Ok(()));
    for size in [1, 7, 3_072, 4_096, file.len()] {
        assert_eq!(verdict(&signature, file.chunks(size), &keys), Ok(()), "{size}");
    }
    assert_eq!(checked(&signature).begin_body().kid(), key().id().as_str());
}

#[test]
fn rw_217_rw_222_another_byte_anywhere_or_one_less_is_another_body() {
    let file = file();
    let keys = set(&key());
    let signature = sign_detached(&key(), &header(&key()), &file).unwrap();
    let invalid = Err(vec![(C::SignatureInvalid, Some(FaultLocation::Header("x-jws-signature")))]);
    let judged = |body: &[u8]| {
        let verdict = verdict(&signature, body.chunks(1_000), &keys);
        verdict.map_err(|faults| faults.into_iter().map(|fault| (fault.code, fault.at)).collect::<Vec<_>>())
    };
    for at in [0, 5_000, file.len() - 1] {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert_eq!(judged(&changed), invalid, "byte {at}");
    }
    assert_eq!(judged(&file[..file.len() - 1]), invalid);
    assert_eq!(judged(&[&file[..], b"\n"].concat()), invalid);
    assert_eq!(judged(b""), invalid);
    assert_eq!(judged(&file), Ok(()));
}

#[test]
fn rw_217_another_key_with_that_kid_or_none_verifies_no_chunked_body() {
    let file = file();
    let named = SigningKey::from_pkcs8_der(&other_key().pkcs8_der().unwrap()).unwrap().with_id(key().id().clone());
    let signature = sign_detached(&named, &header(&key()), &file).unwrap();
    let code = |keys: &KeySet| verdict(&signature, file.chunks(100), keys).unwrap_err()[0].code;
    assert_eq!(code(&set(&key())), C::SignatureInvalid);
    assert_eq!(code(&set(&other_key())), C::SignatureInvalidClaim, "nobody has that kid");
    assert_eq!(verdict(&signature, file.chunks(100), &set(&named)), Ok(()));
}

/// The signing input of versions before 3.1.4 is not supported, even if the header requests it. Source: RW-204, RW-205, PIS-072.
#[test]
fn rw_205_the_bytes_are_always_taken_in_base64url() {
    let file = file();
    let own = header(&key());
    let bare = {
        let input = [own.to_json().as_bytes(), b".", &file].concat();
        let part = crate::base64url(own.to_json().as_bytes());
        format!("{part}..{}", crate::base64url(&key().sign_ps256(&input).unwrap()))
    };
    assert_eq!(verdict(&bare, file.chunks(100), &set(&key())).unwrap_err()[0].code, C::SignatureInvalid);
    for b64 in [true, false] {
        let signature = sign_detached(&key(), &header(&key()).critical("b64", b64), &file).unwrap();
        let faults = MessageSignature::parse_header(Some(signature.as_bytes()))
            .and_then(|it| it.check_claims(&RULES))
            .unwrap_err();
        assert_eq!(faults[0].at, Some(FaultLocation::Path("b64".into())));
    }
}

#[test]
fn rw_223_what_is_signed_in_pieces_verifies_as_a_whole() {
    let file = file();
    let header = header(&key());
    let digest = digested(file.chunks(999), &header);
    let signature = digest.sign(&key()).unwrap();
    let read = DetachedJws::parse(&signature).unwrap();
    let critical: Vec<_> = header.crit.iter().flatten().map(String::as_str).collect();
    assert_eq!(read.header(), &header);
    assert_eq!(read.verify(&file, &set(&key()), &critical), Ok(()));
    assert!(read.verify(&file[1..], &set(&key()), &critical).is_err());
    assert_eq!(verdict(&signature, file.chunks(31), &set(&key())), Ok(()));
}

#[test]
fn a_digest_tells_bodies_and_headers_apart() {
    let file = file();
    let own = header(&key());
    let digest = digested(file.chunks(10), &own);
    assert_eq!(digest, digested([&file[..]], &own));
    assert_ne!(digest, digested(file[1..].chunks(10), &own));
    assert_ne!(digest, digested(file.chunks(10), &header(&other_key())));
}

#[test]
fn a_header_for_another_algorithm_begins_nothing() {
    for name in ["RS256", "ES256", "none"] {
        let header = JoseHeader { alg: name.into(), ..header(&key()) };
        assert_eq!(DetachedSigner::new(&header).unwrap_err(), KeyError::Algorithm);
    }
}
