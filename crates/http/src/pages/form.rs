//! What browsers send: forms and cookies.

use super::problem;
use crate::App;
use crate::listener::Peer;
use axum::extract::RawForm;
use axum::extract::rejection::RawFormRejection;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::COOKIE;
use lombard_auth::authorisation::journey::Browser;
use lombard_auth::submission::Submitted;
use url::form_urlencoded;

/// Most bytes of a form: a decision over hundreds of accounts fits.
pub(super) const FORM_BYTES_MAX: usize = 64 * 1024;

/// A form, if it is one.
pub(super) type Form = Result<RawForm, RawFormRejection>;

/// A form's fields.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a form, or answers that it cannot be read.
    fn of(app: &App, form: Form) -> Result<Self, Box<Response>> {
        let RawForm(body) = form.map_err(|bad| problem::unreadable_form(app, bad.into_response().status()))?;
        Ok(Self(form_urlencoded::parse(&body).into_owned().collect()))
    }

    /// The first value of a field, empty if there is none.
    pub(super) fn first(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Every value of a field.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone()).collect()
    }

    /// The one-time code. People type the gaps they see.
    pub(super) fn code(&self) -> String {
        self.first("code").chars().filter(|character| !character.is_whitespace()).collect()
    }
}

/// A readable form, and the page it was submitted from if the browser has a secret in a cookie of this name. What the
/// secret is worth is for others to say.
pub(super) fn submitted(
    app: &App,
    peer: Peer,
    headers: &HeaderMap,
    form: Form,
    cookie: &str,
) -> Result<(Fields, Option<Submitted>), Box<Response>> {
    let fields = Fields::of(app, form)?;
    let form_token = fields.first("form_token").to_owned();
    let page = browser(headers, cookie).map(|browser| Submitted { browser, form_token, from: peer.0.ip() });
    Ok((fields, page))
}

/// The secret this browser keeps in a cookie of this name.
pub(super) fn browser(headers: &HeaderMap, cookie: &str) -> Option<Browser> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == cookie)
        .and_then(|(_, value)| Browser::from_cookie(value))
}
