//! The `http` blocks of a guide: what a request or an answer looks like there, and how a shown answer is compared with a real one.
//!
//! A block that begins with a method and a path is a request. One that begins with `HTTP/1.1` is the answer to the request before it. Words
//! after `http` in the first line of the block say more. A block `json event` is the payload of the first event that the answer before it brought.
//!
//! | Word | Meaning |
//! |---|---|
//! | `both` | a test also sends the request through v3.1 |
//! | `later` | a minute passes at the bank before the request |
//! | `data` | the values of the answer are examples: only names and kinds are compared |
//!
//! `{Name}` stands for the member of that name in an earlier answer. In an answer, `…` stands for whatever the server says there, `"…"` as
//! the last element of a list for further elements, and `"…"` as the name of a member for further members. Ids, times and origins of URLs
//! are examples: only their form is compared.

use serde_json::{Map, Value};

/// The longest line of JSON that this writes.
const WIDTH: usize = 88;

/// What stands for anything.
pub(super) const ANYTHING: &str = "…";

/// A block of a page, by its place in the text.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The language of the block, and the words after it.
    pub(super) words: Vec<String>,
    /// The first line.
    pub(super) first: String,
    /// The headers.
    pub(super) headers: Vec<(String, String)>,
    /// The body as it is written, empty if there is none.
    pub(super) body: String,
    /// Where the body begins and ends in the text of the page.
    pub(super) span: (usize, usize),
}

impl Block {
    /// The blocks of a page that are requests, answers or events.
    pub(super) fn of_page(page: &str) -> Vec<Self> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(begin) = page[at..].find("\n```").map(|offset| at + offset + 4) {
            let line = begin + page[begin..].find('\n').unwrap() + 1;
            let end = line - 1 + page[line - 1..].find("\n```").expect("a block ends");
            let words: Vec<_> = page[begin..line].split_whitespace().map(str::to_owned).collect();
            let text = &page[line.min(end)..end];
            match words.first().map(String::as_str) {
                Some("http") => found.push(Self::parse(words, text, line)),
                Some("json") if words.len() == 2 && words[1] == "event" => found.push(Self::event(words, text, line)),
                _ => {}
            }
            at = end + 4;
        }
        found
    }

    fn event(words: Vec<String>, text: &str, at: usize) -> Self {
        let span = (at, at + text.len());
        Self { words, first: String::new(), headers: Vec::new(), body: text.to_owned(), span }
    }

    fn parse(words: Vec<String>, text: &str, at: usize) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let first = lines.next().unwrap().to_owned();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap_or_else(|| panic!("no header: {line}"));
            (name.to_lowercase(), value.to_owned())
        };
        let end = at + text.len();
        let span = (end - body.len(), end);
        Self { words, first, headers: lines.map(header).collect(), body: body.to_owned(), span }
    }

    /// The status, if this is an answer.
    pub(super) fn status(&self) -> Option<u16> {
        let status = self.first.strip_prefix("HTTP/1.1 ")?;
        status.split(' ').next().unwrap().parse().ok()
    }

    /// Whether a word stands after `http`.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|it| it == word)
    }

    /// A header, if it is shown.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// A text without what differs from run to run: ids, times, origins.
fn form(text: &str) -> String {
    let words = text.split_inclusive(|sign: char| !(sign.is_alphanumeric() || "-:.+".contains(sign)));
    words
        .map(|word| {
            let rest = word.trim_end_matches(|sign: char| !(sign.is_alphanumeric() || "-:.+".contains(sign)));
            let end = &word[rest.len()..];
            let (id, after) = rest.split_at_checked(36).unwrap_or((rest, ""));
            if id.len() == 36 && uuid::Uuid::parse_str(id).is_ok() {
                format!("<id>{after}{end}")
            } else if rest.parse::<jiff::Timestamp>().is_ok() || rest.parse::<jiff::civil::Date>().is_ok() {
                format!("<time>{end}")
            } else if rest
                .strip_prefix("localhost:")
                .or(rest.strip_prefix("127.0.0.1:"))
                .is_some_and(|it| it.parse::<u16>().is_ok())
            {
                format!("<host>{end}")
            } else {
                word.to_owned()
            }
        })
        .collect()
}

fn same_text(shown: &str, real: &str) -> bool {
    match shown.split_once(ANYTHING) {
        Some((begin, end)) => form(real).starts_with(&form(begin)) && real.ends_with(end),
        None => form(shown) == form(real),
    }
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    /// Names and values.
    Values,
    /// Names and kinds: the values are examples, and an element of a list is like one of the real ones.
    Kinds,
}

/// Whether an answer is as it is shown.
pub(super) fn same(shown: &Value, real: &Value, compared: Compared) -> bool {
    let is_example = compared == Compared::Kinds;
    match (shown, real) {
        (Value::String(shown), _) if shown == ANYTHING => true,
        (Value::String(_), Value::String(_)) | (Value::Number(_), Value::Number(_)) if is_example => true,
        (Value::String(shown), Value::String(real)) => same_text(shown, real),
        (Value::Array(shown), Value::Array(real)) => {
            let (open, shown) = open_list(shown);
            if is_example {
                return shown.iter().all(|shown| real.iter().any(|real| same(shown, real, compared)));
            }
            (shown.len() == real.len() || (open && shown.len() <= real.len()))
                && shown.iter().zip(real).all(|(shown, real)| same(shown, real, compared))
        }
        (Value::Object(shown), Value::Object(real)) => {
            let (open, named) = open_object(shown);
            (open || named.len() == real.len())
                && named.into_iter().all(|(name, shown)| {
                    let found = real.iter().find(|(real, _)| same_text(name, real));
                    found.is_some_and(|(_, real)| same(shown, real, compared))
                })
        }
        _ => shown == real,
    }
}

fn open_list(shown: &[Value]) -> (bool, &[Value]) {
    match shown.split_last() {
        Some((last, before)) if last == ANYTHING => (true, before),
        _ => (false, shown),
    }
}

fn open_object(shown: &Map<String, Value>) -> (bool, Vec<(&String, &Value)>) {
    (shown.contains_key(ANYTHING), shown.iter().filter(|(name, _)| *name != ANYTHING).collect())
}

/// What is to be shown: the real answer, with what was left out before.
pub(super) fn shown_anew(shown: &Value, real: &Value) -> Value {
    if same(shown, real, Compared::Values) {
        return shown.clone();
    }
    match (shown, real) {
        (Value::Array(shown), Value::Array(real)) => {
            let (open, shown) = open_list(shown);
            let kept = if open { shown.len() } else { real.len() };
            let anew = real.iter().take(kept).enumerate();
            let mut anew: Vec<_> =
                anew.map(|(at, real)| shown.get(at).map_or(real.clone(), |it| shown_anew(it, real))).collect();
            anew.extend(open.then(|| ANYTHING.into()));
            anew.into()
        }
        (Value::Object(shown), Value::Object(real)) => {
            let (open, _) = open_object(shown);
            let kept = real.iter().filter(|(name, _)| !open || shown.contains_key(*name));
            let mut anew: Map<_, _> = kept
                .map(|(name, real)| (name.clone(), shown.get(name).map_or(real.clone(), |it| shown_anew(it, real))))
                .collect();
            if open {
                anew.insert(ANYTHING.into(), ANYTHING.into());
            }
            anew.into()
        }
        _ => real.clone(),
    }
}

/// JSON as the guides write it: what fits into a line stands in one.
pub(super) fn written(value: &Value) -> String {
    written_at(value, 0, 0)
}

/// The same at this depth, where so much of the line is taken.
fn written_at(value: &Value, indent: usize, taken: usize) -> String {
    let line = in_a_line(value);
    if taken + line.chars().count() < WIDTH {
        return line;
    }
    let inner = indent + 2;
    let (begin, items, end): (_, Vec<String>, _) = match value {
        Value::Array(items) => ('[', items.iter().map(|item| written_at(item, inner, inner)).collect(), ']'),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let name = Value::from(name.as_str()).to_string();
                let taken = inner + name.chars().count() + 2;
                format!("{name}: {}", written_at(value, inner, taken))
            };
            ('{', members.iter().map(member).collect(), '}')
        }
        _ => return line,
    };
    let lines: Vec<_> = items.into_iter().map(|item| format!("{}{item}", " ".repeat(inner))).collect();
    format!("{begin}\n{}\n{}{end}", lines.join(",\n"), " ".repeat(indent))
}

fn in_a_line(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(in_a_line).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member =
                |(name, value): (&String, &Value)| format!("{}: {}", Value::from(name.as_str()), in_a_line(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn same(shown: &Value, real: &Value) -> bool {
        super::same(shown, real, Compared::Values)
    }

    const PAGE: &str = "# Page\n\n```http both\nPOST /a\nX-Key: 1\n\n{\"a\": 1}\n```\n\n```sh\nls\n```\n\n```http\nHTTP/1.1 204 No Content\n```\n";

    #[test]
    fn a_page_has_requests_and_answers() {
        let [request, answer] = <[Block; 2]>::try_from(Block::of_page(PAGE)).unwrap();
        assert_eq!((request.first.as_str(), request.header("x-key"), request.status()), ("POST /a", Some("1"), None));
        assert_eq!(&PAGE[request.span.0..request.span.1], "{\"a\": 1}");
        assert!(request.has("both") && !answer.has("both"));
        assert_eq!((answer.status(), answer.body.as_str()), (Some(204), ""));
    }

    #[test]
    fn ids_times_and_origins_are_examples() {
        let shown = json!({"Id": "01a218d0-85e9-7d25-a9af-b935060bb811", "At": "2026-01-02T03:04:05Z"});
        let real = json!({"Id": "fceb52f2-d62e-8ede-8645-2a76dedf2f45", "At": "2030-01-02T03:04:05.678Z"});
        assert!(same(&shown, &real));
        let link = |origin: &str, id: &str| json!(format!("https://{origin}/a/{id}/b"));
        let [one, other] = ["01a218d0-85e9-7d25-a9af-b935060bb811", "fceb52f2-d62e-8ede-8645-2a76dedf2f45"];
        assert!(same(&link("localhost:8444", one), &link("localhost:40123", other)));
        assert!(!same(&link("localhost:8444", one), &link("localhost:40123", "c")));
        assert!(!same(&json!({"Id": one}), &json!({"Id": "accepted"})));
    }

    #[test]
    fn what_is_left_out_is_whatever_the_server_says() {
        let real = json!({"a": [1, 2, 3], "b": "eyJhbGci", "c": {"d": 1}});
        for shown in [
            json!({"a": [1, "…"], "b": "eyJ…", "c": "…"}),
            json!({"b": "…", "…": "…"}),
            json!({"a": "…", "b": "eyJhbGci", "c": {"…": "…"}}),
        ] {
            assert!(same(&shown, &real), "{shown}");
        }
        for shown in [json!({"a": [1], "…": "…"}), json!({"e": "…", "…": "…"}), json!({"a": [1, 2, 3], "b": "…"})]
        {
            assert!(!same(&shown, &real), "{shown}");
        }
        let example = json!({"a": [7], "b": "other", "c": {"d": 2}});
        assert!(super::same(&example, &real, Compared::Kinds) && !same(&example, &real));
        assert!(!super::same(&json!({"a": ["7"], "b": "…", "c": "…"}), &real, Compared::Kinds));
        let anew = shown_anew(&json!({"a": [9, "…"], "b": "ey…", "c": {"d": 2}}), &real);
        assert_eq!(anew, json!({"a": [1, "…"], "b": "ey…", "c": {"d": 1}}));
    }
}
