//! Measures and wraps text. Glyphs are set without kerning and ligatures, so that a reader can search the text.

use krilla::text::{Font, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, GlyphId, MetadataProvider, charmap::Charmap};

/// The replacement for a character that the typeface does not have.
const UNKNOWN: char = '?';

/// The style of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextStyle {
    /// The font size in points.
    pub(super) size: f32,
    pub(super) is_bold: bool,
}

impl TextStyle {
    /// The distance from one baseline to the next, in points.
    pub(super) const fn leading(self) -> f32 {
        self.size * 1.35
    }
}

/// One weight of the typeface.
struct FontWeight {
    font: Font,
    characters: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
}

impl FontWeight {
    fn load(bytes: &'static [u8]) -> Option<Self> {
        let face = FontRef::new(bytes).ok()?;
        // Advances are relative to the size of the font.
        let metrics = face.glyph_metrics(Size::new(1.0), LocationRef::default());
        Some(Self { font: Font::new(bytes.into(), 0)?, characters: face.charmap(), metrics })
    }

    /// The glyph of a character; `None` if the typeface has none. PDF/A excludes characters of private use.
    fn known(&self, character: char) -> Option<GlyphId> {
        let is_private = matches!(character, '\u{e000}'..='\u{f8ff}');
        self.characters.map(character).filter(|glyph| !is_private && *glyph != GlyphId::NOTDEF)
    }

    /// The glyph that is drawn for a character, and its advance.
    fn glyph(&self, character: char) -> (GlyphId, f32) {
        let glyph = self.known(character).or_else(|| self.known(UNKNOWN)).unwrap_or(GlyphId::NOTDEF);
        (glyph, self.metrics.advance_width(glyph).unwrap_or_default())
    }
}

/// Noto Sans in two weights: Latin, Greek and Cyrillic.
pub(super) struct Typeface {
    regular: FontWeight,
    bold: FontWeight,
}

/// A text on one line, ready to be drawn.
pub(super) struct TextRun {
    /// The text that the glyphs show.
    pub(super) shown: String,
    /// The original text, if the typeface cannot show all of it.
    pub(super) actual: Option<String>,
    pub(super) glyphs: Vec<KrillaGlyph>,
    pub(super) font: Font,
}

impl Typeface {
    /// Loads the embedded typeface. The result is `None` if the typeface cannot be parsed; a test checks that it can.
    pub(super) fn load() -> Option<Self> {
        Some(Self { regular: FontWeight::load(ttf_noto_sans::REGULAR)?, bold: FontWeight::load(ttf_noto_sans::BOLD)? })
    }

    const fn weight(&self, style: TextStyle) -> &FontWeight {
        if style.is_bold { &self.bold } else { &self.regular }
    }

    /// The glyphs of a text on one line.
    pub(super) fn run(&self, style: TextStyle, text: &str) -> TextRun {
        let weight = self.weight(style);
        let known = |character| if weight.known(character).is_some() { character } else { UNKNOWN };
        let shown: String = text.chars().map(known).collect();
        let glyph = |(start, character): (usize, char)| {
            let (glyph, advance) = weight.glyph(character);
            let id = krilla::text::GlyphId::new(glyph.to_u32());
            KrillaGlyph::new(id, advance, 0.0, 0.0, 0.0, start..start + character.len_utf8(), None)
        };
        let glyphs = shown.char_indices().map(glyph).collect();
        TextRun { glyphs, actual: (shown != text).then(|| text.to_owned()), font: weight.font.clone(), shown }
    }

    /// The width of a text in points.
    pub(super) fn width(&self, style: TextStyle, text: &str) -> f32 {
        text.chars().map(|character| self.weight(style).glyph(character).1).sum::<f32>() * style.size
    }

    /// Wraps a text to this width. A word that is longer than a line is split.
    pub(super) fn wrap(&self, style: TextStyle, text: &str, width: f32) -> Vec<String> {
        let (mut lines, mut line) = (Vec::new(), String::new());
        for word in text.split_whitespace() {
            // The space is kept at the end of the line, so that words stay separate when the text is read aloud or copied.
            if !line.is_empty() {
                line.push(' ');
                if self.width(style, &line) + self.width(style, word) > width {
                    lines.push(std::mem::take(&mut line));
                }
            }
            let mut filled = self.width(style, &line);
            for character in word.chars() {
                let advance = self.weight(style).glyph(character).1 * style.size;
                if filled + advance > width && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                    filled = 0.0;
                }
                line.push(character);
                filled += advance;
            }
        }
        lines.push(line);
        lines
    }
}
