//! Text from outside the server: detection of characters that are invisible or reorder the text around them, and comparison of
//! user names.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// The first code point of the scripts and signs in which joiners and variation selectors make a visible difference.
const FIRST_JOINED: char = '\u{0600}';

/// Whether a character is invisible, or reorders the text around it: all of `Default_Ignorable_Code_Point` (which includes all of
/// `Bidi_Control`), separators of lines and paragraphs, and marks of annotations.
///
/// Source: Unicode 16.0, `DerivedCoreProperties.txt`.
#[must_use]
pub const fn is_hidden_character(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a character is visible: not a space, a control, a hidden character or the empty Braille cell.
#[must_use]
pub fn is_visible_character(character: char) -> bool {
    const BRAILLE_BLANK: char = '\u{2800}';
    let is_blank = character.is_whitespace() || character.is_control() || character == BRAILLE_BLANK;
    !is_blank && !is_hidden_character(character)
}

/// The text without its hidden characters ([`is_hidden_character`]). Joiners and variation selectors are kept where they change
/// visible text: between characters of scripts and signs that join.
#[must_use]
pub fn without_hidden_characters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_hidden_character) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let is_joined =
            |neighbour: Option<char>| neighbour.is_some_and(|it| it >= FIRST_JOINED && is_visible_character(it));
        let is_kept = match character {
            '\u{200C}' | '\u{200D}' => {
                let before = shown.chars().rev().find(|it| !matches!(it, '\u{FE00}'..='\u{FE0F}'));
                is_joined(before) && is_joined(rest.clone().next())
            }
            '\u{FE00}'..='\u{FE0F}' => is_joined(shown.chars().next_back()),
            other => !is_hidden_character(other),
        };
        if is_kept {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The form in which user names are compared and counted: without surrounding spaces and hidden characters, with compatible forms
/// and letter cases unified. Two names with the same form belong to the same user.
#[must_use]
pub fn comparable_user_name(name: &str) -> String {
    let visible = name.chars().filter(|character| !is_hidden_character(*character));
    // The text is converted to upper case first, because some letters are equal in upper case only.
    let folded: String = visible.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    folded.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_142_hidden_characters_are_those_of_unicode() {
        let hidden =
            (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|it| is_hidden_character(*it)).count();
        // 4174 characters are Default_Ignorable_Code_Point; 2028, 2029, FFF9 to FFFB are not.
        assert_eq!(hidden, 4_174 + 2 + 3);
    }

    #[test]
    fn as_142_joiners_stay_between_what_they_join() {
        for (text, shown) in [
            ("Acme", "Acme"),
            ("Ac\u{200d}me", "Acme"),
            ("Ac\u{202e}me\u{e0080}\u{fe0f}", "Acme"),
            ("\u{200d}\u{200c}", ""),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("می\u{200c}", "می"),
            ("\u{2764}\u{fe0f}\u{200d}\u{1f525}", "\u{2764}\u{fe0f}\u{200d}\u{1f525}"),
            ("\u{2764}\u{fe0f}\u{fe0f}", "\u{2764}\u{fe0f}"),
        ] {
            assert_eq!(without_hidden_characters(text), shown, "{text:?}");
        }
    }

    #[test]
    fn user_names_are_compared_in_one_form() {
        for (name, compared) in [
            ("amelia", "amelia"),
            (" Amelia\u{3000}", "amelia"),
            ("ＡＭＥＬＩＡ", "amelia"),
            ("ame\u{200b}lia", "amelia"),
            ("Groß", "gross"),
            ("e\u{301}va", "éva"),
        ] {
            assert_eq!(comparable_user_name(name), compared, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn the_form_of_a_form_is_itself(name in any::<String>()) {
            let compared = comparable_user_name(&name);
            prop_assert_eq!(comparable_user_name(&compared), compared);
        }

        #[test]
        fn as_142_what_is_shown_is_shown_again(text in "[\u{0}-\u{7ff}\u{200b}-\u{206f}\u{fe00}-\u{feff}\u{1f500}-\u{1f5ff}]*") {
            let shown = without_hidden_characters(&text).into_owned();
            prop_assert_eq!(without_hidden_characters(&shown).into_owned(), shown);
        }
    }
}
