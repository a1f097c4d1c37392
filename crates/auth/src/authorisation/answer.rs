//! What goes back to the client: always in the fragment of its verified redirect URI, never in the query.

use crate::error::OAuthError;
use url::form_urlencoded;

/// An answer to the client: where the browser is sent. Made only from a verified redirect URI (AS-064).
#[derive(Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The address with the answer in its fragment. Holds a code: never log it.
    pub location: String,
    /// Whether it was decided without a person, which the answer must announce. Source: AS-170.
    pub headless: bool,
}

impl std::fmt::Debug for Redirect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redirect").field("headless", &self.headless).finish_non_exhaustive()
    }
}

impl Redirect {
    /// Success: `code`, `id_token`, `state`, in this order and nothing else. Source: AS-085, AS-088.
    pub(super) fn success(redirect_uri: &str, code: &str, id_token: &str, state: Option<&str>) -> Self {
        Self::with_fragment(redirect_uri, &[("code", Some(code)), ("id_token", Some(id_token)), ("state", state)])
    }

    /// An error, with the state the request came with. Source: AS-065.
    pub(super) fn error(redirect_uri: &str, error: &OAuthError, state: Option<&str>) -> Self {
        let parameters =
            [("error", Some(error.code.name())), ("error_description", Some(error.description)), ("state", state)];
        Self::with_fragment(redirect_uri, &parameters)
    }

    /// The same answer, announced as decided without a person.
    pub(super) fn announced_headless(self) -> Self {
        Self { headless: true, ..self }
    }

    fn with_fragment(redirect_uri: &str, parameters: &[(&str, Option<&str>)]) -> Self {
        let fragment: Vec<String> = parameters
            .iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name}={}", percent_encoded(value))))
            .collect();
        Self { location: format!("{redirect_uri}#{}", fragment.join("&")), headless: false }
    }
}

/// Percent-encodes with `%20` for a space, so that readers which undo percent signs but not pluses get the same text.
fn percent_encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::OAuthErrorCode;

    #[test]
    fn as_088_code_comes_first_then_id_token_then_state() {
        let redirect = Redirect::success("https://tpp.test/cb?a=1", "c0de", "a.b.c", Some("s t+&#é"));
        assert_eq!(redirect.location, "https://tpp.test/cb?a=1#code=c0de&id_token=a.b.c&state=s%20t%2B%26%23%C3%A9");
    }

    #[test]
    fn as_075_without_a_state_none_is_returned() {
        let error = OAuthError::new(OAuthErrorCode::InvalidScope, "No.");
        let redirect = Redirect::error("https://tpp.test/cb", &error, None);
        assert_eq!(redirect.location, "https://tpp.test/cb#error=invalid_scope&error_description=No.");
    }
}
