//! Assembly of status reports.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    reason = "the numbers of these tests are small, and most events of a reader say nothing here"
)]

use super::*;
use crate::files::{read_file_lines, write_report_entries};
use crate::payments::file::tests::{batch, message, transfer};
use crate::v3_1::V3_1;
use crate::{Links, Meta};
use jiff::Timestamp;
use lombard_domain::ids::{OrderId, PaymentTransactionId};
use lombard_domain::payment::file::{FileLine, FileTotals, FileType};
use lombard_domain::payment::order::{DetailReason, PaymentStatus, RailDetail};
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::version::Version;
use quick_xml::events::Event;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

fn at() -> Timestamp {
    "2026-07-01T09:30:00Z".parse().unwrap()
}

fn entry(number: u32, status: PaymentStatus) -> PaymentDetailsEntry {
    let refused = RailDetail {
        instrument: Some(Instrument::FasterPayments),
        status: "Refused".into(),
        reason: Some(DetailReason::ProprietaryRejection),
        description: Some(format!("<{}> & more", "No. ".repeat(30))),
    };
    let detail = (status == PaymentStatus::Rejected).then_some(refused);
    PaymentDetailsEntry { id: PaymentTransactionId::for_payment(&"o-1".into(), number), status, since: at(), detail }
}

const STATUSES: [PaymentStatus; 3] = [PaymentStatus::Settled, PaymentStatus::Rejected, PaymentStatus::Settled];

fn all() -> Vec<PaymentDetailsEntry> {
    (1..).zip(STATUSES).map(|(number, status)| entry(number, status)).collect()
}

fn envelope() -> ResponseEnvelope {
    ResponseEnvelope { links: Links::self_only("https://bank.example/[]".into()), meta: Meta::ONE_PAGE }
}

#[test]
fn pis_090_details_in_pieces_are_the_details() {
    let frame = ReportFrame::details::<V3_1>(&envelope()).unwrap();
    for cut in 0..=3 {
        let (first, second) = all().split_at(cut).map_pieces();
        let pieces = [frame.head.clone(), first, second, frame.tail.clone()].concat();
        let whole = V3_1::render(&DetailsView { payments: all() }, &envelope()).unwrap();
        assert_eq!(String::from_utf8(pieces).unwrap(), String::from_utf8(whole).unwrap(), "{cut}");
    }
    let none = V3_1::render(&DetailsView { payments: vec![] }, &envelope()).unwrap();
    assert_eq!([frame.head, frame.tail].concat(), none);
}

trait MapPieces {
    fn map_pieces(self) -> (Vec<u8>, Vec<u8>);
}

impl MapPieces for (&[PaymentDetailsEntry], &[PaymentDetailsEntry]) {
    fn map_pieces(self) -> (Vec<u8>, Vec<u8>) {
        let first = write_report_entries(Version::V3_1, self.0.iter().cloned(), true).unwrap();
        (first, write_report_entries(Version::V3_1, self.1.iter().cloned(), self.0.is_empty()).unwrap())
    }
}

#[test]
fn file_022_the_report_on_json_is_a_list_of_payment_details() {
    let ReportFrame { head, tail } = ReportFrame::report();
    let report = [head, write_report_entries(Version::V3_1, all().into_iter(), true).unwrap(), tail].concat();
    let report: Value = serde_json::from_slice(&report).unwrap();
    let details: Value =
        serde_json::from_slice(&V3_1::render(&DetailsView { payments: all() }, &envelope()).unwrap()).unwrap();
    assert_eq!(report, details["Data"]["PaymentStatus"]);
    assert_eq!(report[0]["PaymentTransactionId"], json!("o-1-1"));
}

/// A message of two batches: two payments, and one.
fn file() -> String {
    let batches = [
        batch("", &[transfer(1, "20.50"), transfer(2, "49.50")]),
        batch("", &[transfer(3, "1")]).replace("B-1", "B&amp;2"),
    ];
    message("<NbOfTxs>3</NbOfTxs>", &batches)
}

fn lines() -> (Vec<FileLine>, FileTotals) {
    let mut lines = Vec::new();
    let totals = read_file_lines(Version::V3_1, FileType::Pain001, file().as_bytes(), &FileLimits::default(), |line| {
        lines.push(line);
        Ok::<_, Infallible>(())
    });
    (lines, totals.unwrap())
}

#[test]
fn file_022_a_report_repeats_the_message_id() {
    let original = read_original(file().as_bytes(), &FileLimits::default()).unwrap();
    let batch = |id: &str, count| OriginalBatch { id: id.into(), count };
    assert_eq!(
        original,
        OriginalMessage { message: "ABC/120928/CCT001".into(), batches: vec![batch("B-1", 2), batch("B&2", 1)] }
    );
    assert!(matches!(read_original(&b"<Document"[..], &FileLimits::default()), Err(FileParseError::Refused(_))));
    let small = FileLimits { file_bytes_max: 100, ..FileLimits::default() };
    assert!(read_original(file().as_bytes(), &small).is_err());
}

fn tally(range: Range<usize>) -> BTreeMap<PaymentStatus, u32> {
    let mut tally = BTreeMap::new();
    for status in &STATUSES[range.start.min(3)..range.end.min(3)] {
        *tally.entry(*status).or_default() += 1;
    }
    tally
}

fn report(pieces: usize) -> String {
    let original = read_original(file().as_bytes(), &FileLimits::default()).unwrap();
    let (lines, totals) = lines();
    let report = StatusReport::for_message(original);
    let order = OrderId::from("0197a5c8-7a11-7f43-8a5e-0123456789ab");
    let mut written = report.head(&order, at(), &totals, &tally).unwrap();
    let payments: Vec<_> = all().into_iter().zip(lines).collect();
    for (index, piece) in payments.chunks(pieces).enumerate() {
        let piece = piece.iter().cloned().map(|(entry, line)| ReportedPayment { entry, line });
        written.extend(report.payments(index * pieces, piece, &tally).unwrap());
    }
    written.extend(report.tail().unwrap());
    String::from_utf8(written).unwrap()
}

#[test]
fn file_022_the_report_on_pain_001_is_pain_002() {
    let whole = report(3);
    for pieces in [1, 2] {
        assert_eq!(report(pieces), whole, "in whatever pieces");
    }
    let part = |part: &str| assert!(whole.contains(part), "{part} is not in {whole}");
    part("<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.002.001.10\"><CstmrPmtStsRpt>");
    part("<GrpHdr><MsgId>0197a5c87a117f438a5e0123456789ab</MsgId><CreDtTm>2026-07-01T09:30:00Z</CreDtTm></GrpHdr>");
    part(
        "<OrgnlMsgId>ABC/120928/CCT001</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.08</OrgnlMsgNmId>\
         <OrgnlNbOfTxs>3</OrgnlNbOfTxs><OrgnlCtrlSum>71.00</OrgnlCtrlSum><GrpSts>PART</GrpSts>\
         <NbOfTxsPerSts><DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>ACSC</DtldSts></NbOfTxsPerSts>\
         <NbOfTxsPerSts><DtldNbOfTxs>1</DtldNbOfTxs><DtldSts>RJCT</DtldSts></NbOfTxsPerSts>",
    );
    part(
        "<OrgnlPmtInfAndSts><OrgnlPmtInfId>B-1</OrgnlPmtInfId><OrgnlNbOfTxs>2</OrgnlNbOfTxs><PmtInfSts>PART</PmtInfSts>\
         <TxInfAndSts><OrgnlInstrId>I-1</OrgnlInstrId><OrgnlEndToEndId>E-1</OrgnlEndToEndId><TxSts>ACSC</TxSts>\
         <OrgnlTxRef><Amt><InstdAmt Ccy=\"GBP\">20.50</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>",
    );
    part("<TxSts>RJCT</TxSts><StsRsnInf><Rsn><Prtry>ProprietaryRejection</Prtry></Rsn><AddtlInf>&lt;No. No. ");
    part("& more</AddtlInf></StsRsnInf>".replace('&', "&amp;").as_str());
    part("<OrgnlPmtInfId>B&amp;2</OrgnlPmtInfId><OrgnlNbOfTxs>1</OrgnlNbOfTxs><PmtInfSts>ACSC</PmtInfSts>");
    assert_eq!(whole.matches("<AddtlInf>").count(), 2, "no longer than a sentence may be");
    let mut reader = quick_xml::Reader::from_str(&whole);
    reader.config_mut().check_end_names = true;
    let mut depth = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "well-formed");
}

#[test]
fn file_022_a_group_has_the_status_of_its_payments() {
    use PaymentStatus as S;
    let group = |statuses: &[S]| status::of_group(&statuses.iter().map(|status| (*status, 1)).collect());
    for (statuses, code) in [
        (&[S::Rejected][..], "RJCT"),
        (&[S::Rejected, S::Cancelled], "RJCT"),
        (&[S::Rejected, S::Credited], "PART"),
        (&[S::Cancelled, S::Pending], "PART"),
        (&[S::Credited], "ACCC"),
        (&[S::Settled], "ACSC"),
        (&[S::Pending], "PDNG"),
        (&[S::Settled, S::Credited, S::WithoutPosting], "ACSP"),
        (&[S::Received, S::Rejected], "RCVD"),
    ] {
        assert_eq!(group(statuses), code, "{statuses:?}");
    }
    let codes: std::collections::BTreeSet<_> = PaymentStatus::ALL.into_iter().map(status::code).collect();
    assert_eq!(codes.len(), PaymentStatus::ALL.len());
}
