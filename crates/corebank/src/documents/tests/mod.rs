//! Tests of statement files, which independent libraries read back.
#![allow(clippy::arithmetic_side_effects, reason = "sums of specimens")]

mod specimen;

use super::{DocumentError, wording};
use lombard_domain::account::{EntryStatus, StatementAmountType};
use lombard_domain::money::{Currency, SignedAmount};
use proptest::prelude::*;
use specimen::{PAN, Specimen, owner};

/// The text of each page with normalised white space.
fn pages(pdf: &[u8]) -> Vec<String> {
    let pages = pdf_extract::extract_text_from_mem_by_pages(pdf).unwrap();
    pages.iter().map(|page| page.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Letters and digits only, because lines may be broken anywhere.
fn letters(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

fn rows(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn minor(text: &str, currency: Currency) -> i64 {
    let amount =
        |text: &str| i64::try_from(lombard_domain::money::Amount::parse(text, currency).unwrap().minor()).unwrap();
    match text.strip_prefix('-') {
        Some(text) => -amount(text),
        None if text.is_empty() => 0,
        None => amount(text),
    }
}

/// The sums of the CSV columns money out and money in, and the last balance.
fn sums(csv: &[u8], currency: Currency) -> (i64, i64, Option<i64>) {
    let rows = rows(csv);
    let column = |index: usize| rows.iter().skip(1).map(|row| minor(&row[index], currency)).sum::<i64>();
    (column(5), column(6), rows.iter().skip(1).next_back().map(|row| minor(&row[7], currency)))
}

#[test]
fn ais_155_the_pdf_holds_all_of_the_statement() {
    let specimen = Specimen::rich();
    let pdf = specimen.document().pdf().unwrap();
    let text = pages(&pdf).join(" ");
    for expected in [
        "Current account statement",
        "1 October 2026 to 31 October 2026",
        "Amelia Rose Hartley",
        "14 Rookery Lane",
        "NR1 9ZZ",
        "60-83-71",
        "12345678",
        "GB33 LMBD 6083 7112 3456 78",
        "£1,234.56",
        "Hartwell Lettings",
        "€25.00 converted from EUR to GBP at 0.8585",
        "Charge £0.68",
        "Card ending 2222",
        "2.75% (EAR)",
        "Cashback",
        "22.9%",
        "1 December 2026",
        "no proof of funds",
        "Page 1 of",
    ] {
        assert!(text.contains(expected), "{expected} is not in: {text}");
    }
    for entry in &specimen.entries {
        let said = entry.information.as_deref().unwrap();
        assert!(letters(&text).contains(&letters(said)), "{said}");
        assert!(text.contains(&wording::amount(entry.sum.amount())), "{:?}", entry.sum);
    }
    let amounts = &specimen.statement.amounts;
    for (kind, sum) in amounts {
        assert!(text.contains(&wording::amount(sum.amount())), "{kind:?}");
    }
}

#[test]
fn ais_052_card_numbers_are_masked_in_both_files() {
    let specimen = Specimen::rich();
    let (pdf, csv) = (specimen.document().pdf().unwrap(), specimen.document().csv().unwrap());
    let text = pages(&pdf).join(" ");
    assert!(text.contains("**** **** **** 2222"), "{text}");
    for text in [text, String::from_utf8(csv).unwrap()] {
        assert!(!text.replace(' ', "").contains(PAN), "{text}");
        assert!(!text.replace(' ', "").contains(&PAN[..6]), "{text}");
    }
    for (number, shown) in [
        ("4444333322221111", "**** **** **** 1111"),
        ("4444 3333 2222 1111", "**** **** **** 1111"),
        ("12345678", "**** **** **** 5678"),
        ("1234567", "**** **** ****"),
        ("", "**** **** ****"),
    ] {
        assert_eq!(wording::masked(number), shown);
    }
}

#[test]
fn six_hundred_entries_flow_over_pages_that_count_themselves() {
    let long = "Payment to somebody with a long name and a long reason, ".repeat(8);
    let texts: Vec<String> = (0..600)
        .map(|index| if index % 50 == 7 { format!("{long}no {index:04}") } else { format!("Entry no {index:04}") })
        .collect();
    let entries: Vec<_> =
        texts.iter().zip(0_i64..).map(|(text, index)| (text.as_str(), (index % 7 - 3) * 1_001)).collect();
    let specimen = Specimen::of(Currency::GBP, -5_000, &entries);
    let pdf = specimen.document().pdf().unwrap();
    let pages = pages(&pdf);
    assert!(pages.len() > 10, "{}", pages.len());
    for (index, page) in pages.iter().enumerate() {
        let number = format!("Page {} of {}", index + 1, pages.len());
        assert!(page.contains(&number), "{number} is not in: {page}");
        assert!(page.contains("Lombard Sandbox Bank"));
    }
    assert!(pages[1].contains("Brought forward from the page before"));
    let text = pages.join(" ");
    let found: Vec<usize> = (0..600).filter_map(|index| text.find(&format!("no {index:04}"))).collect();
    assert_eq!(found.len(), 600);
    assert!(found.is_sorted(), "entries are in order");
}

#[test]
fn a_statement_gives_the_same_bytes_for_ever() {
    let specimen = Specimen::rich();
    let mut shuffled = specimen.clone();
    shuffled.entries.reverse();
    assert!(specimen.document().pdf().unwrap() == shuffled.document().pdf().unwrap());
    assert!(specimen.document().csv().unwrap() == shuffled.document().csv().unwrap());
}

#[test]
fn the_pdf_says_that_it_is_tagged_accessible_and_archivable() {
    let pdf = Specimen::rich().document().pdf().unwrap();
    let holds = |wanted: &str| pdf.windows(wanted.len()).any(|bytes| bytes == wanted.as_bytes());
    for wanted in
        ["/StructTreeRoot", "/MarkInfo", "/Lang", "pdfuaid:part>1<", "pdfaid:part>2<", "pdfaid:conformance>A<"]
    {
        assert!(holds(wanted), "{wanted}");
    }
}

#[test]
fn other_currencies_and_scripts_are_shown_or_replaced_and_never_refused() {
    for code in ["EUR", "USD", "JPY", "BHD", "CHF"] {
        let currency: Currency = code.parse().unwrap();
        let specimen =
            Specimen::of(currency, -1_234_567, &[("Kauf in Straße № 5", -1), ("入金 ありがとう \u{202e}evil", 99)]);
        let text = pages(&specimen.document().pdf().unwrap()).join(" ");
        assert!(text.contains(&format!("Balance ({code})")), "{text}");
        let closing = wording::money(SignedAmount::from_minor(-1_234_469, currency));
        assert!(text.contains(&closing), "{closing} is not in: {text}");
        let (out, paid_in, last) = sums(&specimen.document().csv().unwrap(), currency);
        assert_eq!((out, paid_in, last), (1, 99, Some(-1_234_469)));
    }
}

#[test]
fn csv_has_a_row_of_names_and_the_statements_sums() {
    let specimen = Specimen::rich();
    let csv = specimen.document().csv().unwrap();
    assert!(csv.starts_with(
        b"Date,Value date,Description,Reference,Other party,Money out,Money in,Balance,Currency,Transaction id\r\n"
    ));
    let amounts: std::collections::BTreeMap<_, _> = specimen.statement.amounts.iter().copied().collect();
    let (out, paid_in, last) = sums(&csv, Currency::GBP);
    assert_eq!(out, -amounts[&StatementAmountType::TotalDebits].minor());
    assert_eq!(paid_in, amounts[&StatementAmountType::TotalCredits].minor());
    assert_eq!(last, Some(amounts[&StatementAmountType::ClosingBalance].minor()));
    assert_eq!(rows(&csv).len(), specimen.entries.len() + 1);
    assert!(rows(&csv)[2].iter().any(|cell| cell == "Bistro Łódź"));
}

#[test]
fn csv_gives_spreadsheets_no_formula_to_run() {
    for evil in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r\n=1", " =1", "＝1", "\u{200b}=1", "\u{feff}@x"] {
        let specimen = Specimen::of(Currency::GBP, 0, &[(evil, 5)]);
        let shown = rows(&specimen.document().csv().unwrap())[1][2].clone();
        assert!(shown.starts_with('\''), "{evil:?} became {shown:?}");
    }
    let specimen = Specimen::of(Currency::GBP, 0, &[("He said \"yes, now\"\r\nand left", -5)]);
    let row = rows(&specimen.document().csv().unwrap())[1].clone();
    assert_eq!(row[2], "He said \"yes, now\" and left");
    assert_eq!(row[7], "-0.05", "a number stays one");
}

#[test]
fn a_statement_that_does_not_add_up_has_no_file() {
    let good = Specimen::rich();
    for kind in
        [StatementAmountType::ClosingBalance, StatementAmountType::TotalCredits, StatementAmountType::TotalDebits]
    {
        let mut wrong = good.clone();
        for (_, sum) in wrong.statement.amounts.iter_mut().filter(|(other, _)| *other == kind) {
            *sum = SignedAmount::from_minor(sum.minor() + 1, Currency::GBP);
        }
        assert_eq!(wrong.document().pdf().unwrap_err(), DocumentError::DoesNotAddUp(kind));
        assert_eq!(wrong.document().csv().unwrap_err(), DocumentError::DoesNotAddUp(kind));
    }
    let mut none = good.clone();
    none.statement.amounts.retain(|(kind, _)| *kind != StatementAmountType::StartingBalance);
    assert_eq!(none.document().csv().unwrap_err(), DocumentError::NoOpeningBalance);
    let mut foreign = good;
    foreign.entries[0].sum = SignedAmount::from_minor(1, Currency::EUR);
    assert_eq!(foreign.document().csv().unwrap_err(), DocumentError::Currency);
    let huge = Specimen::of(Currency::GBP, 0, &[("a", i64::MAX - 5)]);
    assert!(huge.document().pdf().is_ok());
    let mut beyond = huge;
    beyond.statement.amounts = vec![(StatementAmountType::StartingBalance, SignedAmount::from_minor(6, Currency::GBP))];
    assert_eq!(beyond.document().csv().unwrap_err(), DocumentError::SumOutOfRange);
}

#[test]
fn what_is_not_booked_is_not_on_the_statement() {
    let mut specimen = Specimen::of(Currency::GBP, 100, &[("Booked", 5)]);
    let mut other = specimen.entries[0].clone();
    other.status = EntryStatus::Pending;
    other.information = Some("Not yet".to_owned());
    specimen.entries.push(other);
    let text = pages(&specimen.document().pdf().unwrap()).join(" ");
    assert!(text.contains("Booked") && !text.contains("Not yet"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn any_statement_has_files_whose_sums_are_its_own(
        opening in -10_000_000_000_i64..10_000_000_000,
        entries in prop::collection::vec(("\\PC{0,80}", -99_999_999_i64..99_999_999), 0..60),
        name in "\\PC{0,350}",
        pick in 0_usize..5,
    ) {
        let currency: Currency = ["GBP", "EUR", "USD", "JPY", "BHD"][pick].parse().unwrap();
        let borrowed: Vec<_> = entries.iter().map(|(text, minor)| (text.as_str(), *minor)).collect();
        let mut specimen = Specimen::of(currency, opening, &borrowed);
        specimen.parties = vec![owner(&name)];
        let (out, paid_in, last) = sums(&specimen.document().csv().unwrap(), currency);
        prop_assert_eq!(paid_in - out, entries.iter().map(|(_, minor)| minor).sum::<i64>());
        prop_assert!(last.is_none_or(|last| last == opening + paid_in - out));
        let pages = pages(&specimen.document().pdf().unwrap());
        let text = pages.join(" ");
        prop_assert!(text.contains(&wording::money(SignedAmount::from_minor(opening + paid_in - out, currency))));
        for (_, minor) in &entries {
            prop_assert!(text.contains(&wording::amount(SignedAmount::from_minor(*minor, currency).amount())));
        }
        let last = format!("Page {0} of {0}", pages.len());
        prop_assert!(text.contains(&last));
    }
}
