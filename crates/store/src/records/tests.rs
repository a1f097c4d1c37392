//! Compatibility of stored documents: samples from databases are read and written again, verbatim.

use super::*;
use lombard_domain::consent::ConsentRequest;
use lombard_domain::event::EventClaims;
use lombard_domain::payment::file::{FileLine, FileProgress};
use lombard_domain::payment::order::{Instruction, StatusHistory};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::registration::Registration;
use serde::de::DeserializeOwned;

#[track_caller]
fn stays<T>(read: fn(&str) -> Result<T, Source>, write: fn(&T) -> String, documents: &[&str]) {
    for document in documents {
        match read(document) {
            Ok(it) => assert_eq!(write(&it), *document),
            Err(error) => panic!("{error}\n{document}"),
        }
    }
}

#[track_caller]
fn stays_document<T: Serialize + DeserializeOwned>(documents: &[&str]) {
    stays(document::read, document::write::<T>, documents);
}

#[test]
fn instructions_are_read_as_they_were_stored() {
    stays_document::<Instruction>(&[
        r#"{"domestic":{"credit":{"creditor":{"scheme":"sort-code-account-number","number":"20000012345678","name":"N"}},"amount":[1250,"GBP"],"timing":"immediate"}}"#,
        r#"{"domestic":{"credit":{"instrument":"chaps","creditor":{"scheme":"iban","number":"GB33BUKB20201555555555","name":"N","secondary":"s"},"address":{"town":"Leeds"},"instruction":"i","end_to_end":"e","reference":"r","message":"m"},"amount":[1,"GBP"],"timing":{"on":"2028-02-29"}}}"#,
        r#"{"domestic":{"credit":{"creditor":{"scheme":"pan","number":"4111111111111111","name":"N"}},"amount":[1,"GBP"],"timing":{"recurring":{"frequency":{"interval-week-day":[2,4]},"first_on":"2026-12-01","recurring_from":"2026-12-04","end":{"after":9},"regular":[5,"GBP"],"last":[7,"GBP"]}}}}"#,
        r#"{"domestic":{"credit":{"creditor":{"scheme":"pan","number":"4111111111111111","name":"N"}},"amount":[1,"GBP"],"timing":{"recurring":{"frequency":"every-day","first_on":"2026-12-01","end":"open"}}}}"#,
        r#"{"domestic":{"credit":{"creditor":{"scheme":"pan","number":"4111111111111111","name":"N"}},"amount":[1,"GBP"],"timing":{"recurring":{"frequency":"every-day","first_on":"2026-12-01","end":{"on":"2027-01-01"}}}}}"#,
        r#"{"domestic":{"credit":{"creditor":{"scheme":"bban","number":"1","name":"N","proxy":{"identification":"+44-1","code":"TELE"}},"reference":"r","message":"m","remittance":{"structured":[{"documents":[{"kind":"CINV","dated_at":1}],"creditor_reference":{"kind":"SCOR","reference":"r"}}],"unstructured":["m","n"]}},"amount":[1,"GBP"],"timing":"immediate","details":{"agent":{"name":"B","lei":"L"},"creditor_lei":"L","ultimate_creditor":{"name":"C"},"ultimate_debtor":{"name":"D"},"purpose":"RENT","category_purpose":"WHLD","regulatory_reporting":[{"indicator":"CRED","authority":"A","authority_country":"GB","details":[{"kind":"t","dated_at":2,"amount":[1,"GBP"],"information":["i"]}]}],"mandate":{"identification":"m"}}}}"#,
    ]);
}

#[test]
fn registrations_are_read_as_they_were_stored() {
    stays_document::<Registration>(&[
        r#"{"application_type":"native","grant_types":["client-credentials","authorization-code","refresh-token","backchannel"],"response_types":["code-id-token","code"]}"#,
        r#"{"application_type":"mobile","grant_types":["client-credentials"],"response_types":[]}"#,
        r#"{"application_type":"web","grant_types":["client-credentials"],"response_types":["code"]}"#,
    ]);
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
    stays_document::<ConsentRequest>(&[&plain, &full]);
    // Earlier releases stored `usage` as well; now it follows from the consent's kind.
    let earlier = plain.replace(r#""instruction":"#, r#""usage":"once","instruction":"#);
    assert_eq!(document::write(&document::read::<ConsentRequest>(&earlier).unwrap()), plain);
    let nameless = plain.replace(r#","name":"N""#, "");
    assert!(document::read::<ConsentRequest>(&nameless).is_err(), "a payee has a name");
}

#[test]
fn instructions_of_every_kind_are_read_as_they_were_stored() {
    stays_document::<Instruction>(&[
        r#"{"international":{"payment":{"credit":{"creditor":{"scheme":"iban","number":"DE1","name":"N"}},"transfer":"EUR"},"amount":[1,"GBP"],"timing":"immediate"}}"#,
        r#"{"international":{"payment":{"credit":{"instrument":"swift","creditor":{"scheme":"iban","number":"DE1","name":"N"},"reference":"r"},"payee":"P","agent":{"code":{"bic":"DEUTDEFF"},"name":"B","address":{"town":"Bonn"}},"transfer":"EUR","exchange":{"unit":"GBP","basis":{"agreed":{"rate":"1.25","contract":"c"}}},"bearer":"shared","priority":"urgent","destination":"DE","purpose":"SUPP","purpose_in_words":"Goods"},"amount":[1,"GBP"],"timing":{"on":"2028-02-29"}}}"#,
        r#"{"international":{"payment":{"credit":{"creditor":{"scheme":"bban","number":"1","name":"N"}},"agent":{"code":{"clearing":{"country":"US","number":"0210"}}},"transfer":"USD","exchange":{"unit":"GBP","basis":"actual"},"priority":"normal"},"amount":[1,"USD"],"timing":"immediate"}}"#,
        r#"{"file":{"kind":"pain-001","hash":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,255]}}"#,
        r#"{"file":{"kind":"payment-initiation-3.1","hash":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"reference":"f","count":3,"sum":"100.50","execute_on":"2026-12-24","instrument":"bacs","debtor":{"scheme":"bban","number":"2"},"references":{"reference":"r","message":"m"}}}"#,
        r#"{"recurring":{"controls":{"individual":[5,"GBP"],"limits":[{"cycle":"consent-day","amount":[5,"GBP"]}],"types":["sweeping"],"methods":["not-required"]}}}"#,
        r#"{"recurring":{"controls":{"valid_from":"2026-07-01","valid_to":"2026-12-31","individual":[5,"GBP"],"limits":[{"cycle":"consent-fortnight","amount":[5,"GBP"]},{"cycle":"calendar-half-year","amount":[6,"GBP"]}],"types":["sweeping","other"],"methods":["strong","not-required"],"interactions":["in-session","off-session"]},"creditor":{"scheme":"bban","number":"1","name":"N"},"address":{"town":"Leeds"},"references":{"reference":"r"}}}"#,
    ]);
    let endless = r#"{"recurring":{"controls":{"individual":[5,"GBP"],"limits":[],"types":[],"methods":[]}}}"#;
    assert!(document::read::<Instruction>(endless).is_err(), "without a limit anything could be paid");
}

#[test]
fn quotes_and_files_are_read_as_they_were_stored() {
    let quoted = |basis| format!(r#"{{"quote":{{"unit":"GBP","transfer":"USD","rate":"1.25","basis":{basis}}}}}"#);
    for basis in [r#"{"actual":{"expires_at":7}}"#, r#"{"agreed":{"contract":"c"}}"#, r#""indicative""#] {
        stays_document::<PaymentConditions>(&[&quoted(basis)]);
    }
    let with = |file: &str| {
        let instruction = r#"{"domestic":{"credit":{"creditor":{"scheme":"bban","number":"1","name":"N"}},"amount":[1,"GBP"],"timing":"immediate"}}"#;
        format!(
            r#"{{"payment":{{"instruction":{instruction},"refund":false,"authorisers":"any","conditions":{{}},"file":{file}}}}}"#
        )
    };
    for file in [
        r#"{"id":"u","media_type":"text/xml","bytes":9,"totals":{"count":1,"by_currency":[[1,"GBP"]],"largest":[[1,"GBP"]],"unpayable":0}}"#,
        r#"{"id":"u","media_type":"text/xml","bytes":9,"totals":{"count":3,"by_currency":[[1,"GBP"],[7,"JPY"]],"largest":[[1,"GBP"],[7,"JPY"]],"unpayable":1,"days":["2026-12-23","2026-12-24"],"execute_on":"mixed","debtor":{"named":{"scheme":"bban","number":"2"}},"instrument":{"named":"bacs"}}}"#,
    ] {
        stays_document::<ConsentRequest>(&[&with(file)]);
    }
    stays_document::<FileLine>(&[
        r#"{"amount":[1,"GBP"],"payee":{"to":{"creditor":{"scheme":"bban","number":"1","name":"N"}}}}"#,
        r#"{"amount":[1,"GBP"],"references":{"end_to_end":"e"},"instrument":"bacs","debtor":{"scheme":"bban","number":"2"},"execute_on":"2026-12-24","payee":{"to":{"creditor":{"scheme":"bban","number":"1","name":"N"},"address":{"town":"Leeds"}}}}"#,
        r#"{"amount":[1,"GBP"],"payee":{"unpayable":"no-account"}}"#,
    ]);
    stays_document::<FileProgress>(&[r#"{"count":4,"given":3,"decided":2,"rejected":1}"#]);
}

#[test]
fn courses_are_read_as_they_were_stored() {
    stays_document::<StatusHistory>(&[
        r#"[{"stage":"received","at":-1}]"#,
        r#"[{"stage":"partially-authorised","at":1},{"stage":"pending","warehoused":true,"at":2},{"stage":"set-up","warehoused":true,"at":3},{"stage":"set-up-failed","at":4}]"#,
    ]);
    assert!(document::read::<StatusHistory>("[]").is_err(), "an order stands somewhere");
}

#[test]
fn claims_and_approvals_are_read_as_they_were_stored() {
    stays_document::<EventClaims>(&[
        r#"{"issuer":"i","about":"a","resource_id":"r","resource_type":"t","links":[],"types":["resource-update"]}"#,
        r#"{"issuer":"i","about":"a","resource_id":"r","resource_type":"t","links":[["v3.1","l"],["v4.0","m"]],"types":["linked-account-update","vrp-linked-account-update"],"reason":"cass"}"#,
    ]);
    stays(
        |text| ApprovalsRecord::read(text, ApprovalStatus::Awaiting, None),
        ApprovalsRecord::write,
        &[
            r#"{"required":2,"received":["a","b"],"changed_at":-1}"#,
            r#"{"required":3,"received":["a"],"failed":["b"],"changed_at":1}"#,
            r#"{"required":2,"received":["a","b"],"authentications":[{"psu":"b","at":2,"factors":["knowledge","inherence"]}],"changed_at":2}"#,
        ],
    );
    for wrong in [r#"{"required":2,"received":[],"changed_at":9223372036854775807}"#, r#"{"required":2}"#] {
        assert!(ApprovalsRecord::read(wrong, ApprovalStatus::Awaiting, None).is_err(), "{wrong}");
    }
}

#[test]
fn consents_of_every_kind_are_read_as_they_were_stored() {
    stays_document::<ConsentRequest>(&[
        r#"{"account-access":{"permissions":5}}"#,
        r#"{"account-access":{"permissions":2097151,"transactions_from":-1,"transactions_to":2}}"#,
        r#"{"funds-confirmation":{"account":{"scheme":"iban","number":"1","name":"N","secondary":"s"}}}"#,
    ]);
    // An unknown permission bit is ignored.
    let unknown = document::read::<ConsentRequest>(r#"{"account-access":{"permissions":2147483649}}"#).unwrap();
    assert_eq!(document::write(&unknown), r#"{"account-access":{"permissions":1}}"#);
}

#[test]
fn what_is_no_document_of_the_kind_is_not_read() {
    let domestic = |credit: &str, amount: &str, timing: &str| {
        format!(r#"{{"domestic":{{"credit":{credit},"amount":{amount},"timing":{timing}}}}}"#)
    };
    const CREDIT: &str = r#"{"creditor":{"scheme":"bban","number":"1","name":"N"}}"#;
    assert!(document::read::<Instruction>(&domestic(CREDIT, r#"[1,"GBP"]"#, r#""immediate""#)).is_ok());
    for (credit, amount, timing) in [
        (r#"{"creditor":{"scheme":"bban","number":"1"}}"#, r#"[1,"GBP"]"#, r#""immediate""#),
        (r#"{"creditor":{"scheme":"cheque","number":"1","name":"N"}}"#, r#"[1,"GBP"]"#, r#""immediate""#),
        (CREDIT, r#"[-1,"GBP"]"#, r#""immediate""#),
        (CREDIT, r#"[1,"POUND"]"#, r#""immediate""#),
        (CREDIT, r#"[1,"GBP"]"#, r#"{"on":"2026-02-29"}"#),
        (CREDIT, r#"[1,"GBP"]"#, r#""later""#),
        (
            CREDIT,
            r#"[1,"GBP"]"#,
            r#"{"recurring":{"frequency":"every-day","first_on":"2026-12-01","end":{"after":0}}}"#,
        ),
    ] {
        let document = domestic(credit, amount, timing);
        assert!(document::read::<Instruction>(&document).is_err(), "{document}");
    }
    for rate in ["0", "-1", "x"] {
        let quote = format!(r#"{{"quote":{{"unit":"GBP","transfer":"USD","rate":"{rate}","basis":"indicative"}}}}"#);
        assert!(document::read::<PaymentConditions>(&quote).is_err(), "{quote}");
    }
}
