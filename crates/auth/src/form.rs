//! The form that a client posts to the token endpoint and to similar endpoints.

use crate::error::{OAuthError, OAuthErrorCode};
use std::fmt;
use url::form_urlencoded;

/// A parsed form, in which every parameter occurs at most once. `Debug` does not show values.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Parses `application/x-www-form-urlencoded` bytes.
    ///
    /// # Errors
    /// `invalid_request` when a parameter is repeated, known or not. Source: AS-035.
    pub fn parse(body: &[u8]) -> Result<Self, OAuthError> {
        let mut fields: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(body) {
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, "A parameter is repeated."));
            }
            if fields.len() == FIELDS_MAX {
                return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, "There are too many parameters."));
            }
            fields.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(fields))
    }

    /// The value of a parameter. A parameter without a value counts as omitted. Source: RFC 6749 section 3.2.
    pub fn value(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Every parameter that was sent with a value.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The most parameters of a form. It exceeds that of any grant and bounds the search for repeats.
const FIELDS_MAX: usize = 64;

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_035_a_repeated_parameter_is_refused_known_or_not() {
        for body in ["scope=a&scope=a", "x=1&y=2&x=3", "scope&scope=", "a%62=1&ab=2"] {
            assert_eq!(Form::parse(body.as_bytes()).unwrap_err().code, OAuthErrorCode::InvalidRequest, "{body}");
        }
    }

    #[test]
    fn values_are_decoded_and_empty_ones_count_as_omitted() {
        let form = Form::parse(b"scope=accounts+openid&redirect_uri=https%3A%2F%2Fa%2Fb&empty=").unwrap();
        assert_eq!(form.value("scope"), Some("accounts openid"));
        assert_eq!(form.value("redirect_uri"), Some("https://a/b"));
        assert_eq!((form.value("empty"), form.value("absent")), (None, None));
    }

    #[test]
    fn the_number_of_parameters_is_bounded() {
        let body = |count: usize| (0..count).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join("&");
        assert!(Form::parse(body(FIELDS_MAX).as_bytes()).is_ok());
        assert!(Form::parse(body(FIELDS_MAX + 1).as_bytes()).is_err());
    }

    #[test]
    fn tls_018_debug_shows_no_values() {
        assert_eq!(format!("{:?}", Form::parse(b"code=secret").unwrap()), r#"{"code"}"#);
    }

    proptest! {
        #[test]
        fn parsing_never_panics(body in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Form::parse(&body);
        }
    }
}
