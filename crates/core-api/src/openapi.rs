//! Builds the OpenAPI 3.1 document of the core API from the table of methods and the forms of their messages.

use crate::calls::{AppliedUpdates, Effect, Method, PUSH_PATH, PUSH_TYPE, PushedUpdates, methods};
use crate::errors::ErrorBody;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, SchemaStyle};
use crate::form::shape::FormOf;
use crate::yaml::write_yaml;
use crate::{API_VERSION, BASE_PATH};
use std::borrow::Cow;

const INTRODUCTION: &str = "What a bank's core serves so that Lombard can stand in front of it. The bank implements these \
methods in any language; Lombard is the client. Every connection uses mutual TLS, and every request carries the context of the call.\n\n\
**Messages** are JSON in UTF-8. Members are named as in the UK Open Banking standard where it has a name. An amount is \
text with a currency; a time is text with its offset, to the microsecond; a day is a day in London. An absent member and null say the \
same. Both sides skip members that they do not know: members may be added within this version of the API.\n\n\
**Ids** of accounts, customers and records are the core's own. They are never shown to TPPs. Accounts that are closed, blocked or unknown \
are left out of every answer, without an error.\n\n\
**Errors.** 400: the request cannot be read; the answer lists every fault with its path. 404: there is no such method. 503: the core \
cannot answer now; `Retry-After` says when to try again. 500: the core has failed. A core answers a lost order or a missing record \
as the method says, never by an error.\n\n\
**Repetition.** Every call may be repeated. A call that reads has no effect. Any other has its effect once, by the ids that it names: a \
repetition is answered like the first call, also while the first is under way.\n\n\
**Core state.** A core may set a text (`CoreState`, at most 4096 bytes) on a consent, an account or an order. It comes back unchanged with \
every call about it, and means nothing to Lombard.";

/// Builds the document as YAML.
pub fn build_openapi_document() -> String {
    let mut definitions = Definitions::new(SchemaStyle::OpenApi);
    let mut paths = vec![
        member([BASE_PATH, "/health"].concat(), health()),
        member([BASE_PATH, "/openapi.yaml"].concat(), document()),
    ];
    paths
        .extend(methods().map(|method| member([BASE_PATH, "/", method.name].concat(), path(method, &mut definitions))));
    let push = push(&mut definitions);
    let error = <FormOf<ErrorBody> as HasSchema>::schema(&mut definitions);
    let schemas = definitions.into_schemas().into_iter().map(|(name, schema)| member(name, schema)).collect();
    let node = JsonNode::object([
        ("openapi", JsonNode::text("3.1.0")),
        (
            "info",
            JsonNode::object([
                ("title", JsonNode::text("Lombard core API")),
                ("version", JsonNode::text(API_VERSION)),
                ("description", JsonNode::text(INTRODUCTION)),
                ("license", JsonNode::object([("name", JsonNode::text("Apache-2.0"))])),
            ]),
        ),
        ("paths", JsonNode::Object(paths)),
        ("webhooks", JsonNode::object([("pushedStatusUpdates", push)])),
        (
            "components",
            JsonNode::object([
                ("schemas", JsonNode::Object(schemas)),
                ("responses", JsonNode::Object(errors(&error))),
                ("securitySchemes", JsonNode::object([("mutualTLS", mutual_tls())])),
            ]),
        ),
        ("security", JsonNode::List(vec![JsonNode::object([("mutualTLS", JsonNode::List(Vec::new()))])])),
    ]);
    ["# Written by `cargo xtask docs` from crates/core-api.\n", &write_yaml(&node)].concat()
}

fn member(name: String, value: JsonNode<'static>) -> (Cow<'static, str>, JsonNode<'static>) {
    (Cow::Owned(name), value)
}

fn path(method: &Method, definitions: &mut Definitions) -> JsonNode<'static> {
    let request = (method.request)(definitions);
    let answer = (method.answer)(definitions);
    let body = JsonNode::object([("required", JsonNode::Bool(true)), ("content", json(request))]);
    let mut answers = match answer {
        Some(schema) => vec![member("200".to_owned(), response("The answer.", json(schema)))],
        None => vec![
            member("200".to_owned(), response("The file.", file())),
            member("204".to_owned(), JsonNode::object([("description", JsonNode::text("There is no such file."))])),
        ],
    };
    answers.extend(ERRORS.iter().map(|error| {
        let reference = ["#/components/responses/", error.name].concat();
        member(error.status.to_owned(), JsonNode::object([("$ref", JsonNode::text(reference))]))
    }));
    let repeated = match method.effect {
        Effect::Reads => "It changes nothing, so it may be repeated at any time.",
        Effect::Idempotent => "It has its effect once; a repetition is answered like the first call.",
    };
    let seconds = method.deadline.as_secs();
    let mut about = format!("{} {repeated} A client waits {seconds} seconds.", method.about.trim());
    if !method.order.is_empty() {
        about.push(' ');
        about.push_str(method.order);
    }
    let summary = method.about.split(['.', ':', ';']).next().unwrap_or_default().trim();
    let operation = JsonNode::object([
        ("operationId", JsonNode::text(method.name)),
        ("summary", JsonNode::text(summary)),
        ("description", JsonNode::text(about)),
        ("x-deadline-seconds", JsonNode::Integer(i64::try_from(seconds).unwrap_or(i64::MAX))),
        ("x-effect", JsonNode::text(if method.effect == Effect::Reads { "reads" } else { "once" })),
        ("requestBody", body),
        ("responses", JsonNode::Object(answers)),
    ]);
    JsonNode::object([("post", operation)])
}

/// The description of the server's endpoint to which a core pushes status updates.
fn push(definitions: &mut Definitions) -> JsonNode<'static> {
    let claims = <FormOf<PushedUpdates> as HasSchema>::schema(definitions);
    let applied = <FormOf<AppliedUpdates> as HasSchema>::schema(definitions);
    let about = format!(
        "A core may push status updates to the path {PUSH_PATH} of the server's public address, if the server has the core's keys \
         (bank.push_keys_file): TPPs then see them sooner. The body is a compact JWS of the claims below, signed with PS256 or ES256, with \
         the header member typ {PUSH_TYPE}. Updates are applied only in the sequence of their numbers; others, and those that a push has \
         lost, are fetched by status-updates, which a core implements in any case. A repeated update has no effect. A token is used once: what \
         is pushed again after 500 or 503 needs a new one, with another jti."
    );
    let token = JsonNode::object([
        ("type", JsonNode::text("string")),
        ("contentMediaType", JsonNode::text("application/jwt")),
        ("contentSchema", claims),
    ]);
    let content = JsonNode::object([("application/jose", JsonNode::object([("schema", token)]))]);
    let failed = |about: &str| JsonNode::object([("description", JsonNode::text(about))]);
    let answers = JsonNode::object([
        ("200", response("What was applied.", json(applied))),
        ("400", failed("The token cannot be read. The answer is an Error.")),
        (
            "401",
            failed(
                "It is not signed by a known key, not for this server, too old, or came before. The answer is an Error.",
            ),
        ),
        ("413", failed("It is too large. The answer is an Error.")),
        ("429", failed("There were too many calls; Retry-After says when to try again.")),
        ("500", failed("The updates cannot be applied; they will be fetched. The answer is an Error.")),
        ("503", failed("The server cannot answer now; Retry-After says when to try again.")),
    ]);
    let operation = JsonNode::object([
        ("operationId", JsonNode::text("pushed-status-updates")),
        ("summary", JsonNode::text("Pushes status updates to the server")),
        ("description", JsonNode::text(about)),
        ("security", JsonNode::List(Vec::new())),
        ("requestBody", JsonNode::object([("required", JsonNode::Bool(true)), ("content", content)])),
        ("responses", answers),
    ]);
    JsonNode::object([("post", operation)])
}

fn health() -> JsonNode<'static> {
    let answer = JsonNode::object([("description", JsonNode::text("The core can be called."))]);
    let unable = reference_to("Busy");
    JsonNode::object([(
        "get",
        JsonNode::object([
            ("operationId", JsonNode::text("health")),
            ("summary", JsonNode::text("Whether the core can be called")),
            ("responses", JsonNode::object([("200", answer), ("503", unable)])),
        ]),
    )])
}

fn document() -> JsonNode<'static> {
    let yaml = JsonNode::object([("schema", JsonNode::object([("type", JsonNode::text("string"))]))]);
    let answer = response("The document.", JsonNode::object([("application/yaml", yaml)]));
    JsonNode::object([(
        "get",
        JsonNode::object([
            ("operationId", JsonNode::text("openapi")),
            ("summary", JsonNode::text("This document")),
            ("responses", JsonNode::object([("200", answer)])),
        ]),
    )])
}

fn reference_to(name: &str) -> JsonNode<'static> {
    JsonNode::object([("$ref", JsonNode::text(["#/components/responses/", name].concat()))])
}

fn response(about: &str, content: JsonNode<'static>) -> JsonNode<'static> {
    JsonNode::object([("description", JsonNode::text(about)), ("content", content)])
}

fn json(schema: JsonNode<'static>) -> JsonNode<'static> {
    JsonNode::object([("application/json", JsonNode::object([("schema", schema)]))])
}

fn file() -> JsonNode<'static> {
    let bytes = || {
        JsonNode::object([(
            "schema",
            JsonNode::object([("type", JsonNode::text("string")), ("format", JsonNode::text("binary"))]),
        )])
    };
    JsonNode::object([("application/octet-stream", bytes())])
}

fn mutual_tls() -> JsonNode<'static> {
    let about = "Each side presents a certificate that the other trusts.";
    JsonNode::object([("type", JsonNode::text("mutualTLS")), ("description", JsonNode::text(about))])
}

struct ErrorAnswer {
    status: &'static str,
    name: &'static str,
    about: &'static str,
}

const ERRORS: [ErrorAnswer; 3] = [
    ErrorAnswer {
        status: "400",
        name: "Invalid",
        about: "The request cannot be read. The answer lists every fault with its path.",
    },
    ErrorAnswer { status: "500", name: "Failed", about: "The core has failed. Repeating the call does not help." },
    ErrorAnswer { status: "503", name: "Busy", about: "The core cannot answer now. The call may succeed later." },
];

fn errors(schema: &JsonNode<'static>) -> Vec<(Cow<'static, str>, JsonNode<'static>)> {
    let answer = |error: &ErrorAnswer| {
        let JsonNode::Object(mut members) = response(error.about, json(schema.clone())) else { return JsonNode::Null };
        if error.name == "Busy" {
            let seconds = JsonNode::object([("type", JsonNode::text("integer")), ("minimum", JsonNode::Integer(0))]);
            let about = "After how many seconds to try again.";
            let header = JsonNode::object([("description", JsonNode::text(about)), ("schema", seconds)]);
            members.push((Cow::Borrowed("headers"), JsonNode::object([("Retry-After", header)])));
        }
        JsonNode::Object(members)
    };
    ERRORS.iter().map(|error| (Cow::Borrowed(error.name), answer(error))).collect()
}
