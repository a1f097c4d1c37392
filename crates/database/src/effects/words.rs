//! Reads the tokens of a statement from its beginning.

use crate::sql_text::StatementText;

/// The tokens of a statement that have not been read yet.
#[derive(Debug, Clone)]
pub(super) struct Words<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Words<'t> {
    pub(super) fn of(statement: &StatementText<'t>) -> Self {
        Self { tokens: statement.tokens.clone(), at: 0 }
    }

    fn rest(&self) -> &[&'t str] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// Reads these words, if they are the next ones.
    pub(super) fn take(&mut self, words: &[&str]) -> bool {
        let rest = self.rest();
        let is_next =
            rest.len() >= words.len() && rest.iter().zip(words).all(|(it, word)| it.eq_ignore_ascii_case(word));
        if is_next {
            self.at += words.len();
        }
        is_next
    }

    /// Reads a name.
    pub(super) fn name(&mut self) -> Option<&'t str> {
        let name = self.rest().first().copied()?;
        self.at += 1;
        name.starts_with(|it: char| it.is_alphabetic() || it == '_').then_some(name)
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.rest().iter().any(|it| it.eq_ignore_ascii_case(word))
    }

    /// The tokens that follow each occurrence of a word.
    pub(super) fn names_after<'w>(&'w self, word: &'w str) -> impl Iterator<Item = &'t str> + 'w {
        let rest = self.rest();
        let followers = rest.iter().zip(rest.iter().skip(1));
        followers.filter(move |(it, _)| it.eq_ignore_ascii_case(word)).map(|(_, next)| *next)
    }

    /// The parts between commas that are outside parentheses.
    pub(super) fn parts(&self) -> Vec<Self> {
        let mut parts = vec![Vec::new()];
        let mut depth = 0_usize;
        for token in self.rest() {
            match *token {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if *token == "," && depth == 0 {
                parts.push(Vec::new());
            } else if let Some(part) = parts.last_mut() {
                part.push(*token);
            }
        }
        parts.into_iter().map(|tokens| Self { tokens, at: 0 }).collect()
    }
}
