//! The plan *FAPI1-Advanced-Final* of the OpenID Foundation's conformance suite, variant Open Banking UK, as far as it tests a server.
//!
//! A row is one module of the plan under the module's own name, with the outcomes that the suite accepts and that the rules of this
//! server choose. Each row runs in every variant that the suite has it for: both client authentication methods, both ways of a
//! request, and both response modes. The suite issues no certificate for pushed requests and signed responses in the United
//! Kingdom; these variants are those of its plain FAPI profile.

mod discovery;
mod pushed;
mod requests;
mod suite;
mod tokens;

use crate::harness::Engine;
use futures_util::future::BoxFuture;
pub(super) use suite::came_of_call;
use suite::{ClientAuth, RequestWay, ResponseForm, Suite, Variant};

/// What a row does; the outcome in words.
type Try = fn(&Suite) -> BoxFuture<'_, String>;

/// The outcomes that are accepted; none if the module does not exist for the way of request.
type Allowed = &'static [&'static str];

/// A module of the plan.
struct Row {
    module: &'static str,
    /// Whether the module exists for `private_key_jwt` alone.
    needs_assertion: bool,
    by_value: Allowed,
    pushed: Allowed,
    tried: Try,
}

/// A row of both client authentication methods.
const fn row(module: &'static str, by_value: Allowed, pushed: Allowed, tried: Try) -> Row {
    Row { module, needs_assertion: false, by_value, pushed, tried }
}

/// A row about client assertions.
const fn of_assertion(module: &'static str, by_value: Allowed, pushed: Allowed, tried: Try) -> Row {
    Row { module, needs_assertion: true, by_value, pushed, tried }
}

/// Not a module of this way of request.
const NOT_HERE: Allowed = &[];

/// Modules of the plan that the suite has for other countries.
const OF_OTHER_COUNTRIES: [(&str, &str); 2] = [
    ("brazil-ensure-encryption-required", "request objects and identity tokens are encrypted in Brazil alone"),
    ("brazil-ensure-bad-payment-signature-fails", "payment requests are signed JWTs in Brazil alone; see RW-215 here"),
];

/// How many modules the plan has.
const MODULES: usize = 68;

fn rows() -> impl Iterator<Item = &'static Row> {
    discovery::ROWS.iter().chain(requests::ROWS).chain(tokens::ROWS).chain(pushed::ROWS)
}

impl Row {
    fn allowed(&self, variant: Variant) -> Allowed {
        if self.needs_assertion && variant.auth != ClientAuth::PrivateKeyJwt {
            return NOT_HERE;
        }
        match variant.request {
            RequestWay::ByValue => self.by_value,
            RequestWay::Pushed => self.pushed,
        }
    }
}

#[test]
fn every_module_of_the_plan_is_a_row_once() {
    let mut names: Vec<_> = rows().map(|row| row.module).collect();
    names.extend(OF_OTHER_COUNTRIES.map(|(module, _)| module));
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!((count, names.len()), (MODULES, MODULES), "each once: {names:?}");
}

/// Runs every module of a variant in both response modes, on each engine.
async fn run(auth: ClientAuth, request: RequestWay) {
    let mut wrong = Vec::new();
    let engines = Engine::at_hand();
    for (response, engine) in
        [ResponseForm::Plain, ResponseForm::Jarm].into_iter().flat_map(|form| engines.iter().map(move |it| (form, *it)))
    {
        let variant = Variant { auth, request, response };
        let suite = Suite::start(variant, engine).await;
        for row in rows() {
            let allowed = row.allowed(variant);
            if allowed.is_empty() {
                continue;
            }
            let came = (row.tried)(&suite).await;
            if !allowed.contains(&came.as_str()) {
                let module = row.module;
                let allowed = allowed.join(" or ");
                wrong.push(format!("fapi1-advanced-final-{module} {variant:?} {engine:?}: {came}, not {allowed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn private_key_jwt_by_value() {
    run(ClientAuth::PrivateKeyJwt, RequestWay::ByValue).await;
}

#[tokio::test]
async fn private_key_jwt_pushed() {
    run(ClientAuth::PrivateKeyJwt, RequestWay::Pushed).await;
}

#[tokio::test]
async fn mtls_by_value() {
    run(ClientAuth::Mtls, RequestWay::ByValue).await;
}

#[tokio::test]
async fn mtls_pushed() {
    run(ClientAuth::Mtls, RequestWay::Pushed).await;
}
