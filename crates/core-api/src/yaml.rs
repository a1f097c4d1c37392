//! Writes a JSON value as YAML, which people read more easily. Every text is quoted as in JSON, which YAML 1.2 permits.

use crate::form::node::JsonNode;
use std::fmt::Write;

/// Writes the value as a YAML document.
pub(crate) fn write_yaml(node: &JsonNode<'static>) -> String {
    let mut text = String::new();
    block(node, 0, &mut text);
    text
}

/// Writes a value that begins on its own line.
fn block(node: &JsonNode<'static>, depth: usize, text: &mut String) {
    if let JsonNode::Object(members) = node {
        for (name, value) in members {
            indent(depth, text);
            text.push_str(&key(name));
            text.push(':');
            after_key(value, depth, text);
        }
    } else if let JsonNode::List(items) = node {
        for item in items {
            indent(depth, text);
            text.push('-');
            after_key(item, depth, text);
        }
    } else {
        indent(depth, text);
        text.push_str(&scalar(node));
        text.push('\n');
    }
}

fn after_key(value: &JsonNode<'static>, depth: usize, text: &mut String) {
    let is_members = matches!(value, JsonNode::Object(members) if !members.is_empty());
    if is_members || matches!(value, JsonNode::List(items) if !items.is_empty()) {
        text.push('\n');
        block(value, depth.saturating_add(1), text);
    } else {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, " {}", scalar(value));
    }
}

fn indent(depth: usize, text: &mut String) {
    for _ in 0..depth {
        text.push_str("  ");
    }
}

/// Formats a value on one line. Serialising it into memory cannot fail.
fn scalar(node: &JsonNode<'static>) -> String {
    serde_json::to_string(node).unwrap_or_default()
}

/// Formats a key without quotes, if YAML parses it as text.
fn key(name: &str) -> String {
    let is_plain = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/')
        && name.chars().all(|it| it.is_ascii_alphanumeric() || "/-_.{}".contains(it))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&name.to_ascii_lowercase().as_str());
    if is_plain { name.to_owned() } else { scalar(&JsonNode::text(name)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_indented_and_every_text_is_quoted() {
        let list = JsonNode::List(vec![JsonNode::text("on"), JsonNode::object([("a", JsonNode::Integer(-1))])]);
        let empty = JsonNode::object([("b", JsonNode::List(Vec::new())), ("200", JsonNode::Bool(true))]);
        let node = JsonNode::object([("/p", list), ("no", empty), ("none", JsonNode::Null)]);
        let text = "/p:\n  - \"on\"\n  -\n    a: -1\n\"no\":\n  b: []\n  \"200\": true\nnone: null\n";
        assert_eq!(write_yaml(&node), text);
    }
}
