//! Rewords the messages of the JSON parser for testers.

/// The parser's message with the member's path before it, and without terms of the program.
pub(super) fn plain_words(text: &str) -> String {
    let text = text.rsplit_once(" at line ").map_or(text, |(words, _)| words);
    let found = KINDS.iter().find_map(|kind| Some((kind, text.split_once(kind.begin)?)));
    match found {
        Some((kind, (path, rest))) => (kind.words)(path.trim_end_matches(": "), rest),
        None => text.to_owned(),
    }
}

/// The message about a text that is not JSON, with the position that the parser states.
pub(super) fn not_json(text: &str) -> String {
    let place = text.rsplit_once(" at line ").and_then(|(_, place)| place.split_once(" column "));
    match place {
        Some((line, column)) => format!("this is not JSON (line {line}, column {column})"),
        None => "this is not JSON".to_owned(),
    }
}

/// A kind of parser message: its start, and the function that rewords it.
struct ReaderSentence {
    begin: &'static str,
    words: fn(&str, &str) -> String,
}

const KINDS: [ReaderSentence; 6] = [
    ReaderSentence { begin: "invalid type: ", words: other_value },
    ReaderSentence { begin: "invalid value: ", words: other_value },
    ReaderSentence { begin: "unknown variant ", words: other_value },
    ReaderSentence { begin: "missing field ", words: missing_member },
    ReaderSentence { begin: "unknown field ", words: unknown_member },
    ReaderSentence { begin: "duplicate field ", words: repeated_member },
];

/// Rewords a message such as `integer 1250, expected a string`.
fn other_value(path: &str, rest: &str) -> String {
    let member = if path.is_empty() { "the order" } else { path };
    match rest.split_once(", expected ") {
        Some((found, expected)) => format!("{member}: must be {}, not {}", plain(expected), plain(found)),
        None => format!("{member}: cannot be {}", plain(rest)),
    }
}

fn missing_member(path: &str, rest: &str) -> String {
    format!("{}: is missing", member_of(path, &plain(rest)))
}

fn repeated_member(path: &str, rest: &str) -> String {
    format!("{}: occurs twice", member_of(path, &plain(rest)))
}

/// Rewords a message such as `colour, expected one of amount, currency`.
fn unknown_member(path: &str, rest: &str) -> String {
    let (name, expected) = rest.split_once(", expected ").unwrap_or((rest, ""));
    let member = member_of(path, &plain(name));
    match plain(expected.trim_start_matches("one of ")).as_str() {
        "" => format!("{member}: there is no such member"),
        known => format!("{member}: there is no such member; there are {known}"),
    }
}

/// The path of a member of an object; the parser's path may already end with the member.
fn member_of(path: &str, name: &str) -> String {
    let ends = path == name || path.strip_suffix(name).is_some_and(|object| object.ends_with('.'));
    match path {
        path if ends => path.to_owned(),
        "" | "." => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// The names of integer types in the parser's messages.
const WHOLE: [&str; 6] = ["i64", "u64", "i32", "u32", "u16", "usize"];

fn plain(text: &str) -> String {
    let text = text.replace('`', "");
    if WHOLE.contains(&text.as_str()) { "a whole number within the bounds".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Order {
        amount: String,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    enum Kind {
        Credit,
        Debit,
    }

    #[test]
    fn the_readers_words_become_plain() {
        assert_eq!(
            plain_words("amount: invalid type: integer `1250`, expected a string at line 1 column 15"),
            "amount: must be a string, not integer 1250"
        );
        for (text, words) in [
            (r#"{"amount": 1}"#, "the order: must be a string, not integer 1"),
            (r#"{"kind": "Credit"}"#, "amount: is missing"),
            (r#"{"amount": "1", "kind": "x"}"#, "the order: must be Credit or Debit, not x"),
            (r#"{"colour": 1}"#, "colour: there is no such member; there are amount or kind"),
            (r#"{"amount": "1", "amount": "2"}"#, "amount: occurs twice"),
        ] {
            let error = serde_json::from_str::<Order>(text).unwrap_err().to_string();
            assert_eq!(plain_words(&error), words, "{error}");
        }
        let error = serde_json::from_str::<Order>("{").unwrap_err().to_string();
        assert_eq!(not_json(&error), "this is not JSON (line 1, column 1)");
        assert_eq!(member_of("a.b", "b"), "a.b");
        assert_eq!(member_of("a", "b"), "a.b");
    }
}
