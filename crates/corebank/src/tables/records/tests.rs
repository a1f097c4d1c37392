//! Compatibility of stored documents: samples from databases are read and written again, verbatim.

use super::*;
use crate::status_update_record::StatusUpdateRecord;
use crate::storage::{Arrangement, ArrangementKind};
use jiff::Timestamp;
use lombard_database::document;
use lombard_domain::account::{AccountStatus, AccountSubType, EntryStatus, Party, StatementType};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_ports::store::Source;

#[track_caller]
fn stays<T>(read: impl Fn(&str) -> Result<T, Source>, write: impl Fn(&T) -> String, documents: &[&str]) {
    for document in documents {
        match read(document) {
            Ok(it) => assert_eq!(write(&it), *document),
            Err(error) => panic!("{error}\n{document}"),
        }
    }
}

fn account(text: &str) -> Result<lombard_domain::account::Account, Source> {
    AccountRecord::read(text, "a".into(), AccountStatus::Enabled, AccountSubType::Savings, Currency::GBP)
}

fn entry(text: &str) -> Result<lombard_domain::account::Transaction, Source> {
    let columns = EntryColumns {
        account: "a".into(),
        id: "e".into(),
        booked_at: Timestamp::UNIX_EPOCH,
        sum: SignedAmount::from_minor(-1, Currency::GBP),
        status: EntryStatus::Booked,
        statement_reference: None,
    };
    EntryRecord::read(text, columns)
}

#[test]
fn ais_135_an_entry_is_indexed_by_its_due_action_and_shown_by_its_status() {
    use EntryStatus as S;
    let plain = entry(r#"{"mutability":"mutable"}"#).unwrap();
    for (shown, column) in [
        (S::Booked, S::Booked),
        (S::Pending, S::Pending),
        (S::Rejected, S::Rejected),
        (S::Future, S::Pending),
        (S::Information, S::Rejected),
    ] {
        assert_eq!(column_status(shown), column);
        let of = lombard_domain::account::Transaction { status: shown, ..plain.clone() };
        let columns = EntryColumns {
            account: "a".into(),
            id: "e".into(),
            booked_at: Timestamp::UNIX_EPOCH,
            sum: plain.sum,
            status: column,
            statement_reference: None,
        };
        assert_eq!(EntryRecord::read(&EntryRecord::write(&of), columns).unwrap(), of);
    }
}

fn statement(text: &str) -> Result<lombard_domain::account::Statement, Source> {
    let columns = StatementColumns {
        id: "s".into(),
        account: "a".into(),
        kind: StatementType::Annual,
        reference: Some("r".into()),
        starts_at: Timestamp::UNIX_EPOCH,
        ends_at: Timestamp::UNIX_EPOCH,
        created_at: Timestamp::UNIX_EPOCH,
    };
    StatementRecord::read(text, columns)
}

fn arrangement(kind: ArrangementKind) -> impl Fn(&str) -> Result<Arrangement, Source> {
    move |text| ArrangementRecord::read(text, kind, "a".into(), "id", None)
}

#[test]
fn accounts_are_read_as_they_were_stored() {
    stays(
        account,
        AccountRecord::write,
        &[
            r#"{"status_changed_at":-7,"account_type":"personal","identifications":[]}"#,
            r#"{"status_changed_at":1,"account_type":"business","description":"d","nickname":"n","opened_on":"2020-02-29","matures_on":"2030-01-01","switch_status":"switch-completed","identifications":[{"scheme":"sort-code-account-number","number":"20000012345678","name":"N","secondary":"s"},{"scheme":"iban","number":"GB1"}],"servicer":{"bic":"BUKBGB22","name":"B","address":{"kind":"po-box","department":"d","sub_department":"s","street":"t","building":"1","post_code":"p","town":"w","county":"c","country":"GB","lines":["l","m"]}}}"#,
            r#"{"status_changed_at":1,"account_type":"business","identifications":[{"scheme":"iban","number":"GB1","proxy":{"identification":"+44-1","code":"TELE","kind":"k"}}],"servicer":{"address":{"care_of":"a","building_name":"b","unit":"c","floor":"d","room":"e","post_box":"f","town_location":"g","district":"h"},"lei":"L"},"lei":"L","statement_delivery":[{"frequency":"MNTH","medium":"ONLI","format":"DPDF","address":{"town":"t"}},{}]}"#,
        ],
    );
    for wrong in [
        r#"{"status_changed_at":1,"account_type":"family","identifications":[]}"#,
        r#"{"status_changed_at":9223372036854775807,"account_type":"personal","identifications":[]}"#,
        r#"{"status_changed_at":1,"account_type":"personal","opened_on":"2021-02-29","identifications":[]}"#,
        r#"{"status_changed_at":1,"account_type":"personal"}"#,
    ] {
        assert!(account(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn entries_are_read_as_they_were_stored() {
    stays(
        entry,
        EntryRecord::write,
        &[
            r#"{"mutability":"immutable"}"#,
            r#"{"mutability":"mutable","reference":"r","statement_references":["s"],"value_at":-1,"information":"i","address_line":"l","charge":[3,"EUR"],"exchange":{"source":"USD","target":"GBP","unit":"USD","rate":"1.2500","quoted_at":5,"instructed":[10,"JPY"]},"bank_code":["c","s"],"proprietary_code":["p","i"],"balance":["interim-booked",[-9,"GBP"]],"merchant":["m","5411"],"other_party":{"agent":{"bic":"B"},"account":{"scheme":"bban","number":"1"}},"card":{"scheme":"visa","authorisation":"none","name":"n","number":"1"}}"#,
            r#"{"mutability":"mutable","exchange":{"source":"USD","target":"GBP","unit":"GBP","rate":"2"},"proprietary_code":["p",null],"merchant":["m",null],"other_party":{},"card":{"scheme":"american-express"}}"#,
            r#"{"mutability":"mutable","payment":{"category_purpose":"SUPP","purpose":"CRYP","extended_codes":[{"code":"c","issuer":"i","description":"d"},{"code":"c"}],"ultimate_creditor":{"name":"n","scheme":"iban","identification":"GB1","lei":"L","address":{"town":"t"}},"ultimate_debtor":{},"intermediaries":[{"agent":{"bic":"B"},"status":"ACSC"},{"agent":{}}]}}"#,
            r#"{"mutability":"mutable","payment":{}}"#,
            r#"{"mutability":"mutable","status":"future"}"#,
            r#"{"mutability":"immutable","status":"information"}"#,
        ],
    );
    for wrong in [
        r#"{"mutability":"mutable","exchange":{"source":"USD","target":"GBP","unit":"GBP","rate":"two"}}"#,
        r#"{"mutability":"mutable","charge":[-3,"EUR"]}"#,
        r#"{"mutability":"mutable","charge":[3,"EURO"]}"#,
    ] {
        assert!(entry(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn statements_are_read_as_they_were_stored() {
    stays(
        statement,
        StatementRecord::write,
        &[
            "{}",
            r#"{"descriptions":["d"],"benefits":[["cashback",[1,"GBP"]]],"fees":[{"description":"f","kind":"late-payment","rate":["1.50","aer"],"frequency":"weekly","sum":[-2,"GBP"]},{"kind":"total","sum":[2,"GBP"]}],"interest":[{"description":"i","kind":"purchase","rate":["0.1","net"],"frequency":"half-yearly","sum":[3,"GBP"]},{"kind":"cash","sum":[3,"GBP"]}],"amounts":[["closing-balance",[-4,"GBP"]]],"dates":[["payment-due",5]],"rates":[["monthly-cash","1.10"]],"values":[["credits","v"]],"total":[6,"GBP"]}"#,
        ],
    );
    assert!(statement(r#"{"rates":[["monthly-cash","much"]]}"#).is_err());
    assert!(statement(r#"{"dates":[["payment-due",9223372036854775807]]}"#).is_err());
}

#[test]
fn arrangements_are_read_as_they_were_stored() {
    use ArrangementKind as K;
    let kinds: [(K, &[&str]); 7] = [
        (
            K::Beneficiary,
            &[
                r#"{"payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"kind":"trusted","reference":"r","agent":{"bic":"B","name":"n"},"payee":{"scheme":"wallet","number":"1","name":"N","secondary":"s"}}"#,
            ],
        ),
        (
            K::DirectDebit,
            &[
                r#"{"mandate":"m","status":"active","name":"n","frequency":"fortnightly"}"#,
                r#"{"mandate":"m","status":"inactive","name":"n","frequency":"not-known","previous":[7,[1,"GBP"]]}"#,
                r#"{"mandate":"m","status":"active","name":"n","frequency":"monthly","terms":{"classification":"FIXE","category_purpose":"SUPP","reason":"r"}}"#,
            ],
        ),
        (
            K::StandingOrder,
            &[
                r#"{"frequency":"every-working-day","status":"active","payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"frequency":{"interval-day":3},"status":"active","payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"frequency":{"week-in-month-day":[5,7]},"status":"active","payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"frequency":{"interval-month-day":[12,-5]},"status":"active","payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"frequency":"not-known","status":"active","payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"frequency":"every-day","status":"active","terms":{"identification":"i"},"payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"frequency":{"quarter-day":"scottish"},"reference":"r","first":[1,[1,"GBP"]],"next":[2,[2,"GBP"]],"last":[3,[3,"GBP"]],"end":[4,[4,"GBP"]],"payments":5,"status":"inactive","agent":{},"payee":{"scheme":"paym","number":"1"}}"#,
            ],
        ),
        (
            K::ScheduledPayment,
            &[
                r#"{"at":1,"kind":"arrival","amount":[1,"GBP"],"payee":{"scheme":"bban","number":"1"}}"#,
                r#"{"at":1,"kind":"execution","reference":"r","debtor_reference":"d","amount":[1,"GBP"],"agent":{"name":"n"},"payee":{"scheme":"bban","number":"1"}}"#,
            ],
        ),
        (
            K::Offer,
            &[
                r#"{"kind":"other"}"#,
                r#"{"kind":"limit-increase","description":"d","from":1,"until":2,"rate":"3.40","value":-5,"term":"t","url":"u","amount":[6,"GBP"],"fee":[7,"GBP"]}"#,
            ],
        ),
        (
            K::Party,
            &[
                r#"{"kind":"sole","party":{"id":"p"}}"#,
                r#"{"kind":"delegate","role":"power-of-attorney","beneficial_owner":false,"party":{"id":"p","number":"1","name":"n","full_legal_name":"f","legal_structure":"sole-trader","email":"e","phone":"1","mobile":"2","addresses":[{"town":"t"},{}]}}"#,
            ],
        ),
        (K::Routine, &["any text at all"]),
    ];
    for (kind, documents) in kinds {
        stays(arrangement(kind), ArrangementRecord::write, documents);
    }
    for (kind, wrong) in [
        (
            K::StandingOrder,
            r#"{"frequency":{"week-in-month-day":[5,8]},"status":"active","payee":{"scheme":"bban","number":"1"}}"#,
        ),
        (K::Offer, r#"{"kind":"other","rate":"x"}"#),
        (K::DirectDebit, r#"{"mandate":"m","status":"active","name":"n","frequency":"never"}"#),
    ] {
        assert!(arrangement(kind)(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn parties_are_read_as_they_were_stored() {
    stays(
        document::read,
        document::write::<Party>,
        &[r#"{"id":"p"}"#, r#"{"id":"p","lei":"L"}"#, r#"{"id":"p","name":"n","addresses":[{"lines":["l"]}]}"#],
    );
}

#[test]
fn status_updates_of_every_kind_are_read_as_they_were_stored() {
    stays(
        StatusUpdateRecord::read,
        StatusUpdateRecord::write,
        &[
            r#"{"ended":"insufficient-funds"}"#,
            r#"{"expected":{"settlement_at":2}}"#,
            r#"{"payment":{"number":1,"due_on":"2026-12-05","paid_on":"2026-12-07","amount":[1,"GBP"],"status":"settled","detail":{"status":"ACSC"}}}"#,
        ],
    );
    let day = r#"{"payment":{"number":1,"due_on":"5 December","paid_on":"2026-12-07","amount":[1,"GBP"],"status":"settled"}}"#;
    assert!(StatusUpdateRecord::read(day).is_err());
}
