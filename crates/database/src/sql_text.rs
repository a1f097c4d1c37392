//! Divides the text of a migration into its statements, and each statement into its tokens.
//!
//! The text comes from the files of this program, so only the syntax that they use is known: comments, strings, quoted names, PostgreSQL's
//! dollar quotes, and the bodies of SQLite's triggers. This module does not decide what a statement does.

/// One statement of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatementText<'t> {
    /// Its text, from its first token to its last, without the semicolon.
    pub(crate) text: &'t str,
    /// Its tokens without comments: words, quoted texts, and single characters.
    pub(crate) tokens: Vec<&'t str>,
}

/// The statements of a text, in their order.
pub(crate) fn statements(text: &str) -> Vec<StatementText<'_>> {
    let mut all = Vec::new();
    let mut tokens: Vec<(usize, &str)> = Vec::new();
    let mut rest = Rest { text, at: 0 };
    while let Some((at, token)) = rest.next_token() {
        if token != ";" || is_inside_trigger(&tokens) {
            tokens.push((at, token));
        } else {
            all.extend(statement(text, &tokens));
            tokens.clear();
        }
    }
    all.extend(statement(text, &tokens));
    all
}

fn statement<'t>(text: &'t str, tokens: &[(usize, &'t str)]) -> Option<StatementText<'t>> {
    let (first, _) = tokens.first()?;
    let (last, token) = tokens.last()?;
    let text = text.get(*first..last + token.len())?;
    Some(StatementText { text, tokens: tokens.iter().map(|(_, token)| *token).collect() })
}

/// Whether the tokens are those of a trigger of SQLite whose body has not ended. A `CASE` has its own `END`.
fn is_inside_trigger(tokens: &[(usize, &str)]) -> bool {
    let is = |token: &str, word: &str| token.eq_ignore_ascii_case(word);
    let is_trigger =
        matches!(tokens, [(_, create), (_, trigger), ..] if is(create, "CREATE") && is(trigger, "TRIGGER"));
    if !is_trigger {
        return false;
    }
    let count = |word| tokens.iter().filter(|(_, token)| is(token, word)).count();
    count("BEGIN") + count("CASE") > count("END")
}

/// What is left of a text.
struct Rest<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Rest<'t> {
    /// The next token and its position in the text.
    fn next_token(&mut self) -> Option<(usize, &'t str)> {
        self.skip_blanks();
        let rest = self.rest();
        let first = rest.chars().next()?;
        let length = match first {
            '\'' | '"' => quoted_length(rest, first),
            '$' => dollar_quoted_length(rest),
            _ if is_of_word(first) => rest.find(|it| !is_of_word(it)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (at, token) = (self.at, rest.get(..length)?);
        self.at += length;
        Some((at, token))
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("--") {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of a text that begins with a quote, up to its end. A doubled quote inside makes two tokens, which changes nothing.
fn quoted_length(text: &str, quote: char) -> usize {
    text.get(1..).and_then(|rest| rest.find(quote)).map_or(text.len(), |end| end + 2)
}

/// The length of a text between dollar quotes; of one character if there are none.
fn dollar_quoted_length(text: &str) -> usize {
    let tag = text.get(1..).and_then(|rest| rest.find('$')).and_then(|end| text.get(..end + 2));
    let tag = tag.filter(|tag| tag.trim_matches('$').chars().all(is_of_word));
    let end = tag.and_then(|tag| text.get(tag.len()..)?.find(tag).map(|end| end + 2 * tag.len()));
    end.unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        statements(text).into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn a_semicolon_divides_statements_but_not_in_texts_and_comments() {
        let text = "-- one; two\nINSERT INTO a VALUES ('x;''y'); -- three;\nDROP TABLE \"b;c\";\n";
        assert_eq!(texts(text), ["INSERT INTO a VALUES ('x;''y')", "DROP TABLE \"b;c\""]);
        assert_eq!(texts("-- nothing\n"), [""; 0]);
    }

    #[test]
    fn a_function_and_a_trigger_are_one_statement_each() {
        let function = "CREATE FUNCTION f() RETURNS trigger AS\n$$ BEGIN a; END $$";
        let in_postgres = "CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f()";
        assert_eq!(texts(&format!("{function};\n{in_postgres};\n")), [function, in_postgres]);
        let in_sqlite =
            "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN UPDATE b SET c = CASE WHEN 1 THEN 2 END; SELECT 1; END";
        assert_eq!(texts(&format!("{in_sqlite};\nDROP TABLE a")), [in_sqlite, "DROP TABLE a"]);
    }

    #[test]
    fn tokens_are_words_quoted_texts_and_characters() {
        let found = statements("ALTER TABLE a ADD b TEXT DEFAULT '[]' -- why\n, ADD c$1").remove(0);
        let expected = ["ALTER", "TABLE", "a", "ADD", "b", "TEXT", "DEFAULT", "'[]'", ",", "ADD", "c", "$", "1"];
        assert_eq!(found.tokens, expected);
    }
}
