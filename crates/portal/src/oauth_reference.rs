//! The reference page of a part of the authorisation server.

use super::fields::{self, BodyField};
use super::paths::json_of;
use super::reference::{
    ReferenceContent, ReferenceEndpoint, ReferenceResource, VersionContract, change_calls, example,
};
use lombard_domain::scope::Scope;
use lombard_oauth::{OAuthOperation, RequestBody, RequiredCaller, object_schema};
use lombard_openapi::{ApiDocument, OAuthPart, PublishedApi, is_of_part, path_ids, topic};

/// The content of the page: the offered operations of a part of the authorisation server.
pub(crate) fn content(
    sandbox: bool,
    offer: &PublishedApi<'_>,
    about: &ApiDocument,
    part: OAuthPart,
) -> ReferenceContent {
    let mut resources: Vec<ReferenceResource> = Vec::new();
    for operation in lombard_oauth::operations().iter().filter(|operation| is_of_part(operation, part, offer)) {
        let (topic, _) = topic(operation);
        change_calls(&mut resources, topic, |calls| calls.push(call(operation, offer)));
    }
    let needed = "Every call but those for anybody needs the application’s certificate.";
    let title = about.title;
    let document = json_of(about);
    ReferenceContent { sandbox, title, document, needed, resources, headers: Vec::new() }
}

fn call(operation: &OAuthOperation, offer: &PublishedApi<'_>) -> ReferenceEndpoint {
    let success = &operation.success;
    let answered = success.content.first().map(|(_, _, schema)| fields::of_data(schema)).unwrap_or_default();
    let base = if operation.endpoint.requires_mtls() { offer.mtls_url } else { offer.public_url };
    let path = operation.path();
    ReferenceEndpoint {
        tried_as: None,
        verb: operation.method.name(),
        summary: operation.summary,
        description: operation.description,
        token: match operation.caller {
            RequiredCaller::Anybody => "None",
            RequiredCaller::Certificate => "None; the software’s certificate",
            RequiredCaller::Client => "None; the client authenticates",
            RequiredCaller::ClientToken => "The application for itself",
            RequiredCaller::CustomerToken => "A customer’s consent",
        },
        scopes: match operation.caller {
            RequiredCaller::CustomerToken => Scope::OpenId.name().to_owned(),
            _ => String::new(),
        },
        needs: Vec::new(),
        parameters: parameters(operation),
        media: success.content.iter().map(|(media, ..)| (*media).to_owned()).collect(),
        status: success.status.as_u16(),
        example: format!("{base}{}", example(&path)),
        versions: vec![VersionContract { version: "", asked: asked(operation.request.as_ref()), answered }],
        path,
    }
}

fn asked(request: Option<&RequestBody>) -> Vec<BodyField> {
    match request {
        Some(RequestBody::Form { fields, .. }) => fields::of_data(&object_schema(fields)),
        Some(RequestBody::Jwt { claims, .. }) => fields::of_data(claims),
        None => Vec::new(),
    }
}

fn parameters(operation: &OAuthOperation) -> Vec<(String, &'static str, &'static str)> {
    let ids = path_ids(operation.segment).map(|id| (id.to_owned(), "path", "as the registration gave it"));
    let query = operation.query.iter().map(|field| (field.name.to_owned(), "query", field.words));
    ids.chain(query).collect()
}
