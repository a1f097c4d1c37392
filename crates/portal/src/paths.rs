//! The paths of the portal's pages and documents under the public base URL.

use lombard_openapi::ApiDocument;

/// The page of the offered functions.
pub(super) const DEVELOPERS: &str = "/portal/developers";

/// The login page, on the public listener and on the mtls listener.
pub(super) const LOGIN: &str = "/portal/login";
/// The path to which the logout form is submitted.
pub(super) const LOGOUT: &str = "/portal/logout";
/// The first page of a developer who is logged in.
pub(super) const OVERVIEW: &str = "/portal/overview";
/// The page of the registered application.
pub(super) const APPLICATION: &str = "/portal/application";
/// The page of the application's requests.
pub(super) const REQUESTS: &str = "/portal/requests";
/// The page of the application's consents and orders.
pub(super) const CONSENTS: &str = "/portal/consents";
/// The path prefix of the pages of single orders.
pub(super) const ORDERS: &str = "/portal/orders";
/// The page of the application's events.
pub(super) const EVENTS: &str = "/portal/events";
/// The page of a sandbox's test data.
pub(super) const TEST_DATA: &str = "/portal/test-data";
/// The page of a sandbox's controls.
pub(super) const CONTROLS: &str = "/portal/controls";
/// The pages on which operations can be tried out.
pub(super) const TRY_OUT: &str = "/portal/try";
/// The page of the server's state.
pub(super) const STATUS: &str = "/portal/status";
/// The page of notices of maintenance and of changes.
pub(super) const NOTICES: &str = "/portal/notices";
/// The notices as JSON. Source: DTN-007.
pub(super) const NOTICES_DOCUMENT: &str = "/notices.json";
/// The list of the OpenAPI documents.
pub(super) const DOCUMENTS_LIST: &str = "/openapi";

/// The page with the list of guides and the search.
pub(super) const GUIDES: &str = "/portal/docs";

/// The path of a document's page.
pub(super) fn page_of(document: &ApiDocument) -> String {
    format!("/openapi/{}", document.name)
}

/// The path of the document.
pub(super) fn json_of(document: &ApiDocument) -> String {
    format!("/openapi/{}.json", document.name)
}

/// Escapes text for use as a path segment or a query value.
pub(super) fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The URL of a one-time link on the public listener. The secret is base64url.
pub fn link_address(public_url: &str, secret: &str) -> String {
    format!("{public_url}{LOGIN}?link={secret}")
}
