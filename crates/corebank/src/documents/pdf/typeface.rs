//! Shaping, measuring and wrapping of text.

use super::style::TextStyle;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::ttf_parser::Tag;
use rustybuzz::{Direction, Face, Feature, UnicodeBuffer};

/// The replacement for a character that the typeface does not have.
const UNKNOWN: char = '?';

/// One weight of the typeface.
struct FontWeight {
    face: Face<'static>,
    font: Font,
}

impl FontWeight {
    fn load(bytes: &'static [u8]) -> Option<Self> {
        Some(Self { face: Face::from_slice(bytes, 0)?, font: Font::new(bytes.into(), 0)? })
    }
}

/// Noto Sans in two weights: Latin, Greek and Cyrillic.
pub(super) struct Typeface {
    regular: FontWeight,
    bold: FontWeight,
}

/// A text on one line, ready to be drawn.
#[derive(Debug, Clone)]
pub(super) struct TextRun {
    /// The text of the glyphs.
    pub(super) text: String,
    /// The original text, if the typeface cannot show all of it.
    pub(super) actual: Option<String>,
    pub(super) glyphs: Vec<KrillaGlyph>,
    pub(super) font: Font,
    pub(super) style: TextStyle,
    /// In points.
    pub(super) width: f32,
}

impl Typeface {
    /// Loads the embedded typeface; `None` if it cannot be parsed, which a test excludes.
    pub(super) fn load() -> Option<Self> {
        Some(Self { regular: FontWeight::load(ttf_noto_sans::REGULAR)?, bold: FontWeight::load(ttf_noto_sans::BOLD)? })
    }

    const fn weight(&self, style: TextStyle) -> &FontWeight {
        if style.bold { &self.bold } else { &self.regular }
    }

    /// Shapes a text on one line of any length.
    pub(super) fn run(&self, style: TextStyle, text: &str) -> TextRun {
        let weight = self.weight(style);
        let is_private = |character| matches!(character, '\u{e000}'..='\u{f8ff}');
        let known = |character: char| !is_private(character) && weight.face.glyph_index(character).is_some();
        let shown: String = text.chars().map(|character| if known(character) { character } else { UNKNOWN }).collect();
        let glyphs = shape(&weight.face, &shown);
        let width = glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>() * style.size;
        let actual = (shown != text).then(|| text.to_owned());
        TextRun { text: shown, actual, glyphs, font: weight.font.clone(), style, width }
    }

    /// The width of a text in points without kerning, for line breaking.
    pub(super) fn width(&self, style: TextStyle, text: &str) -> f32 {
        let face = &self.weight(style).face;
        let advance = |character| {
            let glyph = face.glyph_index(character).or_else(|| face.glyph_index(UNKNOWN));
            glyph.and_then(|glyph| face.glyph_hor_advance(glyph)).map_or(0.0, f32::from)
        };
        text.chars().map(advance).sum::<f32>() * style.size / face.units_per_em() as f32
    }

    /// Wraps a text to this width. Words longer than a line are split.
    pub(super) fn wrap(&self, style: TextStyle, text: &str, width: f32) -> Vec<TextRun> {
        let space = self.width(style, " ");
        let (mut lines, mut line, mut filled) = (Vec::new(), String::new(), 0.0);
        for word in text.split_whitespace() {
            let wide = self.width(style, word);
            if !line.is_empty() && filled + space + wide <= width {
                line.push(' ');
                line.push_str(word);
                filled += space + wide;
                continue;
            }
            if !line.is_empty() {
                // The space is kept at the end of the line, so that words stay separate when the text is read aloud or copied.
                line.push(' ');
                lines.push(std::mem::take(&mut line));
            }
            self.cut(style, word, width, &mut lines, &mut line);
            filled = self.width(style, &line);
        }
        lines.push(line);
        lines.iter().filter(|line| !line.is_empty()).map(|line| self.run(style, line)).collect()
    }

    /// Splits a word that is longer than a line into full lines; the remainder starts the next line.
    fn cut(&self, style: TextStyle, word: &str, width: f32, lines: &mut Vec<String>, rest: &mut String) {
        let mut filled = 0.0;
        for character in word.chars() {
            let wide = self.width(style, character.encode_utf8(&mut [0; 4]));
            if filled + wide > width && !rest.is_empty() {
                lines.push(std::mem::take(rest));
                filled = 0.0;
            }
            rest.push(character);
            filled += wide;
        }
    }
}

/// Shapes text into glyphs, with advances relative to the font size. Ligatures are disabled, so that text can be searched.
fn shape(face: &Face<'_>, text: &str) -> Vec<KrillaGlyph> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    buffer.set_direction(Direction::LeftToRight);
    let off = [b"liga", b"clig"].map(|tag| Feature::new(Tag::from_bytes(tag), 0, ..));
    let shaped = rustybuzz::shape(face, &off, buffer);
    let scale = 1.0 / face.units_per_em() as f32;
    let starts: Vec<usize> = shaped.glyph_infos().iter().map(|glyph| glyph.cluster as usize).collect();
    let end = |start: usize| starts.iter().copied().find(|other| *other > start).unwrap_or(text.len());
    let placed = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).zip(&starts);
    placed
        .map(|((glyph, position), start)| {
            let length = |units: i32| units as f32 * scale;
            KrillaGlyph::new(
                GlyphId::new(glyph.glyph_id),
                length(position.x_advance),
                length(position.x_offset),
                length(position.y_offset),
                length(position.y_advance),
                *start..end(*start),
                None,
            )
        })
        .collect()
}
