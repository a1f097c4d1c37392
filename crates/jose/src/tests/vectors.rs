//! Examples of the standards and messages signed by OpenSSL.

use crate::{CompactJws, KeySet, Malformed, VerifyError, base64url};
use serde::Deserialize;
use serde_json::json;

/// The modulus of a key made by OpenSSL 3.0 for these tests.
const OPENSSL_MODULUS: &str = "\
    2phYoKvvMMysbRovd_1Sv0TMD8Ocd2KAiJiCeySKzzQf4p9zl9quF3OyfBOmDw80DG8VtdHW0h_S-0gECEIEV2wSYmVSl6iHZVna\
    JLNJyyahq6ZgYKOm5U9u45HD4NWts9NH9mw7qVziWoixkhAPvNOMOqRI6WRJuYthmhvtFqwvXO1uOVm3rULBn4byAL2haPzrnxzq\
    3tAqvsx-QiTWcw_hmm54Epjt7gUnPttSAR0YKgZ5EQRLQGS_0NZXFsYzhj0NI0Thpz2bymPDArUGD9bSHeQNaWoMTfoVAqt90F8x\
    Wsrs0_dwbOKNfKLSxT2wOvcRwbQjef8svrsHMOrmEw";

/// The signed input.
const OPENSSL_SIGNING_INPUT: &str = "\
    eyJhbGciOiJQUzI1NiIsImtpZCI6Im9wZW5zc2wifQ.eyJpc3MiOiJvcGVuc3NsIiwiaWF0IjoxODAwMDAwMDAwfQ";

/// PSS with SHA-256, MGF1 with SHA-256 and 32 bytes of salt.
const OPENSSL_PS256: &str = "\
    VAFtbQJd6xrEA6xFNvU0gnBpi0fP31F-sKnNHMdeC4RICkl1loix9HMrnsrxT_HO-5pQfYFR0W-AtohC24W9vWPFjGmN6HtMe3i6\
    jEYT4ruHCnmkQ9P8ReKObobhhQlhaUWkkTuXZoOgtabtP4wlt1NHYDqbCN4ZMu4lPAktjSaPMjMR2QvPX9xH2W0szq2N0IYfvZVr\
    ExAot8MEKN8RB0gLbL45OWdEzHjlF6GeRIUSg338My7boUQ7zDpa9Z5tx3Jk2lORg7ta4VxB_aAfrU-apMkdZj9JQK1Oz0ZXNZ5X\
    ZZuz_3u6iHU2xOU21up8sijpH75VSqeyaLlyAgevdA";

/// The signature with 20 bytes of salt.
const OPENSSL_SALT_20: &str = "\
    Enkk2o3nQ3l9M3VnqZ5MUag8AjOM7ZIX4OGQZ-AI-Hb5am69lCAp7X4DtcpvA9WP_wYoxSloUtb8BPbf7LElnZxIzfdM1myMNqdK\
    Is4SJt86nrQxkbJiyCWrmVhl_hoO53jRwal3Psc6cFNmT3ua9th8sE8959rDf7Ja7g3jcdJ6R1E2FlZ2BicTp5fNfTTBdhQDJrxY\
    zjt5Yvqiu_fns8-mxxjPp0Iido2n42xlSA0ZGy0Sp0i6MPDOVXKuQe332JWYmKTrnSEn5IfsT1POCC8hsTRei54F3JRGiygNlWkC\
    nLqWqALzVNr60DZkDrc_JDsKyAzLhv6F-flyuAVsNg";

/// The signature with SHA-1 in MGF1.
const OPENSSL_MGF1_SHA1: &str = "\
    cYNbmfDO5aJHSqNNhD_UuwINIK74ZdcH34P1X0d-spkSDUw8DVvGR_x84Ik9El3zRI10SAwH5ZyVJkaGpRHxyhRKj18iak9D9lGo\
    -dxjmRKvDcAlmbahBV9jwC5hWyGjDCIW4IE7vlcID9zkqmsuKVDazFY1et0z0ihiOSAUI497PzwXpqZFUBuxPgm32uFzh1sUExuD\
    ib0mtloXO891VTp9w1Y_2OA-nx8yklo0m8Md2X-GJ2Jygi_AQIiemb6EYoLGia0fpJ-1CoHDSy_toWmGgQ_-CAGTZS6erhg7Knjy\
    h_7RJyBg-rFbW_SKe9OAasvjPH7mMaIqHoelWF1K3Q";

/// The key of RFC 7638 section 3.1.
const RFC_7638: &str = r#"{"keys":[{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}]}"#;

#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Claims {
    iss: String,
    iat: i64,
}

fn openssl_keys() -> KeySet {
    let jwk = json!({"kty": "RSA", "kid": "openssl", "n": OPENSSL_MODULUS, "e": "AQAB"});
    KeySet::parse(&json!({ "keys": [jwk] }).to_string()).unwrap()
}

fn openssl_message(signature: &str) -> CompactJws {
    CompactJws::parse(&format!("{OPENSSL_SIGNING_INPUT}.{signature}")).unwrap()
}

#[test]
fn rw_202_a_ps256_signature_of_openssl_verifies() {
    let message = openssl_message(OPENSSL_PS256);
    assert_eq!(message.verify(&openssl_keys()), Ok(()));
    assert_eq!(message.claims(), Ok(Claims { iss: "openssl".into(), iat: 1_800_000_000 }));
}

#[test]
fn rw_202_other_parameters_of_pss_are_not_ps256() {
    for signature in [OPENSSL_SALT_20, OPENSSL_MGF1_SHA1] {
        assert_eq!(openssl_message(signature).verify(&openssl_keys()), Err(VerifyError::Signature));
    }
}

#[test]
fn rfc_7638_thumbprint() {
    let keys = KeySet::parse(RFC_7638).unwrap();
    let thumbprints: Vec<_> = keys.iter().map(|key| key.thumbprint().to_string()).collect();
    assert_eq!(thumbprints, ["NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"]);
    // The key is for RS256, so it is a key of the set but never verifies PS256.
    assert_eq!(keys.candidates(Some("2011-04-29")).count(), 0);
    assert_eq!(keys.candidates(None).count(), 0);
}

#[test]
fn rfc_7515_examples_are_read_and_their_algorithms_refused() {
    let payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    // Appendices A.1 (HS256), A.5 (none).
    let hs256 =
        format!("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.{payload}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    let none = format!("eyJhbGciOiJub25lIn0.{payload}.");
    for (text, algorithm) in [(hs256, "HS256"), (none, "none")] {
        let message = CompactJws::parse(&text).unwrap();
        assert_eq!(message.header().alg, algorithm);
        assert_eq!(message.claims::<serde_json::Value>().unwrap()["iss"], "joe");
        assert_eq!(message.verify(&openssl_keys()), Err(VerifyError::Algorithm));
    }
    // RFC 7516 appendix A.1 has five parts: it is encrypted, not signed.
    assert_eq!(CompactJws::parse("e30.e30.e30.e30.e30").unwrap_err(), Malformed::Parts);
}

/// Source: RFC 7515 appendix A.3.
#[test]
fn es256_verifies_where_it_is_accepted_and_nowhere_else() {
    let keys = KeySet::parse(
        r#"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#,
    )
    .unwrap();
    let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
    let payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let jws = CompactJws::parse(&format!("eyJhbGciOiJFUzI1NiJ9.{payload}.{signature}")).unwrap();
    assert_eq!(jws.verify_ps256_or_es256(&keys), Ok(()));
    assert_eq!(jws.verify(&keys), Err(VerifyError::Algorithm), "RW-202: TPPs and messages have PS256 alone");
    assert_eq!(jws.verify_ps256_or_es256(&KeySet::default()), Err(VerifyError::KeyUnknown));
    let changed = payload.replace("joe", "jow").replacen('y', "z", 1);
    let none = base64url(br#"{"alg":"none"}"#);
    let forged = CompactJws::parse(&format!("eyJhbGciOiJFUzI1NiJ9.{changed}.{signature}")).unwrap();
    assert_eq!(forged.verify_ps256_or_es256(&keys), Err(VerifyError::Signature));
    let unsigned = CompactJws::parse(&format!("{none}.{payload}.")).unwrap();
    assert_eq!(unsigned.verify_ps256_or_es256(&keys), Err(VerifyError::Algorithm));
    let other = base64url(br#"{"alg":"PS256"}"#);
    let confused = CompactJws::parse(&format!("{other}.{payload}.{signature}")).unwrap();
    assert_eq!(confused.verify_ps256_or_es256(&keys), Err(VerifyError::KeyUnknown), "a key serves its own algorithm");
}
