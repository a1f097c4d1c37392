//! Tests that every request and every answer is parsed as it was written.

use super::samples::Sampler;
use super::schemas;
use crate::calls::{self, AnswerBody, AnswerForm, CoreCall, Effect, methods};
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, SchemaStyle};
use crate::form::shape::SingleForm;
use jiff::Timestamp;
use jiff::civil::Date;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// The number of documents that are generated for each message.
const SAMPLES: u64 = 200;

/// Checks the messages of a method, and records which members they contained.
fn check_messages<C>(schemas: &BTreeMap<String, JsonNode<'static>>, seen: &mut BTreeSet<String>)
where
    C: CoreCall + PartialEq + Debug,
    <C::Answer as AnswerForm>::Value: PartialEq + Debug,
{
    let mut definitions = Definitions::new(SchemaStyle::OpenApi);
    let request = (C::METHOD.request)(&mut definitions);
    let answer = (C::METHOD.answer)(&mut definitions);
    for seed in 0..SAMPLES {
        let mut sampler = Sampler::new(schemas, seed);
        let body = serde_json::to_vec(&sampler.sample(&request, 0)).unwrap();
        let (context, arguments) = calls::read_request::<C>(&body).unwrap();
        let written = calls::write_request(&context, &arguments);
        assert_eq!(calls::read_request::<C>(&written).unwrap(), (context, arguments), "{}", C::METHOD.name);
        if let Some(answer) = &answer {
            let body = serde_json::to_vec(&sampler.sample(answer, 0)).unwrap();
            let value = calls::read_answer::<C>(Some(&body)).unwrap();
            let AnswerBody::Json(written) = calls::write_answer::<C>(&value) else { panic!("{}", C::METHOD.name) };
            assert_eq!(calls::read_answer::<C>(Some(&written)).unwrap(), value, "{}", C::METHOD.name);
        }
        seen.append(&mut sampler.seen);
    }
}

macro_rules! check_all {
    ($($call:ident)+) => {{
        let schemas = schemas();
        let mut seen = BTreeSet::new();
        $(check_messages::<calls::$call>(&schemas, &mut seen);)+
        let names: BTreeSet<_> = [$(<calls::$call as CoreCall>::METHOD.name),+].into();
        assert_eq!(names, methods().map(|method| method.name).collect(), "each method is checked");
        seen
    }};
}

#[test]
fn every_message_reads_back_what_it_writes() {
    let seen = check_all! {
        Accounts EligibleAccounts Balances Transactions EntriesVersion Beneficiaries DirectDebits StandingOrders ScheduledPayments
        Products Offers Parties FindParty Statements FindStatement StatementFile
        QuoteConditions QuoteRate HasAgreedRate QuoteExchangePrice ListPayers FindPayer FindPayerByNumber ConfirmPayee Submit
        FetchStatusUpdates AcknowledgeUpdates FindOrders ListOrders ReportConsentChange FetchAccountChanges AcknowledgeAccountChanges
        ExportCustomer EraseCustomer
    };
    assert!(seen.len() > 600, "{} members were there", seen.len());
}

#[test]
fn an_answer_of_bytes_is_a_file_or_nothing() {
    for (file, body) in [(Some(vec![1, 2]), AnswerBody::File(vec![1, 2])), (None, AnswerBody::Nothing)] {
        assert_eq!(calls::write_answer::<calls::StatementFile>(&file), body);
    }
    assert_eq!(calls::read_answer::<calls::StatementFile>(Some(b"x")).unwrap(), Some(b"x".to_vec()));
    assert_eq!(calls::read_answer::<calls::StatementFile>(None).unwrap(), None);
}

#[test]
fn an_invalid_message_is_reported_by_path_and_unknown_members_are_skipped() {
    let wrong = br#"{"Unknown":1,"PageSize":"x","AccountId":["a",7],"FromDateTime":"soon"}"#;
    let faults = calls::read_request::<calls::Transactions>(wrong).unwrap_err();
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["AccountId[1]", "FromDateTime", "PageSize"]);
    assert!(calls::read_request::<calls::Balances>(br#"{"Unknown":{"a":[1.5]},"AccountId":["a"]}"#).is_ok());
    for wrong in [&b"{\"Balance\":["[..], b"", b"[]", b"{} x"] {
        assert!(calls::read_answer::<calls::Balances>(Some(wrong)).is_err());
    }
}

#[test]
fn only_calls_that_name_their_effect_by_ids_have_one() {
    let once: Vec<_> = methods().filter(|it| it.effect == Effect::Idempotent).map(|it| it.name).collect();
    assert_eq!(
        once,
        ["submit", "acknowledge-status-updates", "consent-change", "acknowledge-account-changes", "erase-customer"]
    );
}

#[test]
fn what_lies_before_the_calendar_of_rfc_3339_is_written_as_its_beginning() {
    let day = Date::constant(-1, 12, 31);
    let time: Timestamp = "-000001-12-31T00:01:00Z".parse().unwrap();
    assert_eq!((day.write(), time.write()), (JsonNode::text("0000-01-01"), JsonNode::text("0000-01-01T00:00:00Z")));
    let day = Date::constant(9999, 12, 31);
    assert_eq!(day.write(), JsonNode::text("9999-12-31"));
}
