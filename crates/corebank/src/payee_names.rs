//! Compares the payee name that a payer has entered with the names of an account.
//!
//! The comparison ignores case, accents, punctuation, repeated spaces and leading titles (`Mrs`). It treats the forms of a company name
//! (`Limited`, `Ltd`) as equal. The result is one of:
//!
//! - Match: the names are equal. For a person, an initial may stand for a given name, and either side may omit middle names.
//! - Close match: the words are the same in another order, or a company name lacks its form, or one letter in eight differs (at least
//!   one letter, at most three).
//! - No match: anything else.

use lombard_domain::payment::order::PayeeConfirmation;
use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Titles that stand before a name.
const TITLES: [&str; 12] = ["mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir", "dame", "rev", "master"];

/// The words for the form of a company, each with the word that is compared in its place.
const COMPANY_FORMS: [(&str, &str); 6] =
    [("limited", "ltd"), ("ltd", "ltd"), ("plc", "plc"), ("llp", "llp"), ("company", "co"), ("co", "co")];

/// The number of letters for each of which one letter may differ.
const LETTERS_PER_EDIT: usize = 8;

/// The maximum number of letters that may differ.
const EDITS_MAX: usize = 3;

/// The maximum number of characters of a name that are compared.
const NAME_CHARS_MAX: usize = 350;

/// How well two names agree, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    None,
    Close,
    Full,
}

/// Compares a name with the names of an account. `is_person` states whether a person or a company holds the account.
pub(crate) fn compare_name(given: &str, names: &[String], is_person: bool) -> PayeeConfirmation {
    // Of several equally good names, the first is reported: it is the name on the account itself.
    let best = names.iter().rev().map(|name| (agreement(given, name, is_person), name)).max_by_key(|(found, _)| *found);
    match best {
        Some((Agreement::Full, _)) => PayeeConfirmation::Match,
        Some((Agreement::Close, name)) => PayeeConfirmation::CloseMatch { name: name.clone() },
        Some((Agreement::None, _)) | None => PayeeConfirmation::NoMatch,
    }
}

fn agreement(given: &str, name: &str, is_person: bool) -> Agreement {
    let (given, name) = (words(given), words(name));
    if given.is_empty() || name.is_empty() {
        return Agreement::None;
    }
    if given == name || (is_person && is_same_person(&given, &name)) {
        return Agreement::Full;
    }
    let is_close = sorted(&given) == sorted(&name)
        || (!is_person && without_form(&given) == without_form(&name))
        || differs_little(&given.join(" "), &name.join(" "));
    if is_close { Agreement::Close } else { Agreement::None }
}

/// The words of a name in the form in which they are compared.
fn words(name: &str) -> Vec<String> {
    let plain: String = name
        .chars()
        .take(NAME_CHARS_MAX)
        .nfkd()
        .filter(|it| !is_combining_mark(*it) && !matches!(it, '\'' | '\u{2019}' | '.'))
        .flat_map(char::to_lowercase)
        .map(|it| if it.is_alphanumeric() || it == '&' { it } else { ' ' })
        .collect();
    let plain = plain.replace('&', " and ");
    let all: Vec<&str> = plain.split_whitespace().collect();
    let titles = all.iter().take_while(|word| TITLES.contains(word)).count();
    // A name that consists only of titles is compared as it is.
    let named = all.get(titles..).filter(|rest| !rest.is_empty()).unwrap_or(&all);
    named.iter().map(|word| form_of(word).unwrap_or(*word).to_owned()).collect()
}

/// The word that is compared in place of the given form of a company.
fn form_of(word: &str) -> Option<&'static str> {
    COMPANY_FORMS.iter().find(|(written, _)| *written == word).map(|(_, compared)| *compared)
}

fn without_form(words: &[String]) -> &[String] {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() && form_of(last).is_some() => rest,
        _ => words,
    }
}

fn sorted(words: &[String]) -> Vec<&str> {
    let mut sorted: Vec<_> = words.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    sorted
}

/// Whether the surnames are equal, and the given names are equal in full or by their initials. Either side may omit middle names.
fn is_same_person(one: &[String], other: &[String]) -> bool {
    let ([first, middle @ .., surname], [other_first, other_middle @ .., other_surname]) = (one, other) else {
        return false;
    };
    let is_missing = middle.is_empty() || other_middle.is_empty();
    let is_same_middle = middle.len() == other_middle.len()
        && middle.iter().zip(other_middle).all(|(one, other)| is_given_name(one, other));
    surname == other_surname && is_given_name(first, other_first) && (is_missing || is_same_middle)
}

/// Whether two given names are equal, or one is the initial of the other.
fn is_given_name(one: &str, other: &str) -> bool {
    let is_initial = |short: &str, long: &str| short.chars().count() == 1 && long.starts_with(short);
    one == other || is_initial(one, other) || is_initial(other, one)
}

fn differs_little(one: &str, other: &str) -> bool {
    let letters = one.chars().count().max(other.chars().count());
    let allowed = letters.checked_div(LETTERS_PER_EDIT).unwrap_or(0).clamp(1, EDITS_MAX);
    // A short name with one different letter is a different name.
    letters > LETTERS_PER_EDIT / 2 && osa_distance(one, other) <= allowed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(given: &str, name: &str, is_person: bool) -> PayeeConfirmation {
        compare_name(given, &[name.to_owned()], is_person)
    }

    #[test]
    fn how_a_name_is_written_does_not_count() {
        for (given, name) in [
            ("Amelia Hart", "Amelia Hart"),
            ("  amelia   HART ", "Amelia Hart"),
            ("Mrs Amelia Hart", "Amelia Hart"),
            ("A. Hart", "Ms Amelia Hart"),
            ("Amelia J Hart", "Amelia Jane Hart"),
            ("Amelia Hart", "Amelia Jane Hart"),
            ("Zoe O'Neil-Muller", "Zoë O’Neil Müller"),
            ("Dr", "Dr"),
        ] {
            assert_eq!(of(given, name, true), PayeeConfirmation::Match, "{given}");
        }
        for (given, name) in [("harbour lights limited", "Harbour Lights Ltd."), ("Smith & Sons", "Smith and Sons")] {
            assert_eq!(of(given, name, false), PayeeConfirmation::Match, "{given}");
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_told_the_name_of_the_account() {
        for (given, name, is_person) in [
            ("Amelia Heart", "Amelia Hart", true),
            ("Hart Amelia", "Amelia Hart", true),
            ("Ameila Hart", "Amelia Hart", true),
            ("Harbour Lights", "Harbour Lights Ltd", false),
        ] {
            let told = PayeeConfirmation::CloseMatch { name: name.to_owned() };
            assert_eq!(of(given, name, is_person), told, "{given}");
        }
    }

    #[test]
    fn another_name_is_no_match_and_learns_nothing() {
        for (given, name, is_person) in [
            ("Bashir Khan", "Amelia Hart", true),
            ("B Hart", "Amelia Hart", true),
            ("Amelia Rose Hart", "Amelia Jane Hart", true),
            ("Hart", "Amelia Hart", true),
            ("Jo", "Mo", true),
            ("", "Amelia Hart", true),
            ("...", "Amelia Hart", true),
            ("Acme Plumbing Ltd", "Acme Building Ltd", false),
            ("Acme Ltd", "Acme Building Ltd", false),
        ] {
            assert_eq!(of(given, name, is_person), PayeeConfirmation::NoMatch, "{given}");
        }
        assert_eq!(compare_name("Amelia Hart", &[], true), PayeeConfirmation::NoMatch);
    }

    #[test]
    fn the_best_of_several_names_counts() {
        let names = ["Chloe Duval".to_owned(), "Bashir Khan".to_owned()];
        assert_eq!(compare_name("B Khan", &names, true), PayeeConfirmation::Match);
        let told = PayeeConfirmation::CloseMatch { name: "Chloe Duval".to_owned() };
        assert_eq!(compare_name("Cloe Duval", &names, true), told);
    }

    proptest! {
        #[test]
        fn every_name_matches_itself_and_none_makes_it_panic(name in "\\PC{1,400}", other in "\\PC{0,40}") {
            let itself = of(&name, &name, true);
            prop_assert!(itself == PayeeConfirmation::Match || words(&name).is_empty());
            let _ = of(&name, &other, false);
        }
    }
}
