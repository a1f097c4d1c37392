//! Renders a document as a page, as plain text, and as sections for the search.
//!
//! Headings have the same ids as on code hosts. Links between documents lead to the served documents, so that a link works both in the
//! repository and in the portal. A link to a file that is not served becomes plain text. HTML in a document is shown as text.

use super::library::{Document, at_path};
use super::paths::{page_of, text_of};
use lombard_edge::guide_links::heading_id;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::collections::HashMap;
use std::ops::Range;

/// The rendered forms of a document.
#[derive(Debug)]
pub(super) struct Rendered {
    /// The first heading of the document.
    pub(super) title: String,
    /// The first sentence of the document's first paragraph, in one line.
    pub(super) summary: String,
    /// The HTML of the page, including the title.
    pub(super) html: String,
    /// The Markdown, with links to the plain texts of the other documents.
    pub(super) text: String,
    /// The sections of the document.
    pub(super) sections: Vec<Section>,
}

/// A heading with the text that follows it.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// The heading.
    pub(super) heading: String,
    /// The heading's id.
    pub(super) id: String,
    /// The text of the section in one line, without marks.
    pub(super) text: String,
    /// The heading and the text in lower case, for the search.
    pub(super) lower: (String, String),
}

/// Renders a document.
pub(super) fn render(document: &Document) -> Rendered {
    let events: Vec<_> = Parser::new_ext(document.text, Options::ENABLE_TABLES).into_offset_iter().collect();
    let mut sections = sections(events.iter().map(|(event, _)| event));
    for section in &mut sections {
        section.lower = (section.heading.to_lowercase(), section.text.to_lowercase());
    }
    let title = sections.first().map_or_else(|| document.name().to_owned(), |first| first.heading.clone());
    let summary = first_sentence(events.iter().map(|(event, _)| event));
    let text = plain_text(document, &events);
    let mut html = String::new();
    html::push_html(&mut html, page_events(document, &sections, events.into_iter().map(|(event, _)| event)));
    Rendered { title, summary, html, text, sections }
}

fn sections<'e>(events: impl Iterator<Item = &'e Event<'e>>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut in_heading = false;
    for event in events {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                in_heading = true;
                sections.push(Section::default());
            }
            Event::End(TagEnd::Heading(_)) => {
                in_heading = false;
                if let Some(section) = sections.last_mut() {
                    let id = heading_id(&section.heading);
                    let earlier = seen.entry(id.clone()).or_default();
                    section.id = if *earlier == 0 { id } else { format!("{id}-{earlier}") };
                    *earlier = earlier.saturating_add(1);
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(section) = sections.last_mut() {
                    if in_heading { &mut section.heading } else { &mut section.text }.push_str(words);
                }
            }
            Event::SoftBreak | Event::HardBreak | Event::End(_) => {
                if let Some(section) = sections.last_mut().filter(|_| !in_heading) {
                    // An inline mark does not end a word, and one blank between words is enough.
                    let inline = matches!(event, Event::End(TagEnd::Link | TagEnd::Strong | TagEnd::Emphasis));
                    if !inline && !section.text.ends_with(' ') && !section.text.is_empty() {
                        section.text.push(' ');
                    }
                }
            }
            _ => {}
        }
    }
    sections
}

/// The first sentence of the first paragraph, in one line and without marks. A final colon before a list or an example becomes a point.
fn first_sentence<'e>(events: impl Iterator<Item = &'e Event<'e>>) -> String {
    let inside = events.skip_while(|event| !matches!(event, Event::Start(Tag::Paragraph)));
    let paragraph = inside.take_while(|event| !matches!(event, Event::End(TagEnd::Paragraph)));
    let text: String = paragraph
        .map(|event| match event {
            Event::Text(words) | Event::Code(words) => words.replace('\n', " "),
            Event::SoftBreak | Event::HardBreak => " ".to_owned(),
            _ => String::new(),
        })
        .collect();
    let sentence = text.split_inclusive(". ").next().unwrap_or_default().trim();
    match sentence.strip_suffix([':', ',', ';']) {
        Some(begin) => format!("{begin}."),
        None => sentence.to_owned(),
    }
}

fn page_events<'e>(
    document: &Document,
    sections: &[Section],
    events: impl Iterator<Item = Event<'e>>,
) -> impl Iterator<Item = Event<'e>> {
    let mut headings = sections.iter();
    // For each open link, whether its target is served.
    let mut links = Vec::new();
    let mut made = Vec::new();
    for event in events {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = headings.next().map(|section| CowStr::from(section.id.clone()));
                made.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(document, &dest_url, page_of);
                links.push(target.is_some());
                made.extend(
                    target.map(|dest_url| Event::Start(Tag::Link { link_type, dest_url: dest_url.into(), title, id })),
                );
            }
            Event::End(TagEnd::Link) => made.extend(links.pop().filter(|linked| *linked).map(|_| event)),
            // An element that may be wider than the page can be focused and scrolled with the keyboard.
            Event::Start(Tag::CodeBlock(_)) => made.push(Event::Html(r#"<pre tabindex="0"><code>"#.into())),
            Event::End(TagEnd::CodeBlock) => made.push(Event::Html("</code></pre>\n".into())),
            Event::Start(Tag::Table(_)) => {
                made.extend([Event::Html(r#"<div class="wide" tabindex="0">"#.into()), event]);
            }
            Event::End(TagEnd::Table) => made.extend([event, Event::Html("</div>\n".into())]),
            Event::InlineHtml(mark) if &*mark == "<br>" => made.push(Event::HardBreak),
            Event::InlineHtml(mark) => made.push(Event::Text(mark)),
            // HTML comments are only for readers of the file.
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) | Event::Html(_) => {}
            other => made.push(other),
        }
    }
    made.into_iter()
}

/// The Markdown with changed link targets, and without links to files that are not served.
fn plain_text(document: &Document, events: &[(Event<'_>, Range<usize>)]) -> String {
    let mut text = String::new();
    let mut done = 0;
    for (event, range) in events {
        let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
        let whole = document.text.get(range.clone()).unwrap_or_default();
        let Some((words, _)) = whole.rsplit_once("](") else { continue };
        text.push_str(document.text.get(done..range.start).unwrap_or_default());
        match target(document, dest_url, text_of) {
            Some(target) => text.push_str(&format!("{words}]({target})")),
            None => text.push_str(words.strip_prefix('[').unwrap_or(words)),
        }
        done = range.end;
    }
    text.push_str(document.text.get(done..).unwrap_or_default());
    text
}

/// The target of a link: within the document, on another server, or a served document. `None` if the target is not served.
fn target(document: &Document, dest: &str, address: impl Fn(&Document) -> String) -> Option<String> {
    if dest.starts_with('#') || dest.contains("://") {
        return Some(dest.to_owned());
    }
    let (file, part) = dest.split_once('#').map_or((dest, None), |(file, part)| (file, Some(part)));
    let found = at_path(&resolved(document.path, file))?;
    let part = part.map(|part| format!("#{part}")).unwrap_or_default();
    Some(format!("{}{part}", address(found)))
}

/// The repository path to which a relative link of a file leads.
fn resolved(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}
