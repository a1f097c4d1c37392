use super::guide_pages::{PAGES, RenderedGuide, page_named};
use super::library::{LIBRARY, at_path};
use lombard_edge::guide_links::heading_id;
use std::collections::HashSet;

#[test]
fn every_document_has_a_name_of_its_own_a_title_and_a_summary() {
    let names: HashSet<_> = LIBRARY.iter().map(|document| document.name()).collect();
    assert_eq!(names.len(), LIBRARY.len());
    for RenderedGuide { document, rendered } in PAGES.iter() {
        assert!(!rendered.title.is_empty() && rendered.html.starts_with("<h1 "), "{}", document.name());
        let summary = &rendered.summary;
        assert!(summary.is_empty() || (summary.ends_with('.') && !summary.contains(['\n', '|', '{'])), "{summary}");
        assert!(document.text.starts_with("# ") && at_path(document.path).is_some());
    }
    assert!(page_named("events").is_some() && page_named("operating/sandbox").is_some());
    assert!(page_named("tpps/events").is_none());
}

#[test]
fn every_guide_of_the_repository_is_served() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tpps");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(at_path(&format!("docs/tpps/{name}")).is_some(), "{name} is not served");
    }
}

#[test]
fn headings_have_the_ids_of_code_hosts() {
    for (heading, id) in [
        ("Signatures: `x-jws-signature`", "signatures-x-jws-signature"),
        ("Forbidden.Scope", "forbiddenscope"),
        ("invalid_client", "invalid_client"),
        ("v3.1 and v4.0, for TPPs", "v31-and-v40-for-tpps"),
    ] {
        assert_eq!(heading_id(&heading.replace('`', "")), id);
    }
}

#[test]
fn links_lead_to_what_is_served_and_html_is_text() {
    let guide = &page_named("signing").unwrap().rendered;
    assert!(guide.html.contains(r#"href="/portal/docs/payments#signatures-x-jws-signature""#));
    assert!(guide.html.contains(r#"href="/portal/docs/examples/tpp-curl/client.sh""#));
    assert!(guide.text.contains("](/portal/docs/payments.md#signatures-x-jws-signature)"));
    let log = &page_named("request-log").unwrap().rendered;
    assert!(log.html.contains("(operators)") && log.text.contains("(operators)"), "what is not served is words");
    for RenderedGuide { document, rendered } in PAGES.iter() {
        for mark in ["<script", "<!--", "href=\"..", "<img", "href=\"http://"] {
            assert!(!rendered.html.contains(mark), "{}: {mark}", document.name());
        }
        assert!(!rendered.text.contains("](.."), "{}: a link that leads nowhere is words", document.name());
    }
}
