//! The rule table: one row per rule, applied in this order. A new rule is a new row.

use super::context::RuleContext;
use super::findings::{CheckedRequest, RuleFindings};
use super::request::{IdentifiedRequest, RuleRefusal};
use super::{acr, echoes, forms, hint, intent, object, pkce, prompt, response, scope, unsupported};
use crate::error::OAuthError;

/// A rule: refuses a request, or stores the values that it found.
type RuleFn = fn(&IdentifiedRequest, &RuleContext<'_>, &mut RuleFindings) -> Result<(), OAuthError>;

/// A row of the table.
pub(crate) struct RuleRow {
    /// The rule's id.
    pub source: &'static str,
    /// Whether the rule is about the request object itself, so that it does not apply to parameters that were pushed without one.
    is_of_object: bool,
    rule: RuleFn,
}

const fn row(source: &'static str, rule: RuleFn) -> RuleRow {
    RuleRow { source, is_of_object: false, rule }
}

const fn of_object(source: &'static str, rule: RuleFn) -> RuleRow {
    RuleRow { source, is_of_object: true, rule }
}

/// Every rule that needs only the request.
pub(crate) const ROWS: &[RuleRow] = &[
    row("AS-154", forms::check_profile_form),
    row("AS-063", forms::check_single_form),
    row("AS-063", unsupported::parameters),
    of_object("AS-071", object::typ),
    of_object("AS-072", object::audience),
    of_object("AS-073", object::window),
    of_object("AS-181", object::issue_date),
    of_object("AS-074", object::issuer),
    row("AS-062", forms::check_outer_parameters),
    row("AS-086", response::response_type),
    row("AS-085", response::response_mode),
    row("AS-076", echoes::nonce),
    row("AS-076", echoes::state),
    row("AS-050", scope::check_scope),
    row("AS-077", intent::read_intent),
    row("AS-079", acr::choose_acr),
    row("AS-067", prompt::prompt),
    row("AS-067", prompt::max_age),
    row("AS-150", pkce::challenge),
    row("AS-068", hint::id_token_hint),
];

/// Applies every row.
///
/// # Errors
/// The first refusal; a server error if no row found a value that every response needs.
pub(crate) fn check(located: &IdentifiedRequest, setting: &RuleContext<'_>) -> Result<CheckedRequest, RuleRefusal> {
    let mut findings = RuleFindings::default();
    for row in ROWS.iter().filter(|row| located.object.is_signed || !row.is_of_object) {
        (row.rule)(located, setting, &mut findings).map_err(|error| RuleRefusal { rule: row.source, error })?;
    }
    findings.complete(located, setting).ok_or_else(|| {
        RuleRefusal::from(OAuthError::server_error("the rule table has no row for something an answer needs"))
    })
}
