//! What was stored once is read for ever: documents as they are in databases, read and written again to the letter.

use super::*;

#[track_caller]
fn stays<T>(read: fn(&str) -> Result<T, Source>, write: fn(&T) -> String, documents: &[&str]) {
    for document in documents {
        match read(document) {
            Ok(it) => assert_eq!(write(&it), *document),
            Err(error) => panic!("{error}\n{document}"),
        }
    }
}

#[test]
fn instructions_are_read_as_they_were_stored() {
    stays(
        InstructionRecord::read,
        InstructionRecord::write,
        &[
            r#"{"domestic":{"credit":{"creditor":{"scheme":"sort-code-account-number","number":"20000012345678","name":"N"}},"amount":[1250,"GBP"],"timing":"immediate"}}"#,
            r#"{"domestic":{"credit":{"instrument":"chaps","creditor":{"scheme":"iban","number":"GB33BUKB20201555555555","name":"N","secondary":"s"},"address":{"town":"Leeds"},"instruction":"i","end_to_end":"e","reference":"r","message":"m"},"amount":[1,"GBP"],"timing":{"on":"2028-02-29"}}}"#,
            r#"{"domestic":{"credit":{"creditor":{"scheme":"pan","number":"4111111111111111","name":"N"}},"amount":[1,"GBP"],"timing":{"recurring":{"frequency":{"interval-week-day":[2,4]},"first_on":"2026-12-01","recurring_from":"2026-12-04","end":{"after":9},"regular":[5,"GBP"],"last":[7,"GBP"]}}}}"#,
            r#"{"domestic":{"credit":{"creditor":{"scheme":"pan","number":"4111111111111111","name":"N"}},"amount":[1,"GBP"],"timing":{"recurring":{"frequency":"every-day","first_on":"2026-12-01","end":"open"}}}}"#,
            r#"{"domestic":{"credit":{"creditor":{"scheme":"pan","number":"4111111111111111","name":"N"}},"amount":[1,"GBP"],"timing":{"recurring":{"frequency":"every-day","first_on":"2026-12-01","end":{"on":"2027-01-01"}}}}}"#,
        ],
    );
}

#[test]
fn payment_terms_are_read_as_they_were_stored() {
    const INSTRUCTION: &str = r#"{"domestic":{"credit":{"creditor":{"scheme":"bban","number":"1","name":"N"}},"amount":[1,"GBP"],"timing":"immediate"}}"#;
    let plain = format!(
        r#"{{"payment":{{"instruction":{INSTRUCTION},"refund":false,"authorisers":"any","conditions":{{}}}}}}"#
    );
    let full = format!(
        r#"{{"payment":{{"instruction":{INSTRUCTION},"debtor":{{"scheme":"bban","number":"2"}},"refund":true,"authorisers":"single","complete_by":1,"exemption":"parking","applied":"strong","earlier_order":"o","context":"transfer-to-self","conditions":{{"charges":[{{"bearer":"service-level","kind":"chaps-out","amount":[2000,"GBP"]}}],"cut_off":[2,"accepted"],"execution_at":3,"settlement_at":4}},"source":{{"account":{{"scheme":"bban","number":"2","name":"A"}},"authorisers":2}}}}}}"#
    );
    stays(TermsRecord::read, TermsRecord::write, &[&plain, &full]);
    // How often a consent could be used was written once; its kind says it.
    let earlier = plain.replace(r#""instruction":"#, r#""usage":"once","instruction":"#);
    assert_eq!(TermsRecord::write(&TermsRecord::read(&earlier).unwrap()), plain);
    let nameless = plain.replace(r#","name":"N""#, "");
    assert!(TermsRecord::read(&nameless).is_err(), "a payee has a name");
}

#[test]
fn courses_and_news_are_read_as_they_were_stored() {
    stays(
        StepRecord::read,
        StepRecord::write,
        &[
            r#"[{"stage":"received","at":-1}]"#,
            r#"[{"stage":"partially-authorised","at":1},{"stage":"pending","warehoused":true,"at":2},{"stage":"set-up","warehoused":true,"at":3},{"stage":"set-up-failed","at":4}]"#,
        ],
    );
    assert!(StepRecord::read("[]").is_err(), "an order stands somewhere");
    stays(
        NewsRecord::read,
        NewsRecord::write,
        &[
            r#""kept""#,
            r#"{"refused":"insufficient-funds"}"#,
            r#""cancelled""#,
            r#"{"expected":{"execution_at":1,"settlement_at":2}}"#,
            r#"{"expected":{}}"#,
            r#"{"payment":{"number":1,"due_on":"2026-12-05","paid_on":"2026-12-07","amount":[1,"GBP"],"status":"rejected","reason":"refused-by-scheme","detail":{"instrument":"faster-payments","status":"RJCT","reason":"proprietary-rejection","description":"d"}}}"#,
            r#"{"payment":{"number":1,"due_on":"2026-12-05","paid_on":"2026-12-07","amount":[1,"GBP"],"status":"in-process"}}"#,
        ],
    );
}
