//! Draws the traffic of the last hour as SVG: bars by minute, and a line.

use std::fmt::Write;

/// The left edge, the bars of an hour, and the right edge.
const WIDTH: usize = LEFT + MINUTES * STEP;
const HEIGHT: usize = 140;
/// The height of the drawing above the line of the minutes.
const PLOT: usize = 120;
const LEFT: usize = 10;
/// The number of minutes of a chart.
const MINUTES: usize = 60;
/// The width of a minute.
const STEP: usize = 10;

/// The parts of a bar, from the bottom to the top, each with the CSS class of its colour.
pub(super) type BarParts = Vec<(&'static str, f64)>;

/// Draws a bar of parts for each minute, the newest at the right. `label` says what the bars are.
pub(super) fn draw_bars(label: &str, minutes: &[BarParts]) -> String {
    let total = |parts: &BarParts| parts.iter().map(|(_, value)| value).sum::<f64>();
    let highest = minutes.iter().map(total).fold(0.0_f64, f64::max);
    let mut svg = begin(label);
    for (place, parts) in minutes.iter().enumerate() {
        let x = x_of(place, minutes.len());
        let mut base = 0.0;
        for (class, value) in parts.iter().filter(|(_, value)| *value > 0.0) {
            let (y, height) = (y_of(base + value, highest), y_of(base, highest) - y_of(base + value, highest));
            add(
                &mut svg,
                format_args!(
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{height:.1}\"/>",
                    STEP - 2
                ),
            );
            base += value;
        }
    }
    end(svg)
}

/// Draws a line through the values that are there, the newest at the right.
pub(super) fn draw_line(label: &str, minutes: &[Option<f64>]) -> String {
    let highest = minutes.iter().flatten().copied().fold(0.0_f64, f64::max);
    let mut svg = begin(label);
    let points = minutes.iter().enumerate().filter_map(|(place, value)| Some((x_of(place, minutes.len()), (*value)?)));
    let mut path = String::new();
    for (x, value) in points {
        let command = if path.is_empty() { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{} {:.1}", x + STEP / 2, y_of(value, highest));
        let (cx, cy) = (x + STEP / 2, y_of(value, highest));
        add(&mut svg, format_args!("<circle class=\"all\" cx=\"{cx}\" cy=\"{cy:.1}\" r=\"2.5\"/>"));
    }
    if !path.is_empty() {
        add(&mut svg, format_args!("<path class=\"trend\" d=\"{path}\"/>"));
    }
    end(svg)
}

fn begin(label: &str) -> String {
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\
         <line class=\"axis\" x1=\"{LEFT}\" y1=\"{PLOT}\" x2=\"{WIDTH}\" y2=\"{PLOT}\"/>\
         <text x=\"{LEFT}\" y=\"137\">60 min ago</text><text x=\"{WIDTH}\" y=\"137\" text-anchor=\"end\">now</text>"
    )
}

fn end(mut svg: String) -> String {
    svg.push_str("</svg>");
    svg
}

fn add(svg: &mut String, part: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = svg.write_fmt(part);
}

/// The left edge of a minute: the last one is at the right edge of the chart.
const fn x_of(place: usize, count: usize) -> usize {
    LEFT + (MINUTES.saturating_sub(count) + place) * STEP
}

#[expect(clippy::cast_precision_loss, reason = "the height of a chart is small")]
fn y_of(value: f64, highest: f64) -> f64 {
    let plot = (PLOT - 10) as f64;
    if highest > 0.0 { PLOT as f64 - value / highest * plot } else { PLOT as f64 }
}
