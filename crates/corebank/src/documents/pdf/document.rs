//! Pages with drawing marks, and the structure tree of a tagged PDF.
//!
//! The two are separate: marks are placed by layout, and the structure tree is in reading order. Marks without a structure
//! element are decoration or are repeated on every page.

use super::style::{PAGE, TextColour};
use super::typeface::TextRun;
use crate::documents::DocumentError;
use krilla::Document;
use krilla::SerializeSettings;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag, TagGroup, TagKind, TagTree};

/// A position in the PDF structure tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StructureTag(usize);

/// A mark on a page.
#[derive(Debug)]
enum PageMark {
    /// Text from this point of its baseline.
    Text { run: TextRun, x: f32, y: f32, meaning: Option<StructureTag> },
    /// A filled rectangle.
    Area { x: f32, y: f32, width: f32, height: f32, ink: TextColour },
}

/// A node of the structure tree with its children in reading order.
#[derive(Debug)]
struct StructureNode {
    tag: TagKind,
    parent: Option<StructureTag>,
    leaves: Vec<Identifier>,
}

/// An entry of the document's outline.
#[derive(Debug)]
struct OutlineEntry {
    title: String,
    page: usize,
    y: f32,
}

/// A document with its pages and its structure tree.
#[derive(Debug, Default)]
pub(super) struct TaggedDocument {
    pages: Vec<Vec<PageMark>>,
    branches: Vec<StructureNode>,
    contents: Vec<OutlineEntry>,
}

impl TaggedDocument {
    /// Starts a page.
    pub(super) fn turn(&mut self) {
        self.pages.push(Vec::new());
    }

    /// The number of pages.
    pub(super) const fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Adds a node to the structure tree.
    pub(super) fn meaning(&mut self, tag: impl Into<TagKind>, parent: Option<StructureTag>) -> StructureTag {
        self.branches.push(StructureNode { tag: tag.into(), parent, leaves: Vec::new() });
        StructureTag(self.branches.len().saturating_sub(1))
    }

    /// Adds an outline entry that points to this height of the last page.
    pub(super) fn announce(&mut self, title: &str, y: f32) {
        let page = self.pages.len().saturating_sub(1);
        self.contents.push(OutlineEntry { title: title.to_owned(), page, y });
    }

    /// Places text on the last page.
    pub(super) fn text(&mut self, run: TextRun, x: f32, y: f32, meaning: Option<StructureTag>) {
        self.put(self.pages.len().saturating_sub(1), PageMark::Text { run, x, y, meaning });
    }

    /// Places text that ends at `x` on the last page.
    pub(super) fn text_to(&mut self, run: TextRun, x: f32, y: f32, meaning: Option<StructureTag>) {
        let x = x - run.width;
        self.text(run, x, y, meaning);
    }

    /// Fills a rectangle on the last page.
    pub(super) fn area(&mut self, (x, y): (f32, f32), (width, height): (f32, f32), ink: TextColour) {
        self.put(self.pages.len().saturating_sub(1), PageMark::Area { x, y, width, height, ink });
    }

    /// Places repeated text on a page, once the number of pages is known.
    pub(super) fn repeated(&mut self, page: usize, run: TextRun, x: f32, y: f32) {
        self.put(page, PageMark::Text { run, x, y, meaning: None });
    }

    fn put(&mut self, page: usize, mark: PageMark) {
        if let Some(marks) = self.pages.get_mut(page) {
            marks.push(mark);
        }
    }

    /// Serialises the PDF.
    ///
    /// # Errors
    /// [`DocumentError::Writing`] if the file would violate the standards it declares.
    pub(super) fn write(mut self, metadata: Metadata) -> Result<Vec<u8>, DocumentError> {
        let failed = |what: String| DocumentError::Writing(what);
        let mut document = Document::new_with(settings()?);
        for marks in std::mem::take(&mut self.pages) {
            let size = PageSettings::from_wh(PAGE.0, PAGE.1).ok_or_else(|| failed("no such page".to_owned()))?;
            let mut page = document.start_page_with(size);
            let mut surface = page.surface();
            for mark in marks {
                if let Some((meaning, leaf)) = draw(&mut surface, mark)
                    && let Some(branch) = self.branches.get_mut(meaning.0)
                {
                    branch.leaves.push(leaf);
                }
            }
            surface.finish();
            page.finish();
        }
        document.set_metadata(metadata);
        document.set_outline(outline(&self.contents));
        document.set_tag_tree(tree(self.branches));
        document.finish().map_err(|error| failed(format!("{error:?}")))
    }
}

fn settings() -> Result<SerializeSettings, DocumentError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|error| DocumentError::Writing(format!("{error:?}")))?;
    Ok(SerializeSettings { configuration, ..SerializeSettings::default() })
}

/// Draws a mark and returns its leaf of the structure tree, if it has one.
fn draw(surface: &mut Surface<'_>, mark: PageMark) -> Option<(StructureTag, Identifier)> {
    match mark {
        PageMark::Area { x, y, width, height, ink } => {
            let rectangle = Rect::from_xywh(x, y, width, height)?;
            let mut path = PathBuilder::new();
            path.push_rect(rectangle);
            let path = path.finish()?;
            surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
            surface.set_fill(Some(fill(ink)));
            surface.draw_path(&path);
            surface.end_tagged();
            None
        }
        PageMark::Text { run, x, y, meaning } => {
            let tag = match meaning {
                Some(_) => ContentTag::Span(SpanTag::empty().with_actual_text(run.actual.as_deref())),
                None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther)),
            };
            let leaf = surface.start_tagged(tag);
            surface.set_fill(Some(fill(run.style.ink)));
            surface.draw_glyphs(Point::from_xy(x, y), &run.glyphs, run.font, &run.text, run.style.size, false);
            surface.end_tagged();
            meaning.map(|meaning| (meaning, leaf))
        }
    }
}

fn fill(ink: TextColour) -> Fill {
    Fill { paint: ink.colour().into(), opacity: NormalizedF32::ONE, rule: krilla::paint::FillRule::default() }
}

fn outline(contents: &[OutlineEntry]) -> Outline {
    let mut outline = Outline::new();
    for entry in contents {
        let place = XyzDestination::new(entry.page, Point::from_xy(0.0, entry.y));
        outline.push_child(OutlineNode::new(entry.title.clone(), place));
    }
    outline
}

/// Builds the structure tree. Children follow their parents in the list, so it is built from the end.
fn tree(branches: Vec<StructureNode>) -> TagTree {
    let parents: Vec<Option<StructureTag>> = branches.iter().map(|branch| branch.parent).collect();
    let mut groups: Vec<Vec<TagGroup>> = branches.iter().map(|_| Vec::new()).collect();
    let mut top = Vec::new();
    for (index, branch) in branches.into_iter().enumerate().rev() {
        let mut group = TagGroup::new(branch.tag);
        branch.leaves.into_iter().for_each(|leaf| group.push(leaf));
        let children = groups.get_mut(index).map(std::mem::take).unwrap_or_default();
        children.into_iter().rev().for_each(|child| group.push(child));
        let siblings = parents.get(index).copied().flatten().and_then(|parent| groups.get_mut(parent.0));
        siblings.unwrap_or(&mut top).push(group);
    }
    let mut tree = TagTree::new().with_lang(Some("en-GB".to_owned()));
    top.into_iter().rev().for_each(|group| tree.push(group));
    tree
}
