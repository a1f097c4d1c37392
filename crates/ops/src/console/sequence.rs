//! Draws a story as a sequence: a column for each party, and an arrow for each entry. The list beside it has the same numbers and says all
//! that the drawing says.

use crate::support::{StoryEntryView, StoryKind, StoryParty};
use std::fmt::Write;

/// The most entries of a drawing; the latest are drawn.
const DRAWN_MAX: usize = 60;

/// The parties, from left to right.
const PARTIES: [StoryParty; 4] = [StoryParty::Customer, StoryParty::Tpp, StoryParty::Server, StoryParty::Core];

const COLUMN: usize = 110;
const ROW: usize = 26;
const HEAD: usize = 34;

/// The x of a party's line.
fn column(of: StoryParty) -> usize {
    let place = PARTIES.iter().position(|it| *it == of).unwrap_or_default();
    COLUMN / 2 + 20 + place * COLUMN
}

/// Draws the entries as an SVG without text of its own language: names of parties and the numbers of the entries.
pub(super) fn draw_sequence(entries: &[StoryEntryView]) -> String {
    let left_out = entries.len().saturating_sub(DRAWN_MAX);
    let drawn = entries.get(left_out..).unwrap_or_default();
    let width = 20 + PARTIES.len() * COLUMN;
    let height = HEAD + drawn.len() * ROW + 10;
    let mut svg = format!(
        "<svg class=\"sequence\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"The entries as arrows between customer, TPP, server and core\">"
    );
    let mut add = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = svg.write_fmt(text);
    };
    for of in PARTIES {
        let x = column(of);
        add(format_args!("<text class=\"party\" x=\"{x}\" y=\"16\" text-anchor=\"middle\">{}</text>", party(of)));
        add(format_args!("<line class=\"life\" x1=\"{x}\" y1=\"24\" x2=\"{x}\" y2=\"{height}\"/>"));
    }
    for (row, (number, entry)) in (left_out.saturating_add(1)..).zip(drawn).enumerate() {
        let y = HEAD + row * ROW + ROW / 2;
        let (from, to) = (column(entry.from), column(entry.to));
        let class = match entry.kind {
            StoryKind::Refusal => "arrow bad",
            StoryKind::Core => "arrow open",
            StoryKind::Request | StoryKind::Consent | StoryKind::Order | StoryKind::Payment | StoryKind::Event => {
                "arrow"
            }
        };
        add(format_args!("<text class=\"number\" x=\"4\" y=\"{}\">{number}</text>", y + 4));
        if from == to {
            add(format_args!("<circle class=\"{class}\" cx=\"{from}\" cy=\"{y}\" r=\"5\"/>"));
            continue;
        }
        // The arrow ends before the line of the party, and its head points there.
        let (tip, back) = if from < to { (to - 2, to - 10) } else { (to + 2, to + 10) };
        let (up, down) = (y - 4, y + 4);
        add(format_args!("<line class=\"{class}\" x1=\"{from}\" y1=\"{y}\" x2=\"{back}\" y2=\"{y}\"/>"));
        add(format_args!("<path class=\"{class}\" d=\"M{tip} {y}L{back} {up}V{down}Z\"/>"));
    }
    add(format_args!("</svg>"));
    svg
}

/// The name of a party.
pub(super) const fn party(party: StoryParty) -> &'static str {
    match party {
        StoryParty::Tpp => "TPP",
        StoryParty::Customer => "Customer",
        StoryParty::Server => "Server",
        StoryParty::Core => "Core",
    }
}
