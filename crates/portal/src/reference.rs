//! The reference page of the operations of a group.

use super::fields::{self, BodyField};
use super::frame::PortalFrame;
use super::paths::{DEVELOPERS, json_of};
use askama::Template;
use lombard_api::extract::{KEY_MUST, PAGE, filter_names};
use lombard_edge::endpoint::{Operation, OperationContract};
use lombard_edge::endpoint_facts::{EndpointGroup, RequiredGrant, ResponseMedia};
use lombard_edge::header_names::IDEMPOTENCY_KEY;
use lombard_openapi::{ApiDocument, PublishedApi, SIGNATURE_MUST, path_ids, permission_names, resource};
use lombard_pages::frame::PageFrame;

#[derive(Debug, Template)]
#[template(path = "portal/reference.html")]
pub(crate) struct ReferencePage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: Option<PortalFrame>,
    pub title: &'static str,
    pub developers: &'static str,
    /// The content as HTML, rendered from [`ReferenceContent`].
    pub content: &'a str,
}

impl<'a> ReferencePage<'a> {
    /// The page of a document with this content.
    pub(super) fn new(
        frame: PageFrame<'a>,
        portal: Option<PortalFrame>,
        about: &ApiDocument,
        content: &'a str,
    ) -> Self {
        Self { frame, portal, title: about.title, developers: DEVELOPERS, content }
    }
}

/// The content of the page without the frame, which is the same for every visitor.
#[derive(Debug, Template)]
#[template(path = "portal/reference_content.html")]
pub(crate) struct ReferenceContent {
    /// Whether this is a sandbox, in which operations can be tried out.
    pub sandbox: bool,
    pub title: &'static str,
    pub document: String,
    /// The requirements of every call, in one sentence.
    pub needed: &'static str,
    pub resources: Vec<ReferenceResource>,
    pub headers: Vec<(&'static str, &'static str)>,
}

/// The operations on one resource.
#[derive(Debug)]
pub(crate) struct ReferenceResource {
    pub name: String,
    pub calls: Vec<ReferenceEndpoint>,
}

/// An endpoint in the versions that serve it.
#[derive(Debug)]
pub(crate) struct ReferenceEndpoint {
    /// The name under which the endpoint can be tried out, if it can be.
    pub tried_as: Option<&'static str>,
    pub verb: &'static str,
    pub path: String,
    /// A summary of the endpoint, if its path does not explain it.
    pub summary: &'static str,
    pub versions: Vec<VersionContract>,
    pub token: &'static str,
    pub scopes: String,
    /// One line for each group of permissions.
    pub needs: Vec<String>,
    /// A description of the endpoint.
    pub description: &'static str,
    /// The name, place and meaning of each parameter.
    pub parameters: Vec<(String, &'static str, &'static str)>,
    pub media: Vec<String>,
    pub status: u16,
    pub example: String,
}

/// The contract of an endpoint in one version.
#[derive(Debug)]
pub(crate) struct VersionContract {
    /// The version; empty for an endpoint without versions.
    pub version: &'static str,
    pub asked: Vec<BodyField>,
    pub answered: Vec<BodyField>,
}

/// The offered operations of a group of the catalogue.
pub(crate) fn content(
    sandbox: bool,
    offer: &PublishedApi<'_>,
    about: &ApiDocument,
    group: EndpointGroup,
) -> ReferenceContent {
    let mut resources: Vec<ReferenceResource> = Vec::new();
    for operation in offer.served(group) {
        let Some(contract) = operation.contract() else { continue };
        let shape = shape(&operation, &contract);
        let same = |call: &&mut ReferenceEndpoint| {
            call.path == operation.endpoint.path && call.verb == operation.endpoint.method.name()
        };
        change_calls(&mut resources, resource(operation.endpoint.path), |calls| match calls.iter_mut().find(same) {
            Some(call) => call.versions.push(shape),
            None => calls.push(call(&operation, &contract, shape, offer)),
        });
    }
    let headers = lombard_api::extract::known_headers().collect();
    let needed = "Every call needs the application’s certificate and a token that is bound to it.";
    let title = about.title;
    let document = json_of(about);
    ReferenceContent { sandbox, title, document, needed, resources, headers }
}

/// Changes the operations on the resource of this name. A new resource is added.
pub(super) fn change_calls(
    resources: &mut Vec<ReferenceResource>,
    name: &str,
    change: impl FnOnce(&mut Vec<ReferenceEndpoint>),
) {
    match resources.iter_mut().find(|resource| resource.name == name) {
        Some(resource) => change(&mut resource.calls),
        None => {
            let mut calls = Vec::new();
            change(&mut calls);
            resources.push(ReferenceResource { name: name.to_owned(), calls });
        }
    }
}

fn shape(operation: &Operation, contract: &OperationContract) -> VersionContract {
    let fields = |schema: &Option<serde_json::Value>| schema.as_ref().map(fields::of_data).unwrap_or_default();
    VersionContract {
        version: operation.version.segment(),
        asked: fields(&contract.request_schema),
        answered: fields(&contract.response_schema),
    }
}

fn call(
    operation: &Operation,
    contract: &OperationContract,
    shape: VersionContract,
    offer: &PublishedApi<'_>,
) -> ReferenceEndpoint {
    let endpoint = operation.endpoint;
    let scopes: Vec<_> = endpoint.scopes.iter().map(|scope| scope.name()).collect();
    ReferenceEndpoint {
        tried_as: Some(endpoint.name),
        verb: endpoint.method.name(),
        path: endpoint.path.to_owned(),
        summary: "",
        description: "",
        token: match endpoint.grant {
            RequiredGrant::Client => "The application for itself",
            RequiredGrant::Psu => "A customer’s consent",
            RequiredGrant::Either => "The application for itself, or the customer’s consent",
        },
        scopes: scopes.join(" or "),
        needs: contract.required_permissions.iter().map(|group| permission_names(group).join(" or ")).collect(),
        parameters: parameters(operation, contract),
        media: media(operation, contract),
        status: contract.status.as_u16(),
        example: format!("{}{}", offer.mtls_url, example(&operation.path())),
        versions: vec![shape],
    }
}

fn parameters(operation: &Operation, contract: &OperationContract) -> Vec<(String, &'static str, &'static str)> {
    let ids = path_ids(operation.endpoint.path).map(|id| (id.to_owned(), "path", "as an earlier answer gave it"));
    let filters = filter_names(contract.filter).map(|(from, to)| {
        [
            (from.to_owned(), "query", "from this time on, inclusive"),
            (to.to_owned(), "query", "up to this time, inclusive"),
        ]
    });
    let page = contract.paged.then(|| (PAGE.to_owned(), "query", "a page; only ever taken from Links"));
    let key = (IDEMPOTENCY_KEY.to_owned(), "header", KEY_MUST);
    let signature = (lombard_edge::header_names::SIGNATURE_TEXT.to_owned(), "header", SIGNATURE_MUST);
    let key = operation.endpoint.idempotent.then_some(key);
    let signature = operation.endpoint.signs_requests().then_some(signature);
    ids.chain(filters.into_iter().flatten()).chain(page).chain(key).chain(signature).collect()
}

fn media(operation: &Operation, contract: &OperationContract) -> Vec<String> {
    if !contract.has_answer() {
        return Vec::new();
    }
    let name = |media: &ResponseMedia| {
        let (kind, sub) = media.name();
        format!("{kind}/{sub}")
    };
    operation.endpoint.response_media.iter().map(name).collect()
}

/// The path with example ids.
pub(super) fn example(path: &str) -> String {
    let word = |word: &str| match word.strip_prefix('{') {
        Some(id) => format!("your-{}", id.trim_end_matches('}').trim_end_matches("Id").to_lowercase()),
        None => word.to_owned(),
    };
    path.split('/').map(word).collect::<Vec<_>>().join("/")
}
