//! Prepares external text for pages. Templates escape it.

use lombard_domain::text::{is_visible_character, without_hidden_characters};
use std::borrow::Cow;
use unicode_normalization::char::is_combining_mark;

/// The maximum number of characters of a name that are shown. Source: AS-142.
const NAME_CHARS_MAX: usize = 70;

/// The maximum number of characters of a message that are shown.
const MESSAGE_CHARS_MAX: usize = 140;

/// The maximum number of combining marks on one letter. No language uses more, and this number cannot cover the lines around the letter.
const MARKS_MAX: usize = 4;

/// A Braille cell without dots, which has the width of a character and shows nothing.
const BRAILLE_BLANK: char = '\u{2800}';

/// The replacement for a text without visible characters.
const BLANK: &str = "(blank)";

/// Prepares a name that a TPP or customer chose. The name is cut, and loses characters that could reorder, hide or cover the text around
/// it. A name without visible characters is shown as `(blank)`.
///
/// Source: AS-142.
pub fn name(text: &str) -> String {
    shown(text, NAME_CHARS_MAX)
}

/// Prepares a reference or message from a TPP to a payee like [`name`], with the maximum length of the standard. Source: PIS-130.
pub fn message(text: &str) -> String {
    shown(text, MESSAGE_CHARS_MAX)
}

/// Prepares the texts of a rendered page, of any origin. Characters that are hidden, reorder the text around them or are gaps of another
/// width are removed or replaced. A text without visible characters is shown as `(blank)`.
///
/// The markup is this server's, and all texts are escaped, so each text ends at a tag or at the quotation mark of an attribute. A text of
/// plain spaces may be the space between two elements; names and messages must therefore also go through [`name`] and [`message`].
///
/// Source: AS-142.
pub(super) fn legible_page(html: &str) -> Cow<'_, str> {
    if !html.contains(is_unfit) {
        return Cow::Borrowed(html);
    }
    let mut legible = String::with_capacity(html.len());
    for piece in html.split_inclusive(['<', '>', '"']) {
        let text = piece.trim_end_matches(['<', '>', '"']);
        let end = piece.get(text.len()..).unwrap_or_default();
        legible.push_str(&legible_text(text));
        legible.push_str(end);
    }
    Cow::Owned(legible)
}

fn legible_text(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unfit) {
        return Cow::Borrowed(text);
    }
    let shown = without_hidden_characters(text);
    if !shown.contains(is_visible_character) {
        return Cow::Borrowed(BLANK);
    }
    Cow::Owned(shown.chars().map(|it| if is_unfit(it) { plain(it) } else { it }).collect())
}

/// Whether a character of a page needs replacement: it is invisible, and templates do not use it. The function is called for every
/// character of every page, so usual characters are decided without tables.
fn is_unfit(character: char) -> bool {
    let is_usual = character.is_ascii_graphic() || matches!(character, ' ' | '\n' | '\r' | '\t');
    !is_usual && !is_visible_character(character)
}

/// Lists words, such as `a, b and c`.
pub(super) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

fn shown(text: &str, most: usize) -> String {
    let mut shown = String::new();
    // The number of marks on the present letter; `None` if there is no letter to carry marks.
    let mut marks: Option<usize> = None;
    let seen = without_hidden_characters(text);
    for character in seen.chars().take(most).map(plain) {
        if !is_combining_mark(character) {
            marks = (character != ' ').then_some(0);
            shown.push(character);
            continue;
        }
        match marks {
            None => shown.push(char::REPLACEMENT_CHARACTER),
            Some(on_it) if on_it < MARKS_MAX => {
                marks = Some(on_it.saturating_add(1));
                shown.push(character);
            }
            Some(_) => {}
        }
    }
    if !shown.contains(is_visible_character) {
        return BLANK.to_owned();
    }
    if seen.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

/// Replaces every gap by a plain space, several of which pages show as one, and shows the place of a control character.
fn plain(character: char) -> char {
    match character {
        control if control.is_control() => char::REPLACEMENT_CHARACTER,
        gap if gap.is_whitespace() || gap == BRAILLE_BLANK => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_142_hidden_characters_are_left_out_and_names_cut() {
        assert_eq!(name("Acme\u{202e}knaB"), "AcmeknaB");
        assert_eq!(name("a\nb\u{0}\u{2067}"), "a\u{fffd}b\u{fffd}");
        assert_eq!(name("Acme\u{e0080}\u{e0fff}\u{200d}\u{fe0f}"), "Acme");
        assert_eq!(name("Café «Ω» 日本"), "Café «Ω» 日本");
        assert_eq!(name(&"x".repeat(71)), format!("{}…", "x".repeat(70)));
        assert_eq!(name(&"x".repeat(70)), "x".repeat(70));
    }

    #[test]
    fn as_142_marks_are_few_and_stand_on_a_letter() {
        let acute = '\u{301}';
        let with = |count: usize| format!("e{}x", acute.to_string().repeat(count));
        assert_eq!(name(&with(4)), with(4));
        assert_eq!(name(&with(60)), with(4), "nothing is written over the lines around");
        assert_eq!(name("\u{301}a"), "\u{fffd}a", "not over what stands before the name");
        assert_eq!(name("a \u{20dd}b"), "a \u{fffd}b");
        assert_eq!(name("Việt שָׁלוֹם ที่นี่"), "Việt שָׁלוֹם ที่นี่");
    }

    #[test]
    fn as_142_a_blank_name_says_so() {
        for blank in ["", " ", "\u{a0}\u{3000}\u{2003}", "\u{200d}\u{200c}", "\u{3164}\u{2800}\u{180e}", "\u{e0100}"] {
            assert_eq!(name(blank), BLANK);
        }
        assert_eq!(name("a\u{a0}\u{a0}b"), "a  b");
    }

    #[test]
    fn as_142_no_text_of_a_page_hides_anything() {
        for (html, shown) in [
            ("<p>Acme</p>", "<p>Acme</p>"),
            ("<p>Ac\u{202e}me\u{3000}x</p>\n", "<p>Acme x</p>\n"),
            ("<p>\u{200d}\u{200c}</p><p> </p>", "<p>(blank)</p><p> </p>"),
            ("<p>\u{3000}</p>", "<p>(blank)</p>"),
            ("<i title=\"\u{2800} \">a\u{1}</i>", "<i title=\"(blank)\">a\u{fffd}</i>"),
            ("<p>\u{2764}\u{fe0f}\u{200d}\u{1f525}</p>", "<p>\u{2764}\u{fe0f}\u{200d}\u{1f525}</p>"),
        ] {
            assert_eq!(legible_page(html), shown, "{html:?}");
        }
    }

    proptest! {
        #[test]
        fn as_142_nothing_shown_can_reorder_its_surroundings(text in any::<String>()) {
            let shown = name(&text);
            prop_assert!(shown.chars().count() <= NAME_CHARS_MAX + 1);
            prop_assert!(shown.chars().all(|it| plain(it) == it));
            prop_assert_eq!(without_hidden_characters(&shown), shown.as_str());
            prop_assert!(!shown.starts_with(is_combining_mark) && shown.contains(is_visible_character));
        }
    }
}
