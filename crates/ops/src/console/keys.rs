//! The page of signing keys and of the ends of certificates.

use super::form::{ConsoleForm, PageQuery, not_done};
use super::frame::{ConsoleFrame, Section, lead_to, may, moment, send};
use super::state::Console;
use crate::key_views::KeyView;
use crate::staff::StaffVisit;
use crate::traffic::metrics_text::read_samples;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use http::Method;
use jiff::{SignedDuration, Timestamp};

/// How long before its end a certificate is marked.
const MARKED_BEFORE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The page of keys.
#[derive(Template)]
#[template(path = "ops/console/keys.html")]
struct KeysPage<'a> {
    frame: ConsoleFrame<'a>,
    keys: Vec<KeyLine>,
    certificates: Vec<CertificateLine>,
    may_rotate: bool,
}

/// A signing key.
struct KeyLine {
    kid: String,
    origin: String,
    state: String,
    class: &'static str,
    period: String,
    certificate: Option<(String, String)>,
}

/// When the first certificate of a file or kind ends.
struct CertificateLine {
    name: String,
    ends: String,
    is_soon: bool,
}

/// `GET /keys`.
pub(super) async fn show(
    State(console): State<Console>,
    visit: StaffVisit,
    Query(query): Query<PageQuery>,
) -> Response {
    let found = match console.operations.list_keys().await {
        Ok(found) => found,
        Err(error) => return not_done(&console, &visit, &error),
    };
    send(&KeysPage {
        frame: console.frame(&visit, Section::Keys, query.done.as_deref()),
        keys: found.keys.into_iter().map(key_line).collect(),
        certificates: certificates(&console.operations.metrics(), visit.now()),
        may_rotate: may(&visit, &Method::POST, "/keys/rotate"),
    })
}

fn key_line(key: KeyView) -> KeyLine {
    let period = match (&key.signs_from, &key.until) {
        (Some(from), Some(until)) => format!("signs from {} until {}", moment(from), moment(until)),
        (Some(from), None) => format!("signs from {}", moment(from)),
        (None, Some(until)) => format!("until {}", moment(until)),
        (None, None) => String::new(),
    };
    KeyLine {
        kid: key.kid.to_string(),
        origin: key.origin,
        class: match key.state.as_str() {
            "signing" => "ok",
            "unusable" => "failed",
            _ => "moved",
        },
        state: key.state,
        period,
        certificate: key.certificate.map(|certificate| (certificate.subject, moment(&certificate.not_after))),
    }
}

fn certificates(metrics: &str, now: Timestamp) -> Vec<CertificateLine> {
    let mut lines: Vec<_> = read_samples(metrics)
        .filter_map(|sample| {
            let name = match sample.name {
                "lombard_certificate_expiry_seconds" => sample.label("certificate")?.to_owned(),
                "lombard_crl_expiry_seconds" => "lists of revoked certificates".to_owned(),
                _ => return None,
            };
            let end = Timestamp::from_second(i64::try_from(sample.count()).ok()?).ok()?;
            Some((end, name))
        })
        .collect();
    lines.sort();
    let line = |(end, name): (Timestamp, String)| CertificateLine {
        name,
        ends: moment(&end.to_string()),
        is_soon: end.duration_since(now) < MARKED_BEFORE,
    };
    lines.into_iter().map(line).collect()
}

/// `POST /keys/rotate`.
pub(super) async fn rotate(State(console): State<Console>, form: ConsoleForm) -> Response {
    match console.operations.keys_rotate(&form.act()).await {
        Ok(_) => lead_to("/keys?done=rotated"),
        Err(error) => not_done(&console, &form.visit, &error),
    }
}
