//! Parses the form of a trial call.

use super::super::paths::escaped;
use super::super::services::{ApplicationCall, CallToken};
use http::{HeaderName, HeaderValue, Method, header};
use lombard_api::extract::{PAGE, filter_names};
use lombard_domain::ids::ConsentId;
use lombard_edge::endpoint::{Operation, OperationContract};
use lombard_pages::form::FormFields;

/// The prefix of the form value that selects the token of a consent; the consent's id follows it.
pub(super) const OF_CONSENT: &str = "consent:";
/// The form value that selects a client credentials token.
pub(super) const OWN: &str = "own";
/// The form value that selects a token supplied by the developer.
pub(super) const GIVEN: &str = "given";
/// The prefix of the form fields for path and query parameters; the parameter's name follows it.
pub(super) const ID: &str = "id-";
pub(super) const QUERY: &str = "query-";

/// The names of the query parameters.
pub(super) fn query_names(contract: &OperationContract) -> Vec<&'static str> {
    let dates = filter_names(contract.filter).map(|(from, to)| [from, to]);
    dates.into_iter().flatten().chain(contract.paged.then_some(PAGE)).collect()
}

/// The media types of the request body; empty if there is no body.
pub(super) fn media_of(contract: &OperationContract) -> Vec<&'static str> {
    match contract.request_schema {
        Some(_) => vec![contract.request_media_type],
        None => contract.accepted_files.to_vec(),
    }
}

/// Builds the call that a form describes.
///
/// # Errors
/// A sentence that names the input that must be changed.
pub(super) fn call_of(operation: &Operation, fields: &FormFields) -> Result<ApplicationCall, String> {
    let endpoint = operation.endpoint;
    let contract = operation.contract().ok_or("This operation cannot be tried here.")?;
    let token = match fields.first("token") {
        OWN => CallToken::Own(*endpoint.scopes.first().ok_or("This operation needs no token.")?),
        GIVEN => CallToken::Supplied(given_token(fields.first("given_token").trim())?),
        chosen => {
            let id = chosen.strip_prefix(OF_CONSENT).ok_or("Choose a token.")?;
            CallToken::OfConsent(ConsentId::new(id))
        }
    };
    let media = media_of(&contract);
    let media = media.iter().find(|it| **it == fields.first("media")).or(media.first());
    Ok(ApplicationCall {
        token,
        method: Method::from_bytes(endpoint.method.name().as_bytes()).map_err(|error| error.to_string())?,
        path: format!("{}{}", path_of(operation, fields)?, query_of(&contract, fields)),
        headers: headers_of(fields.first("headers"))?,
        // Browsers send the line ends of a form as CRLF, which would change the hash of a file.
        body: media.map(|media| ((*media).to_owned(), fields.first("body").replace("\r\n", "\n"))),
        has_key: endpoint.idempotent,
        is_signed: endpoint.signs_requests(),
    })
}

fn given_token(token: &str) -> Result<String, String> {
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    is_token.then(|| token.to_owned()).ok_or_else(|| "Write the access token into its field.".to_owned())
}

fn path_of(operation: &Operation, fields: &FormFields) -> Result<String, String> {
    let segment = |segment: &str| match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        None => Ok(segment.to_owned()),
        Some(name) => match fields.first(&format!("{ID}{name}")).trim() {
            "" | "." | ".." => Err(format!("{name}: write an id.")),
            id => Ok(escaped(id)),
        },
    };
    let segments: Result<Vec<_>, _> = operation.path().split('/').map(segment).collect();
    Ok(segments?.join("/"))
}

fn query_of(contract: &OperationContract, fields: &FormFields) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for name in query_names(contract) {
        let value = fields.first(&format!("{QUERY}{name}"));
        if !value.trim().is_empty() {
            query.append_pair(name, value.trim());
        }
    }
    let query = query.finish();
    if query.is_empty() { query } else { format!("?{query}") }
}

/// Headers that belong to the connection, or that the sandbox sets.
const NOT_CHOSEN: [HeaderName; 11] = [
    header::AUTHORIZATION,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::EXPECT,
    header::HOST,
    HeaderName::from_static("keep-alive"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Parses headers, one per line.
fn headers_of(text: &str) -> Result<Vec<(HeaderName, HeaderValue)>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let header = |line: &str| {
        let read = line.split_once(':').and_then(|(name, value)| {
            let name = name.trim().parse::<HeaderName>().ok()?;
            Some((name, HeaderValue::from_str(value.trim()).ok()?))
        });
        let (name, value) = read.ok_or("Headers: write one a line, as x-fapi-customer-ip-address: 192.0.2.1.")?;
        if NOT_CHOSEN.contains(&name) {
            return Err(format!("Headers: {name} is written by the sandbox."));
        }
        Ok((name, value))
    };
    lines.map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_api::catalogue::list_operations;
    use lombard_domain::version::Version;

    fn operation(name: &str, version: Version) -> Operation {
        list_operations().find(|it| it.endpoint.name == name && it.version == version).unwrap()
    }

    fn fields(given: &[(&str, &str)]) -> FormFields {
        FormFields::new(given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn a_form_is_a_call_on_the_operations_path() {
        let transactions = operation("GetAccountsAccountIdTransactions", Version::V4_0);
        let given = [
            ("token", "consent:c-1"),
            ("id-AccountId", "a/../b?c"),
            ("query-fromBookingDateTime", "2026-01-01T00:00:00"),
            ("query-other", "x"),
            ("headers", "x-fapi-customer-ip-address: 192.0.2.1\n\n accept : application/json"),
        ];
        let call = call_of(&transactions, &fields(&given)).unwrap();
        assert_eq!(call.token, CallToken::OfConsent("c-1".into()));
        let path =
            "/open-banking/v4.0/aisp/accounts/a%2F..%2Fb%3Fc/transactions?fromBookingDateTime=2026-01-01T00%3A00%3A00";
        assert_eq!((call.method, call.path.as_str(), call.body), (Method::GET, path, None));
        assert_eq!(call.headers.len(), 2);
        assert!(!call.is_signed && !call.has_key);

        let payment = operation("CreateDomesticPayments", Version::V3_1);
        let call = call_of(&payment, &fields(&[("token", "given"), ("given_token", "t"), ("body", "{ }")])).unwrap();
        assert_eq!(call.body, Some(("application/json".to_owned(), "{ }".to_owned())));
        assert!(call.is_signed && call.has_key);
    }

    #[test]
    fn what_a_call_cannot_have_is_told() {
        let account = operation("GetAccountsAccountId", Version::V3_1);
        for (given, hint) in [
            (vec![("token", "own")], "AccountId"),
            (vec![("token", "own"), ("id-AccountId", "..")], "AccountId"),
            (vec![("id-AccountId", "a")], "token"),
            (vec![("token", "given"), ("id-AccountId", "a")], "access token"),
            (vec![("token", "given"), ("given_token", "a b"), ("id-AccountId", "a")], "access token"),
            (vec![("token", "own"), ("id-AccountId", "a"), ("headers", "x-a")], "one a line"),
            (vec![("token", "own"), ("id-AccountId", "a"), ("headers", "Host: a.example")], "host"),
            (vec![("token", "own"), ("id-AccountId", "a"), ("headers", "authorization: Bearer x")], "authorization"),
        ] {
            let told = call_of(&account, &fields(&given)).unwrap_err();
            assert!(told.contains(hint), "{given:?}: {told}");
        }
    }
}
