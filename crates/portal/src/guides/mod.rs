//! `/portal/docs`: the guides for developers of applications, as pages and as plain text, with a search; `/llms.txt` lists them.
//!
//! The documents were taken from the repository when the program was built. Pages load nothing from other servers.

mod addresses;
mod guide_pages;
mod library;
mod markdown;
mod paths;
mod search;
#[cfg(test)]
mod tests;

use super::frame::{PortalFrame, PortalSection};
use super::open_page::open_page;
use super::paths::{DEVELOPERS, DOCUMENTS_LIST, GUIDES, json_of};
use super::visit::PublicVisit;
use addresses::{ServedPage, ServedTexts, ServerAddresses};
use askama::Template;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use guide_pages::{RenderedGuide, page_named, pages_of};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use library::{LIBRARY, LibraryPart};
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_edge::routing::get;
use lombard_openapi::DOCUMENTS;
use lombard_pages::frame::PageFrame;
use lombard_pages::problem;
use lombard_pages::reply::{PagePolicy, send_page};
use paths::{LLMS, page_of, text_of};
use search::{SearchResult, search};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

#[derive(Debug, Template)]
#[template(path = "portal/guides.html")]
struct GuidesPage<'a> {
    frame: PageFrame<'a>,
    portal: Option<PortalFrame>,
    guides: &'static str,
    developers: &'static str,
    documents: &'static str,
    /// The search text; empty without a search.
    query: &'a str,
    hits: Vec<SearchResult>,
    parts: Vec<PartList>,
    llms: &'static str,
}

/// A section of the list with its documents.
#[derive(Debug)]
struct PartList {
    heading: &'static str,
    documents: Vec<ListedDocument>,
}

/// A document in the list.
#[derive(Debug)]
struct ListedDocument {
    address: String,
    title: &'static str,
}

#[derive(Debug, Template)]
#[template(path = "portal/guide.html")]
struct GuidePage<'a> {
    frame: PageFrame<'a>,
    portal: Option<PortalFrame>,
    guides: &'static str,
    title: &'static str,
    /// The content as HTML. It is rendered from our own documents, in which HTML is disabled.
    html: &'a str,
    text: String,
    /// Whether this server is in production. Many documents describe functions of a sandbox.
    in_production: bool,
}

const SECTION: PortalSection = PortalSection::Guides;

/// The query of the list's URL.
#[derive(Debug, Default, Deserialize)]
struct SearchQuery {
    /// The words of the search.
    #[serde(default)]
    q: String,
}

pub(super) fn routes() -> Router<App> {
    // Settings do not change while a server runs, so the URLs are replaced once, on the first request.
    let texts: Texts = Arc::default();
    Router::new()
        .route(GUIDES, get(list))
        .route(&format!("{GUIDES}/{{*name}}"), get(document))
        .route(LLMS, get(llms))
        .layer(Extension(texts))
}

/// The documents with this server's URLs.
type Texts = Arc<OnceLock<ServedTexts>>;

async fn list(
    State(app): State<App>,
    visit: PublicVisit,
    request: CachedResponseRequest,
    query: Result<Query<SearchQuery>, QueryRejection>,
) -> Response {
    let Query(SearchQuery { q }) = query.unwrap_or_default();
    let server = app.clone();
    if q.trim().is_empty() {
        return open_page(&app, &visit, request, SECTION, move |portal| render_list(&server, portal, "")).await;
    }
    let portal = PortalFrame::of_open(&visit, SECTION);
    app.response_cache.render(move || render_list(&server, portal, &q)).await
}

fn render_list(app: &App, portal: Option<PortalFrame>, query: &str) -> Response {
    let template = GuidesPage {
        frame: PageFrame::of(app),
        portal,
        guides: GUIDES,
        developers: DEVELOPERS,
        documents: DOCUMENTS_LIST,
        query: query.trim(),
        hits: search(query, ServerAddresses::of(&app.settings)),
        parts: parts(),
        llms: LLMS,
    };
    send_page(app, StatusCode::OK, &template, &PagePolicy::plain())
}

fn parts() -> Vec<PartList> {
    let listed =
        |page: &'static RenderedGuide| ListedDocument { address: page_of(page.document), title: &page.rendered.title };
    let list = |(part, heading)| PartList { heading, documents: pages_of(part).map(listed).collect() };
    LibraryPart::PAGES.into_iter().map(list).collect()
}

async fn document(
    State(app): State<App>,
    Extension(texts): Extension<Texts>,
    visit: PublicVisit,
    request: CachedResponseRequest,
    name: Result<Path<String>, PathRejection>,
) -> Response {
    let known = name.ok().and_then(|Path(name)| Some((form_of(&name)?, name)));
    let Some((form, name)) = known else { return problem::not_found(&app) };
    // A caller may write the same path in many ways.
    let request = request.with_path(format!("{GUIDES}/{name}"));
    let server = app.clone();
    let render = move |portal| {
        let texts = texts.get_or_init(|| ServedTexts::with(ServerAddresses::of(&server.settings)));
        render_document(&server, texts, (&name, form), portal)
    };
    match form {
        DocumentForm::Page => open_page(&app, &visit, request, SECTION, render).await,
        DocumentForm::Program | DocumentForm::Markdown => {
            app.response_cache.respond(request, move || render(None)).await
        }
    }
}

/// The URL paths of all documents and of their texts.
pub fn guide_paths() -> impl Iterator<Item = String> {
    LIBRARY.iter().flat_map(|document| [page_of(document), text_of(document)])
}

/// The form in which a document is served.
#[derive(Debug, Clone, Copy)]
enum DocumentForm {
    Page,
    Program,
    Markdown,
}

/// The form in which the document of this name is served; `None` if there is no such document. This does not render the document.
fn form_of(name: &str) -> Option<DocumentForm> {
    let named = |name: &str| LIBRARY.iter().find(|document| document.name() == name);
    match named(name) {
        Some(document) => Some(if document.is_page() { DocumentForm::Page } else { DocumentForm::Program }),
        None => named(name.strip_suffix(".md")?).filter(|it| it.is_page()).map(|_| DocumentForm::Markdown),
    }
}

fn render_document(
    app: &App,
    texts: &ServedTexts,
    (name, form): (&str, DocumentForm),
    portal: Option<PortalFrame>,
) -> Response {
    let page = |name: &str| page_named(name).zip(texts.page_named(name));
    let response = match form {
        DocumentForm::Page => page(name).map(|(found, served)| render_guide(app, portal, found, served)),
        DocumentForm::Program => texts.program(name).map(|text| plain("text/plain; charset=utf-8", text.to_owned())),
        DocumentForm::Markdown => page(name.trim_end_matches(".md"))
            .map(|(_, served)| plain("text/markdown; charset=utf-8", served.text.clone())),
    };
    response.unwrap_or_else(|| problem::not_found(app))
}

fn render_guide(
    app: &App,
    portal: Option<PortalFrame>,
    found: &'static RenderedGuide,
    served: &ServedPage,
) -> Response {
    let template = GuidePage {
        frame: PageFrame::of(app),
        portal,
        guides: GUIDES,
        title: &found.rendered.title,
        html: &served.html,
        text: text_of(found.document),
        in_production: !app.settings.sandbox,
    };
    send_page(app, StatusCode::OK, &template, &PagePolicy::plain())
}

async fn llms(State(app): State<App>, request: CachedResponseRequest) -> Response {
    let server = app.clone();
    app.response_cache.respond(request, move || plain("text/plain; charset=utf-8", list_for_programs(&server))).await
}

/// The list for programs that read text, in the format of <https://llmstxt.org>.
fn list_for_programs(app: &App) -> String {
    let public = &app.settings.public_url;
    let addresses = ServerAddresses::of(&app.settings);
    let served = Version::ALL.into_iter().filter(|version| !app.settings.retired_versions.contains(version));
    let versions: Vec<_> = served.map(Version::segment).collect();
    let sandbox = if app.settings.sandbox { "" } else { " What they say of a sandbox is not on this server." };
    let mut text = format!(
        "# {}\n\n> The UK Open Banking Read/Write API of this bank, {}, with its authorisation server. These are the documents for those \
         who write applications.{sandbox}\n",
        app.settings.bank_name,
        versions.join(" and ")
    );
    for (part, heading) in LibraryPart::PAGES {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n## {heading}\n\n");
        for RenderedGuide { document, rendered } in pages_of(part) {
            let _ = write!(text, "- [{}]({public}{})", rendered.title, text_of(document));
            let summary = addresses.fill(&rendered.summary);
            let _ = if summary.is_empty() { writeln!(text) } else { writeln!(text, ": {summary}") };
        }
    }
    text.push_str("\n## OpenAPI documents\n\n");
    for about in &DOCUMENTS {
        let _ = writeln!(
            text,
            "- [{}]({public}{}): every operation that is served, field by field",
            about.title,
            json_of(about)
        );
    }
    text.push_str("\n## Programs\n\n");
    for program in LIBRARY.iter().filter(|document| document.part == LibraryPart::Program) {
        // The first words of a program describe it.
        let first = program.text.lines().find(|line| !line.starts_with("#!")).unwrap_or_default();
        let summary = first.trim_matches(['/', '!', '#', '"', ' ']);
        let _ = writeln!(text, "- [{}]({public}{}): {summary}", program.name(), text_of(program));
    }
    text
}

fn plain(content_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=300")];
    (headers, text).into_response()
}
