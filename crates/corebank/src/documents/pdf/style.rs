//! Sizes, distances and colours. Lengths are points (1/72 inch) from the upper left corner.

use krilla::color::rgb;

/// The size of a page: A4.
pub(super) const PAGE: (f32, f32) = (595.28, 841.89);
/// The left and right margin.
pub(super) const MARGIN: f32 = 48.0;
/// The top of the content on all pages but the first.
pub(super) const TOP: f32 = 84.0;
/// The bottom of the content.
pub(super) const BOTTOM: f32 = 772.0;
/// The width of content.
pub(super) const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextColour {
    /// Text.
    Text,
    /// Secondary text, with a contrast of 7:1 on white.
    Soft,
    /// The bank's brand colour.
    Brand,
    /// Text on the brand colour.
    White,
    /// The background of the main figures.
    Tint,
    /// Rules between rows.
    Line,
}

impl TextColour {
    /// The colour as a type of the library.
    pub(super) fn colour(self) -> rgb::Color {
        match self {
            Self::Text => rgb::Color::new(0x14, 0x21, 0x2b),
            Self::Soft => rgb::Color::new(0x4a, 0x5a, 0x67),
            Self::Brand => rgb::Color::new(0x0b, 0x46, 0x41),
            Self::White => rgb::Color::new(0xff, 0xff, 0xff),
            Self::Tint => rgb::Color::new(0xe4, 0xf1, 0xef),
            Self::Line => rgb::Color::new(0xd5, 0xdd, 0xe2),
        }
    }
}

/// The style of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextStyle {
    /// In points.
    pub(super) size: f32,
    /// From one baseline to the next, in points.
    pub(super) leading: f32,
    /// Whether it is bold.
    pub(super) bold: bool,
    /// The colour.
    pub(super) ink: TextColour,
}

const fn plain(size: f32, leading: f32, ink: TextColour) -> TextStyle {
    TextStyle { size, leading, bold: false, ink }
}

const fn bold(size: f32, leading: f32, ink: TextColour) -> TextStyle {
    TextStyle { size, leading, bold: true, ink }
}

pub(super) const BANK: TextStyle = bold(15.0, 18.0, TextColour::Brand);
pub(super) const TITLE: TextStyle = bold(20.0, 26.0, TextColour::Text);
pub(super) const PERIOD: TextStyle = plain(11.0, 16.0, TextColour::Soft);
pub(super) const SECTION: TextStyle = bold(12.0, 16.0, TextColour::Brand);
pub(super) const ADDRESS: TextStyle = plain(10.5, 14.5, TextColour::Text);
pub(super) const LABEL: TextStyle = plain(8.5, 13.5, TextColour::Soft);
pub(super) const FACT: TextStyle = plain(8.5, 13.5, TextColour::Text);
pub(super) const FIGURE: TextStyle = bold(13.0, 17.0, TextColour::Brand);
pub(super) const HEAD: TextStyle = bold(8.5, 12.0, TextColour::Brand);
pub(super) const CELL: TextStyle = plain(8.5, 11.5, TextColour::Text);
pub(super) const STRONG: TextStyle = bold(8.5, 11.5, TextColour::Text);
pub(super) const NOTE: TextStyle = plain(7.5, 10.5, TextColour::Soft);
pub(super) const FOOT: TextStyle = plain(7.5, 10.0, TextColour::Soft);
