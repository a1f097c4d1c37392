//! Text that somebody else wrote, made fit to be shown. Escaping is the templates' work.

/// Most characters of a name that are shown. Source: AS-142.
const NAME_CHARS_MAX: usize = 70;

/// Most characters of a message that are shown.
const MESSAGE_CHARS_MAX: usize = 140;

/// A name a TPP or customer chose: cut, and without characters that could reorder or hide what stands around it.
///
/// Source: AS-142.
pub(super) fn name(text: &str) -> String {
    cut(text, NAME_CHARS_MAX)
}

/// A reference or message a TPP sends to a payee, as [`name`] but as long as the standard lets it be. Source: PIS-130.
pub(super) fn message(text: &str) -> String {
    cut(text, MESSAGE_CHARS_MAX)
}

fn cut(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).map(visible).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

fn visible(character: char) -> char {
    match character {
        // Bidi marks, embeddings, overrides and isolates.
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Without width, or breaking lines.
        | '\u{00ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
        // Letters that show nothing: fillers, vowel separators, the empty Braille cell, old format characters.
        | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2065}'
        | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Invisible tags.
        | '\u{e0000}'..='\u{e007f}' => char::REPLACEMENT_CHARACTER,
        control if control.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_142_bidi_controls_are_neutralised_and_names_cut() {
        assert_eq!(name("Acme\u{202e}knaB"), "Acme\u{fffd}knaB");
        assert_eq!(name("a\nb\u{0}\u{2067}"), "a\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(
            name("\u{3164}\u{2800}\u{180e}"),
            "\u{fffd}\u{fffd}\u{fffd}",
            "a name that shows nothing shows that"
        );
        assert_eq!(name("Café «Ω» 日本"), "Café «Ω» 日本");
        assert_eq!(name(&"x".repeat(71)), format!("{}…", "x".repeat(70)));
        assert_eq!(name(&"x".repeat(70)), "x".repeat(70));
    }

    proptest! {
        #[test]
        fn as_142_nothing_shown_can_reorder_its_surroundings(text in any::<String>()) {
            let shown = name(&text);
            prop_assert!(shown.chars().count() <= NAME_CHARS_MAX + 1);
            prop_assert!(shown.chars().all(|it| visible(it) == it));
        }
    }
}
