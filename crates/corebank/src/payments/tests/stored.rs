//! Compatibility of stored executions: samples are read and written again, verbatim.

use super::super::execution::OrderExecution;
use super::super::stored_text::TextForm;
use lombard_domain::payment::transfer::Instrument;

fn plain(payee: &str, when: &str) -> String {
    format!(
        r#"{{"standing":"taken","taken_at":"2026-07-01T10:00:00Z","rail":"chaps","pace":{{"every_day":false,"opens":{{"hour":6,"minute":0}},"debits_after_millis":-1,"arrives":{{"working-days":[2,{{"hour":6,"minute":30}}]}}}},"payee":{payee},"currency":"GBP","minor":7,"charge":0,"when":{when},"expected":[null,null]}}"#
    )
}

const PAYEE: &str = r#"{"scheme":"sort-code-account-number","number":"1","name":"N"}"#;

#[test]
fn executions_are_read_as_they_were_stored() {
    let begun = r#""due_on":"2026-07-01","paid_on":"2026-07-02","minor":7,"step":"reserved","due_at":"2026-07-01T10:00:00.5Z","debited_at":"2026-07-01T10:00:00Z","arrives_at":"2026-07-01T11:00:00Z""#;
    let full = format!(
        r#"{{"standing":"open","taken_at":"2026-07-01T10:00:00.123456Z","rail":"fps","pace":{{"every_day":true,"opens":{{"hour":0,"minute":0}},"debits_after_millis":1000,"arrives":{{"after":5000}}}},"closes":{{"hour":17,"minute":15}},"payee":{{"scheme":"iban","number":"1","name":"N","secondary":"s"}},"reference":"r","message":"m","currency":"EUR","minor":7,"abroad":{{"unit":"GBP","transfer":"EUR","rate":"1.17","charges":[{{"bearer":"service-level","minor":3,"currency":"GBP"}}],"in_advance":true,"agent":{{"bic":"B","name":"n"}}}},"charge":2,"when":{{"again":{{"frequency":"interval-week-day:2:5","first_on":"2026-07-01","recurring_from":"2026-07-02","count":3,"last_on":"2027-01-01","regular":5,"last":6}}}},"trigger":"without-posting","expected":["2026-07-01T10:00:00Z","2026-07-02T10:00:00Z"],"next":2,"under_way":[{{"number":1,{begun},"priced":{{"rate":"1.17","middle":"1.2","at":"2026-07-01T10:00:00Z","anew":1}}}},{{"number":2,{begun}}}]}}"#
    );
    let documents = [
        full,
        plain(PAYEE, r#""now""#),
        plain(
            r#"{"scheme":"iban","number":"1","name":"N","proxy":{"identification":"+44-1","code":"TELE"}},"payment":{"category_purpose":"WHLD","purpose":"RENT","ultimate_creditor":{"name":"C"},"ultimate_debtor":{"name":"D"}},"agent":{"bic":"B","lei":"L"},"mandate":{"identification":"m"}"#,
            r#""now""#,
        ),
        plain(PAYEE, r#"{"on":"2026-12-24"}"#),
        plain(PAYEE, r#"{"again":{"frequency":"quarter-day:received","first_on":"2026-07-01"}}"#),
    ];
    for document in documents {
        let execution: OrderExecution = serde_json::from_str(&document).unwrap();
        assert_eq!(execution.write(), document);
    }
}

/// Releases before 0.2 wrote the scheme and frequency names of v3.1.
#[test]
fn executions_of_an_earlier_release_are_read() {
    let again = |frequency: &str| format!(r#"{{"again":{{"frequency":"{frequency}","first_on":"2026-07-01"}}}}"#);
    let earlier = plain(&PAYEE.replace("sort-code-account-number", "UK.OBIE.SortCodeAccountNumber"), &again("EvryDay"));
    let execution: OrderExecution = serde_json::from_str(&earlier).unwrap();
    assert_eq!(execution.write(), plain(PAYEE, &again("every-day")));
}

#[test]
fn what_is_no_execution_is_not_read() {
    for wrong in [
        plain(&PAYEE.replace("sort-code-account-number", "cheque"), r#""now""#),
        plain(PAYEE, r#"{"on":"2026-02-29"}"#),
        plain(PAYEE, r#"{"again":{"frequency":"hourly","first_on":"2026-07-01"}}"#),
        plain(PAYEE, r#""now""#).replace("GBP", "POUND"),
        plain(PAYEE, r#""now""#).replace("chaps", "horse"),
    ] {
        assert!(serde_json::from_str::<OrderExecution>(&wrong).is_err(), "{wrong}");
    }
}

/// The names in the bank's own rows and ledger accounts are older than those of the domain.
#[test]
fn instruments_have_the_words_they_had() {
    let words = [
        "bacs",
        "chaps",
        "fps",
        "swift",
        "balance-transfer",
        "money-transfer",
        "paym",
        "euro1",
        "sepa",
        "sepa-instant",
        "link",
        "target2",
    ];
    for (instrument, word) in Instrument::ALL.into_iter().zip(words) {
        assert_eq!((&*instrument.text(), Instrument::from_text(word)), (word, Some(instrument)));
    }
}
