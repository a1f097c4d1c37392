//! Proof key for code exchange, S256 only. Source: AS-150, RFC 7636 section 4.

use lombard_jose::{base64url, secrets_are_equal, sha256};

/// Whether the verifier matches the challenge. A verifier without a challenge does not match, nor does a challenge without a verifier.
pub(super) fn answers(challenge: Option<&str>, verifier: Option<&str>) -> bool {
    match (challenge, verifier) {
        (None, None) => true,
        (Some(challenge), Some(verifier)) => {
            let answer = base64url(&sha256(verifier.as_bytes()).0);
            is_verifier(verifier) && secrets_are_equal(answer.as_bytes(), challenge.as_bytes())
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether the text is a verifier: 43 to 128 unreserved characters.
fn is_verifier(text: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    (43..=128).contains(&text.len()) && text.bytes().all(unreserved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_150_the_example_of_rfc_7636_appendix_b() {
        let challenge = Some("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert!(answers(challenge, Some(verifier)));
        assert!(!answers(challenge, None));
        assert!(!answers(None, Some(verifier)));
        assert!(!answers(challenge, Some(&verifier.to_lowercase())));
        assert!(answers(None, None));
    }

    #[test]
    fn as_150_verifiers_have_43_to_128_unreserved_characters() {
        for (text, sound) in [
            ("a".repeat(42), false),
            ("a".repeat(43), true),
            ("-._~".repeat(32), true),
            ("a".repeat(129), false),
            (format!("{}+", "a".repeat(43)), false),
            (format!("{}é", "a".repeat(43)), false),
        ] {
            let challenge = base64url(&sha256(text.as_bytes()).0);
            assert_eq!(answers(Some(&challenge), Some(&text)), sound, "{text}");
        }
    }
}
