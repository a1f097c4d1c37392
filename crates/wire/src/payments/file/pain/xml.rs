//! A restricted XML reader: no document type, only the five predefined entities, limited nesting.

use crate::payments::file::limits::{InputLimits, LimitedInput};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};
use quick_xml::reader::NsReader;
use std::borrow::Cow;
use std::io::{self, BufRead};

/// The namespace of the message.
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.08";

/// The maximum length of an element's attributes in bytes, because each attribute is compared with all others.
const ATTRIBUTE_BYTES_MAX: usize = 1024;

/// An element with its content.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// Its name in the message's namespace; empty for other namespaces.
    pub(super) name: String,
    /// Its `Ccy` attribute.
    pub(super) currency: Option<String>,
    /// Its text, concatenated.
    pub(super) text: String,
    /// Its child elements.
    pub(super) children: Vec<Element>,
}

impl Element {
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// The start of an element.
pub(super) struct ElementStart {
    /// Its name in the message's namespace; empty for other namespaces.
    pub(super) name: String,
    currency: Option<String>,
}

/// The next event of a document.
pub(super) enum XmlEvent {
    Open(ElementStart),
    Close,
    Text(String),
    End,
}

/// Why a document cannot be parsed further.
pub(super) enum XmlError {
    Input(io::Error),
    Form(Cow<'static, str>),
}

/// A document being parsed.
pub(super) struct XmlReader<'m, R> {
    reader: NsReader<LimitedInput<'m, R>>,
    meter: &'m InputLimits,
    buffer: Vec<u8>,
    depth: usize,
    depth_max: usize,
    has_begun: bool,
    has_ended: bool,
}

impl<'m, R: BufRead> XmlReader<'m, R> {
    pub(super) fn new(input: LimitedInput<'m, R>, depth_max: usize) -> Self {
        let meter = input.meter();
        let mut reader = NsReader::from_reader(input);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_comments = true;
        Self { reader, meter, buffer: Vec::new(), depth: 0, depth_max, has_begun: false, has_ended: false }
    }

    /// Starts a payment, with the full size limit of a line.
    pub(super) fn line_begins(&self) {
        self.meter.line_begins();
    }

    /// Reads the rest of the element whose start was read.
    pub(super) fn element(&mut self, tag: ElementStart) -> Result<Element, XmlError> {
        let mut element = Element { name: tag.name, currency: tag.currency, ..Element::default() };
        loop {
            match self.next()? {
                XmlEvent::Open(tag) => element.children.push(self.element(tag)?),
                XmlEvent::Text(text) => element.text.push_str(&text),
                XmlEvent::Close => return Ok(element),
                XmlEvent::End => return Err(self.broken()),
            }
        }
    }

    /// The next event; comments and processing instructions are skipped.
    pub(super) fn next(&mut self) -> Result<XmlEvent, XmlError> {
        loop {
            if let Some(piece) = self.event()? {
                return Ok(piece);
            }
        }
    }

    fn event(&mut self) -> Result<Option<XmlEvent>, XmlError> {
        self.buffer.clear();
        let position = self.reader.buffer_position();
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let (namespace, event) = match self.reader.read_resolved_event_into(&mut self.buffer) {
            Ok(read) => read,
            Err(error) => return Err(unreadable(error, position)),
        };
        let is_ours = matches!(namespace, ResolveResult::Bound(Namespace(NAMESPACE)));
        let piece = match event {
            Event::Start(start) | Event::Empty(start) => {
                let tag = tag(&start, is_ours).ok_or_else(|| ill_formed(position))?;
                if self.has_ended {
                    return Err(ill_formed(position));
                }
                self.depth = self.depth.saturating_add(1);
                if self.depth > self.depth_max {
                    return Err(XmlError::Form("The file nests too deep.".into()));
                }
                XmlEvent::Open(tag)
            }
            Event::End(_) => {
                self.depth = self.depth.saturating_sub(1);
                self.has_ended = self.depth == 0;
                XmlEvent::Close
            }
            Event::Text(text) => XmlEvent::Text(text.xml10_content().into_owned()),
            Event::CData(text) => XmlEvent::Text(text.xml10_content().into_owned()),
            Event::GeneralRef(name) => XmlEvent::Text(resolved(&name).ok_or_else(|| {
                XmlError::Form(
                    format!("The file refers to an entity that is not one of XML's own (byte {position}).").into(),
                )
            })?),
            Event::Decl(declaration) if is_first && is_plain(&declaration) => return Ok(None),
            Event::Decl(declaration) => return Err(XmlError::Form(refusal_of(&declaration, is_first).into())),
            Event::DocType(_) => return Err(XmlError::Form("The file must not have a document type.".into())),
            Event::Comment(_) | Event::PI(_) => return Ok(None),
            Event::Eof if self.has_ended => XmlEvent::End,
            Event::Eof => return Err(ill_formed(position)),
        };
        match &piece {
            // Outside the root element only white space is allowed.
            XmlEvent::Text(text) if self.depth == 0 => {
                if text.trim().is_empty() {
                    Ok(None)
                } else {
                    Err(ill_formed(position))
                }
            }
            XmlEvent::Open(_) | XmlEvent::Close | XmlEvent::Text(_) | XmlEvent::End => Ok(Some(piece)),
        }
    }

    fn broken(&self) -> XmlError {
        ill_formed(self.reader.buffer_position())
    }
}

fn tag(start: &BytesStart<'_>, is_ours: bool) -> Option<ElementStart> {
    if start.attributes_raw().len() > ATTRIBUTE_BYTES_MAX {
        return None;
    }
    let mut currency = None;
    for attribute in start.attributes() {
        let attribute = attribute.ok()?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0).ok()?;
        if attribute.key.as_ref() == "Ccy" {
            currency = Some(value.into_owned());
        }
    }
    let name = if is_ours { start.local_name().as_ref().to_owned() } else { String::new() };
    Some(ElementStart { name, currency })
}

/// The text of a reference: a character, or a predefined entity.
fn resolved(reference: &BytesRef<'_>) -> Option<String> {
    if reference.is_char_ref() {
        return reference.resolve_char_ref().ok()?.map(String::from);
    }
    resolve_predefined_entity(&reference.xml10_content()).map(str::to_owned)
}

/// Whether the declaration names XML 1.0 in UTF-8, or in its subset ASCII.
fn is_plain(declaration: &BytesDecl<'_>) -> bool {
    let version = declaration.version().is_ok_and(|version| version == "1.0");
    let encoding = match declaration.encoding() {
        None => true,
        Some(Ok(name)) => ["utf-8", "us-ascii"].iter().any(|known| name.eq_ignore_ascii_case(known)),
        Some(Err(_)) => false,
    };
    version && encoding
}

/// Why a declaration is refused. Source: XML 1.0, section 2.8.
fn refusal_of(declaration: &BytesDecl<'_>, is_first: bool) -> String {
    const FOREIGN: [&str; 6] = ["UTF-16", "UTF-32", "ISO-8859-1", "ISO-8859-15", "windows-1252", "EBCDIC-CP-GB"];
    if !is_first {
        return "The XML declaration must begin the file.".to_owned();
    }
    let declared = declaration.encoding().and_then(Result::ok);
    let known = declared.and_then(|name| FOREIGN.into_iter().find(|known| name.eq_ignore_ascii_case(known)));
    match known {
        Some(encoding) => format!("The file declares the encoding {encoding}; it must be XML 1.0 in UTF-8."),
        None => "The file must be XML 1.0 in UTF-8, and its declaration must say so.".to_owned(),
    }
}

fn ill_formed(position: u64) -> XmlError {
    XmlError::Form(format!("The file is not well-formed XML (byte {position}).").into())
}

fn unreadable(error: quick_xml::Error, position: u64) -> XmlError {
    match error {
        quick_xml::Error::Io(error) => XmlError::Input(io::Error::new(error.kind(), error)),
        quick_xml::Error::Syntax(_)
        | quick_xml::Error::IllFormed(_)
        | quick_xml::Error::InvalidAttr(_)
        | quick_xml::Error::Encoding(_)
        | quick_xml::Error::Escape(_)
        | quick_xml::Error::Namespace(_) => ill_formed(position),
    }
}
