//! Descriptions, for the OpenAPI documents, of the members of forms and of signed requests. The rules that read them are in `lombard-auth`.

use lombard_auth::clients::ASSERTION_TYPE;
use lombard_domain::registration::{GrantType, ResponseType};
use serde_json::{Map, Value, json};

/// The id of the client in examples.
pub(super) const CLIENT: &str = "your-client-id";
/// The redirect URI of examples.
pub(super) const CALLBACK: &str = "https://app.example/callback";

/// A signed JWT of examples: three parts in base64url.
pub(super) const EXAMPLE_JWT: &str = "eyJhbGciOiJQUzI1NiJ9.eyJpc3MiOiJ5b3VyLWNsaWVudC1pZCJ9.c2lnbmF0dXJl";
/// The reference to a pushed request in examples.
pub(super) const EXAMPLE_REFERENCE: &str = "urn:ietf:params:oauth:request_uri:the-reference";

/// The description of a member of a form, or of a claim.
#[derive(Debug, Clone, Copy)]
pub struct BodyMember {
    /// The name of the member.
    pub name: &'static str,
    /// The description of the member in words.
    pub words: &'static str,
    /// The kind of value that the member has.
    pub kind: MemberKind,
    /// Whether the member is required.
    pub required: bool,
}

/// The kind of value of a member.
#[derive(Debug, Clone, Copy)]
pub enum MemberKind {
    /// Any text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A whole number that is not negative.
    Number,
    /// A text, or a list of texts.
    Texts,
    /// An object with these members.
    Object(&'static [BodyMember]),
    /// Always true.
    True,
    /// A signed JWT with these claims.
    Jwt(&'static [BodyMember]),
}

use MemberKind::{Jwt, Number, Object, OneOf, Text, Texts, True};

impl BodyMember {
    /// The schema of the member.
    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Text => json!({ "type": "string" }),
            OneOf(values) => json!({ "type": "string", "enum": values }),
            Number => json!({ "type": "integer", "format": "int64", "minimum": 0 }),
            Texts => json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }),
            True => json!({ "type": "boolean", "enum": [true] }),
            Object(members) => object_schema(members),
            Jwt(claims) => jwt_schema(object_schema(claims)),
        };
        if let Some(members) = schema.as_object_mut() {
            members.insert("description".to_owned(), self.words.into());
        }
        schema
    }
}

/// The schema of an object with these members, which may have others too.
pub fn object_schema(members: &[BodyMember]) -> Value {
    let required: Vec<_> = members.iter().filter(|it| it.required).map(|it| it.name).collect();
    let properties: Map<_, _> = members.iter().map(|it| (it.name.to_owned(), it.schema())).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if let (false, Some(members)) = (required.is_empty(), schema.as_object_mut()) {
        members.insert("required".to_owned(), json!(required));
    }
    schema
}

/// The schema of a JWT with these claims, as its decoded header and claims and its signature. Source: JSON Schema Validation 2020-12
/// section 8.6.
pub fn jwt_schema(claims: Value) -> Value {
    let header = json!({
        "type": "object",
        "required": ["alg", "kid"],
        "properties": {
            "alg": { "type": "string", "enum": ["PS256"], "description": "The algorithm of the signature." },
            "kid": { "type": "string", "description": "The id of the key among those that the signer publishes." },
        },
    });
    let signature = json!({ "type": "string", "description": "The signature, in base64url." });
    json!({
        "type": "string",
        "contentMediaType": "application/jwt",
        "contentSchema": { "type": "array", "minItems": 2, "prefixItems": [header, claims], "items": signature },
    })
}

const fn member(name: &'static str, kind: MemberKind, words: &'static str) -> BodyMember {
    BodyMember { name, words, kind, required: false }
}

const fn required(name: &'static str, kind: MemberKind, words: &'static str) -> BodyMember {
    BodyMember { name, words, kind, required: true }
}

const RESPONSE_TYPES: &[&str] = &[ResponseType::CodeIdToken.name(), ResponseType::Code.name()];
const GRANT_TYPES: &[&str] = &[
    GrantType::ClientCredentials.name(),
    GrantType::AuthorizationCode.name(),
    GrantType::RefreshToken.name(),
    GrantType::Backchannel.name(),
];

/// The members that authenticate a client: `client_id` beside its certificate, or an assertion. Source: AS-020, AS-021, AS-023.
const CLIENT_MEMBERS: [BodyMember; 3] = [
    member("client_id", Text, "The id of the client. Required with tls_client_auth."),
    member("client_assertion_type", OneOf(&[ASSERTION_TYPE]), "The form of the assertion: with private_key_jwt."),
    member("client_assertion", Jwt(ASSERTION), "The assertion of the client, signed by it: with private_key_jwt."),
];

/// The claims of an assertion. Source: AS-024, AS-025.
const ASSERTION: &[BodyMember] = &[
    required("iss", Text, "The id of the client."),
    required("sub", Text, "The id of the client."),
    required("aud", Texts, "The issuer, or the address of the endpoint."),
    required("exp", Number, "When the assertion expires: at most an hour ahead."),
    member("nbf", Number, "From when on the assertion is valid."),
    member("iat", Number, "When the assertion was signed."),
    required("jti", Text, "An id that no other assertion of the client has."),
];

/// The fields of a form, after those that authenticate the client.
pub(super) fn with_client(fields: &[BodyMember]) -> Vec<BodyMember> {
    CLIENT_MEMBERS.iter().chain(fields).copied().collect()
}

/// The members of a token request. Source: AS-038, AS-042, AS-096, AS-162.
pub(super) const TOKEN: &[BodyMember] = &[
    required("grant_type", OneOf(GRANT_TYPES), "What is exchanged for tokens."),
    member(
        "scope",
        Text,
        "The scopes, separated by blanks: of client_credentials, and narrower ones of refresh_token.",
    ),
    member("code", Text, "The code. Required with authorization_code."),
    member("redirect_uri", Text, "The redirect URI of the authorisation request. Required with authorization_code."),
    member("code_verifier", Text, "The verifier, if the authorisation request had a code_challenge."),
    member("refresh_token", Text, "The refresh token. Required with refresh_token."),
    member("auth_req_id", Text, "The id of the backchannel request. Required with the grant type of CIBA."),
];

/// The members of a request for the revocation or introspection of a token. Source: AS-120, AS-121.
pub(super) const ONE_TOKEN: &[BodyMember] = &[
    required("token", Text, "The access token or refresh token."),
    member("token_type_hint", Text, "The kind of token. Ignored."),
];

/// The members of an authorisation request that a browser sends. Source: AS-060, AS-062, AS-152.
pub(super) const AUTHORISATION: &[BodyMember] = &[
    required("client_id", Text, "The id of the client."),
    member(
        "request",
        Jwt(REQUEST_OBJECT),
        "The request object, signed by the client. Required unless there is a request_uri.",
    ),
    member("request_uri", Text, "What the server answered to the pushed request. Required unless there is a request."),
    member("response_type", OneOf(RESPONSE_TYPES), "As in the request object. Required beside a request."),
    member("scope", Text, "Ignored; the scope of the request object counts."),
    member("redirect_uri", Text, "Ignored; the redirect URI of the request object counts."),
    member("state", Text, "Ignored; the state of the request object counts."),
    member("nonce", Text, "Ignored; the nonce of the request object counts."),
];

/// The members of an authorisation request that a client pushes. Source: AS-151, AS-154.
pub(super) const PUSHED: &[BodyMember] = &[
    member(
        "request",
        Jwt(REQUEST_OBJECT),
        "The request object, signed by the client. A client of FAPI 2.0 without Message Signing may send the claims as parameters of \
         the form instead.",
    ),
    member("response_type", OneOf(RESPONSE_TYPES), "As in the request object, if it is there."),
];

/// The claims of a request object. Source: AS-071 to AS-079, AS-150.
const REQUEST_OBJECT: &[BodyMember] = &[
    required("iss", Text, "The id of the client."),
    required("aud", Texts, "The issuer."),
    required("client_id", Text, "The id of the client."),
    required("nbf", Number, "From when on the request is valid."),
    required("exp", Number, "When the request expires: at most an hour after nbf."),
    member("iat", Number, "When the request was signed."),
    member("jti", Text, "An id that no other request of the client has."),
    required("response_type", OneOf(RESPONSE_TYPES), "What the client wants back."),
    member(
        "response_mode",
        OneOf(&["fragment", "jwt", "fragment.jwt", "query.jwt", "query"]),
        "How the response is returned.",
    ),
    required("redirect_uri", Text, "Where the customer returns to: a redirect URI of the client."),
    required("scope", Text, "openid and the scope of the consent, separated by a blank."),
    member("state", Text, "Returned with the response."),
    member("nonce", Text, "Returned in the identity token. Required unless the client is held to FAPI 2.0."),
    required("claims", Object(CLAIMS), "The claims that are asked for."),
    member(
        "code_challenge",
        Text,
        "The SHA-256 digest of the code_verifier, in base64url. Required of a pushed request.",
    ),
    member("code_challenge_method", OneOf(&["S256"]), "Required beside a code_challenge."),
    member("prompt", Text, "Whether the customer may be asked: none, login, consent, select_account."),
    member("max_age", Number, "Accepted: every customer authenticates afresh."),
    member("id_token_hint", Text, "An identity token for the customer who is expected."),
];

const CLAIMS: &[BodyMember] = &[
    required("id_token", Object(ID_TOKEN_CLAIMS), "The claims of the identity token."),
    member("userinfo", Object(&[]), "The claims of userinfo."),
];

const ID_TOKEN_CLAIMS: &[BodyMember] = &[
    required("openbanking_intent_id", Object(INTENT), "The consent that the customer is asked for."),
    member("acr", Object(&[]), "The authentication context classes that will do, as value or values."),
];

const INTENT: &[BodyMember] =
    &[required("value", Text, "The ConsentId."), required("essential", True, "The claim is essential.")];

/// The members of a backchannel request. Source: AS-160.
pub(super) const BACKCHANNEL: &[BodyMember] =
    &[required("request", Jwt(BACKCHANNEL_OBJECT), "The request, signed by the client.")];

/// The claims of a backchannel request. Source: AS-160, AS-161, CIBA Core section 7.1.
const BACKCHANNEL_OBJECT: &[BodyMember] = &[
    required("iss", Text, "The id of the client."),
    required("aud", Texts, "The issuer."),
    required("nbf", Number, "From when on the request is valid."),
    required("iat", Number, "When the request was signed."),
    required("exp", Number, "When the request expires: at most an hour after nbf."),
    required("jti", Text, "An id that no other request of the client has."),
    required("scope", Text, "The scope of the consent."),
    required("openbanking-intent-id", Text, "The ConsentId."),
    member("acr_values", Text, "The authentication context classes that will do, separated by blanks."),
    member("login_hint_token", Text, "A JWT that names the customer by sub, email, phone_number or ephemeral_sub."),
    member("id_token_hint", Text, "An identity token that was issued for the customer."),
    member("binding_message", Text, "A text that the customer compares on both devices: 1 to 64 characters."),
    member("requested_expiry", Number, "For how many seconds the customer is asked: 30 to 600."),
    member("client_notification_token", Text, "What the server shows when it notifies the client. Required with ping."),
];
