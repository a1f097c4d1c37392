//! `POST /token`, `/revoke` and `/introspect`: posted forms of authenticated clients. Source: AS-035, AS-120, AS-121, AS-154.

use super::described_routes::DescribedRoutes;
use super::members::{CALLBACK, CLIENT, ONE_TOKEN, TOKEN, jwt_schema, with_client};
use super::operation::{BAD_REQUEST, NOT_THE_CLIENT, OAuthOperation, RequestBody, RequiredCaller, SuccessResponse};
use super::request::{BODY_BYTES_MAX, PostedForm};
use super::response::{self, OAuthErrorResponse};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::tokens::introspection::{Introspection, SIGNED_TYPE, SignedIntrospection};
use lombard_auth::tokens::{self, TokenResponse, introspection, revocation};
use lombard_domain::registration::GrantType;
use lombard_edge::App;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use lombard_wire::describe::schema_of;
use serde_json::json;

pub(super) fn routes() -> DescribedRoutes {
    DescribedRoutes::new(BODY_BYTES_MAX)
        .serve(token_operation(), token)
        .serve(revocation_operation(), revoke)
        .serve(introspection_operation(), introspect)
}

/// An operation for which an authenticated client posts a form.
fn posted(name: &'static str, endpoint: OAuthEndpoint, body: RequestBody) -> OAuthOperation {
    OAuthOperation::new(name, HttpMethod::Post, endpoint, RequiredCaller::Client)
        .with_request(body)
        .with_errors(&[BAD_REQUEST, NOT_THE_CLIENT])
        .with_rate(RateGroup::Tokens)
}

fn token_operation() -> OAuthOperation {
    let examples = vec![
        ("client_credentials", json!({ "grant_type": "client_credentials", "scope": "accounts", "client_id": CLIENT })),
        (
            "authorization_code",
            json!({ "grant_type": "authorization_code", "code": "the-code", "redirect_uri": CALLBACK, "client_id": CLIENT }),
        ),
        (
            "refresh_token",
            json!({ "grant_type": "refresh_token", "refresh_token": "the-refresh-token", "client_id": CLIENT }),
        ),
        (
            "backchannel",
            json!({ "grant_type": GrantType::Backchannel.name(), "auth_req_id": "the-request", "client_id": CLIENT }),
        ),
    ];
    let body = RequestBody::Form { name: "TokenRequest", fields: with_client(TOKEN), examples };
    posted("PostToken", OAuthEndpoint::Token, body)
        .with_description(
            "Issue tokens",
            "Exchanges a grant for an access token that is bound to the client certificate: the client's own credentials, the code of \
             an authorisation response, a refresh token, or the approval of a backchannel request.",
        )
        .with_success(SuccessResponse::json(
            StatusCode::OK,
            "The tokens. Caches must not store the response.",
            "TokenResponse",
            schema_of::<TokenResponse>(),
        ))
}

fn one_token() -> RequestBody {
    let examples = vec![("token", json!({ "token": "the-access-token", "client_id": CLIENT }))];
    RequestBody::Form { name: "OneTokenRequest", fields: with_client(ONE_TOKEN), examples }
}

fn revocation_operation() -> OAuthOperation {
    posted("PostRevoke", OAuthEndpoint::Revocation, one_token())
        .with_description(
            "Revoke a token",
            "Revokes a token of the client. Revoking a refresh token revokes all tokens of its grant. An unknown token, or one of \
             another client, gets the same response and is not changed.",
        )
        .with_success(SuccessResponse::empty(StatusCode::OK, "The token is revoked."))
}

fn introspection_operation() -> OAuthOperation {
    let signed = jwt_schema(schema_of::<SignedIntrospection<'_>>());
    let content = vec![
        ("application/json", "Introspection", schema_of::<Introspection>()),
        (SIGNED_TYPE, "SignedIntrospection", signed),
    ];
    let description =
        "The state of the token; signed if the header Accept requests that or the client has registered for it.";
    posted("PostIntrospect", OAuthEndpoint::Introspection, one_token())
        .with_description(
            "Introspect a token",
            "Returns whether a token of the client is active, and its scopes. An unknown token, or one of another client, is inactive.",
        )
        .with_success(SuccessResponse { content, ..SuccessResponse::empty(StatusCode::OK, description) })
}

async fn token(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::Token).await?;
    let tokens = tokens::issue_tokens(&app.auth, authenticated, &posted.client_request(OAuthEndpoint::Token)).await?;
    Ok(response::json(&tokens))
}

async fn revoke(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::Revocation).await?;
    revocation::revoke_token(&app.auth, authenticated, &posted.form).await?;
    Ok((StatusCode::OK, response::NO_STORE_HEADERS).into_response())
}

async fn introspect(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::Introspection).await?;
    let client = authenticated.client().id.clone();
    let is_always_signed = authenticated.client().signed_messages.introspection;
    let introspection = introspection::introspect_token(&app.auth, authenticated, &posted.form).await?;
    if !posted.asks_for_signed_introspection && !is_always_signed {
        return Ok(response::json(&introspection));
    }
    let signed = introspection::sign_introspection(&app.auth, &client, &introspection).await?;
    Ok((response::NO_STORE_HEADERS, [(CONTENT_TYPE, SIGNED_TYPE)], signed).into_response())
}
