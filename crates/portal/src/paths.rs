//! The paths of the portal's pages and documents under the public base URL.

use lombard_openapi::ApiDocument;

/// The page of what is offered.
pub(super) const DEVELOPERS: &str = "/portal/developers";

/// The page to log in with, on both listeners of TPPs.
pub(super) const LOGIN: &str = "/portal/login";
/// Where the form to log out leads.
pub(super) const LOGOUT: &str = "/portal/logout";
/// The first page of a developer who is logged in.
pub(super) const OVERVIEW: &str = "/portal/overview";
/// The application as it is registered.
pub(super) const APPLICATION: &str = "/portal/application";
/// The application's requests.
pub(super) const REQUESTS: &str = "/portal/requests";
/// Its consents and orders.
pub(super) const CONSENTS: &str = "/portal/consents";
/// Its orders, one by one.
pub(super) const ORDERS: &str = "/portal/orders";
/// Its events.
pub(super) const EVENTS: &str = "/portal/events";
/// The data of a sandbox.
pub(super) const TEST_DATA: &str = "/portal/test-data";
/// The controls of a sandbox.
pub(super) const CONTROLS: &str = "/portal/controls";
/// Where operations are tried out.
pub(super) const TRY_OUT: &str = "/portal/try";
/// How the server is.
pub(super) const STATUS: &str = "/portal/status";
/// The list of the OpenAPI documents.
pub(super) const DOCUMENTS_LIST: &str = "/openapi";

/// The list of guides, and the search.
pub(super) const GUIDES: &str = "/portal/docs";

/// The page of a document.
pub(super) fn page_of(document: &ApiDocument) -> String {
    format!("/openapi/{}", document.name)
}

/// The document itself.
pub(super) fn json_of(document: &ApiDocument) -> String {
    format!("/openapi/{}.json", document.name)
}

/// A text as a segment of a path, or as a value of a query.
pub(super) fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The address of a one-time link, whose secret is base64url, on the public listener.
pub fn link_address(public_url: &str, secret: &str) -> String {
    format!("{public_url}{LOGIN}?link={secret}")
}
