//! A statement as a PDF: lines of text and one table of entries on A4 pages, tagged for screen readers.
//!
//! `krilla` writes the PDF. [`content`] supplies the blocks of a statement, [`layout`] places them on pages, and [`typeface`] measures
//! text. This module draws the pages and builds the structure tree, which is in reading order.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::float_arithmetic,
    reason = "lengths on paper, in points; money gets here as text"
)]

mod content;
mod layout;
mod typeface;

use super::listing::StatementListing;
use super::{DocumentError, wording};
use content::{Block, BlockKind};
use jiff::tz::TimeZone;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::Point;
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, SpanTag, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};
use krilla::{Document, SerializeSettings};
use layout::{PAGE, Pages, Part, PlacedText};
use std::collections::HashMap;
use std::num::NonZeroU16;
use typeface::Typeface;

const SANDBOX: &str = "This statement was made by a sandbox. The bank, the people and the money on it are made up: it is \
                       no proof of funds, of an address or of an identity.";

/// # Errors
/// [`DocumentError::Writing`].
pub(super) fn write(listing: &StatementListing<'_>) -> Result<Vec<u8>, DocumentError> {
    let failed = |what: &str| DocumentError::Writing(what.to_owned());
    let typeface = Typeface::load().ok_or_else(|| failed("the typeface cannot be read"))?;
    let (blocks, bank) = (content::blocks(listing), content::bank(listing));
    let pages = Pages::new(&typeface, &blocks, content::subject(listing), &format!("{bank}. {SANDBOX}"));
    let mut document = Document::new_with(settings()?);
    let mut outline = Outline::new();
    for (title, page, y) in pages.headings {
        outline.push_child(OutlineNode::new(title, XyzDestination::new(page, Point::from_xy(0.0, y))));
    }
    let mut leaves: HashMap<Part, Vec<Identifier>> = HashMap::new();
    for texts in pages.pages {
        let size = PageSettings::from_wh(PAGE.0, PAGE.1).ok_or_else(|| failed("no such page"))?;
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        surface.set_fill(Some(Fill::default()));
        for text in texts {
            let leaf = draw(&mut surface, &typeface, &text);
            if let Some(part) = text.part {
                leaves.entry(part).or_default().push(leaf);
            }
        }
        surface.finish();
        page.finish();
    }
    document.set_metadata(metadata(listing));
    document.set_outline(outline);
    document.set_tag_tree(tag_tree(&blocks, leaves));
    document.finish().map_err(|error| DocumentError::Writing(format!("{error:?}")))
}

fn settings() -> Result<SerializeSettings, DocumentError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|error| DocumentError::Writing(format!("{error:?}")))?;
    Ok(SerializeSettings { configuration, ..SerializeSettings::default() })
}

/// Draws a text and returns the text's leaf of the structure tree.
fn draw(surface: &mut Surface<'_>, typeface: &Typeface, placed: &PlacedText) -> Identifier {
    let run = typeface.run(placed.style, &placed.text);
    let leaf = surface.start_tagged(match placed.part {
        Some(_) => ContentTag::Span(SpanTag::empty().with_actual_text(run.actual.as_deref())),
        None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther)),
    });
    let place = Point::from_xy(placed.x, placed.y);
    surface.draw_glyphs(place, &run.glyphs, run.font, &run.shown, placed.style.size, false);
    surface.end_tagged();
    leaf
}

/// Builds the structure tree. Consecutive rows form one table; a statement always has a block after its last row.
fn tag_tree(blocks: &[Block], mut leaves: HashMap<Part, Vec<Identifier>>) -> TagTree {
    let mut tree = TagTree::new().with_lang(Some("en-GB".to_owned()));
    let mut group = |tag: TagKind, part| {
        let mut group = TagGroup::new(tag);
        leaves.remove(&part).unwrap_or_default().into_iter().for_each(|leaf| group.push(leaf));
        group
    };
    let mut rows = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let title = || Some(block.cells.concat());
        let tag: TagKind = match block.kind {
            BlockKind::Title => Tag::Hn(NonZeroU16::MIN, title()).into(),
            BlockKind::Section => Tag::Hn(NonZeroU16::MIN.saturating_add(1), title()).into(),
            BlockKind::Paragraph => Tag::P.into(),
            BlockKind::Names => Tag::TH(TableHeaderScope::Column).into(),
            BlockKind::Entry | BlockKind::Balance => Tag::TD.into(),
        };
        if block.kind.is_row() {
            let mut row = TagGroup::new(Tag::TR);
            (0..block.cells.len()).for_each(|cell| row.push(group(tag.clone(), (index, cell))));
            rows.push(row);
        } else {
            if !rows.is_empty() {
                tree.push(table(std::mem::take(&mut rows)));
            }
            tree.push(group(tag, (index, 0)));
        }
    }
    tree
}

/// Groups rows as a table; the first row has the column headings.
fn table(rows: Vec<TagGroup>) -> TagGroup {
    let mut rows = rows.into_iter();
    let (mut table, mut head, mut body) =
        (TagGroup::new(Tag::Table), TagGroup::new(Tag::THead), TagGroup::new(Tag::TBody));
    rows.by_ref().take(1).for_each(|row| head.push(row));
    rows.for_each(|row| body.push(row));
    table.push(head);
    table.push(body);
    table
}

/// The metadata of the PDF. Their time is the time of the statement.
fn metadata(listing: &StatementListing<'_>) -> Metadata {
    let (statement, account) = (listing.of.statement, listing.of.account);
    let title = format!("{}, {}", wording::title(account.sub_type, statement.kind), content::period(listing));
    let bank = account.servicer.as_ref().and_then(|bank| bank.name.clone());
    Metadata::new()
        .title(title)
        .language("en-GB".to_owned())
        .authors(bank.into_iter().collect())
        .producer("Lombard".to_owned())
        .document_id(statement.id.as_str().to_owned())
        .creation_date(made_at(statement.created_at))
}

fn made_at(at: jiff::Timestamp) -> DateTime {
    let at = at.to_zoned(TimeZone::UTC);
    let small = |number: i8| number.unsigned_abs();
    DateTime::new(at.year().unsigned_abs())
        .month(small(at.month()))
        .day(small(at.day()))
        .hour(small(at.hour()))
        .minute(small(at.minute()))
        .second(small(at.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}
