//! The tour's report: steps, calls with status and duration, facts, and failed checks.

use lombard_tpp::HttpExchange;
use std::io::{self, Write};

/// The width of a call before its status.
const CALL_WIDTH: usize = 78;

/// Writes the report. The error of the first failed write is kept, and [`TourReport::close`] returns it.
pub(super) struct TourReport<'a> {
    out: &'a mut (dyn Write + Send),
    colours: bool,
    steps: usize,
    checks: usize,
    faults: usize,
    failed: Option<io::Error>,
}

#[derive(Debug, Clone, Copy)]
enum ReportColour {
    Bold,
    Dim,
    Green,
    Red,
}

impl<'a> TourReport<'a> {
    pub(super) fn new(out: &'a mut (dyn Write + Send), colours: bool) -> Self {
        Self { out, colours, steps: 0, checks: 0, faults: 0, failed: None }
    }

    pub(super) fn title(&mut self, title: &str) {
        let title = self.ink(ReportColour::Bold, title);
        self.line(&title);
    }

    pub(super) fn step(&mut self, title: &str) {
        self.steps = self.steps.saturating_add(1);
        let title = self.ink(ReportColour::Bold, &format!("{:>2}. {title}", self.steps));
        self.line("");
        self.line(&title);
    }

    /// Prints one call: method, URL, status and time.
    pub(super) fn exchange(&mut self, exchange: &HttpExchange) {
        let address = short(exchange.url.path(), exchange.url.query());
        let call = format!("{:<6} {address}", exchange.method);
        let millis = exchange.duration.as_secs_f64() * 1_000.0;
        let status = self.ink(ReportColour::Dim, &format!("{} {millis:>7.1} ms", exchange.status.as_u16()));
        self.line(&format!("    {call:<CALL_WIDTH$} {status}"));
    }

    /// Prints additional information.
    pub(super) fn fact(&mut self, fact: &str) {
        self.line(format!("    {fact}").trim_end());
    }

    /// Counts a check; only a failed check is printed.
    pub(super) fn check(&mut self, holds: bool, what: &str) {
        self.checks = self.checks.saturating_add(1);
        if !holds {
            self.faults = self.faults.saturating_add(1);
            let fault = self.ink(ReportColour::Red, &format!("FAILED: {what}"));
            self.line(&format!("    {fault}"));
        }
    }

    /// Prints the totals and returns the number of checks and of failures.
    pub(super) fn close(&mut self, to_the_end: bool) -> io::Result<(usize, usize)> {
        self.line("");
        if to_the_end {
            let sum = format!("{} steps, {} checks, {} failed", self.steps, self.checks, self.faults);
            let sum = self.ink(if self.faults == 0 { ReportColour::Green } else { ReportColour::Red }, &sum);
            self.line(&sum);
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok((self.checks, self.faults)),
        }
    }

    fn line(&mut self, line: &str) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.out, "{line}")
        {
            self.failed = Some(error);
        }
    }

    fn ink(&self, ink: ReportColour, text: &str) -> String {
        if !self.colours {
            return text.to_owned();
        }
        let code = match ink {
            ReportColour::Bold => "1",
            ReportColour::Dim => "2",
            ReportColour::Green => "32",
            ReportColour::Red => "31",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// Shortens a URL to the width of its column: long ids and cursors are cut, and the query shows only parameter names.
fn short(path: &str, query: Option<&str>) -> String {
    let path: Vec<String> = path.split('/').map(|segment| cut(segment, 28)).collect();
    let names = query.map(|query| {
        let names: Vec<_> = query.split('&').map(|pair| pair.split('=').next().unwrap_or(pair)).collect();
        format!("?{}=…", names.join("=…&"))
    });
    cut(&format!("{}{}", path.join("/"), names.unwrap_or_default()), 70)
}

fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_cut_and_queries_hide_their_values() {
        assert_eq!(short("/token", None), "/token");
        assert_eq!(short("/authorize", Some("client_id=x&request=ey")), "/authorize?client_id=…&request=…");
        assert_eq!(short(&format!("/a/{}", "x".repeat(40)), None), format!("/a/{}…", "x".repeat(27)));
    }

    #[test]
    fn only_failed_checks_are_shown_and_all_are_counted() {
        let mut out: Vec<u8> = Vec::new();
        let mut report = TourReport::new(&mut out, false);
        report.step("First");
        report.check(true, "fine");
        report.check(false, "not fine");
        assert_eq!(report.close(true).unwrap(), (2, 1));
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\n 1. First\n    FAILED: not fine\n\n1 steps, 2 checks, 1 failed\n");
    }
}
