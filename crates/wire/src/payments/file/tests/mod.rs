//! Parsing of valid and invalid files.

pub(in crate::payments) mod announced;
mod json;
mod pain;
mod streams;

use super::*;
use crate::files::read_file_lines;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use lombard_domain::version::Version;
use serde_json::{Value, json};
use std::convert::Infallible;

/// All lines of a file, with their totals.
fn read(kind: FileType, bytes: &[u8]) -> Result<(Vec<FileLine>, FileTotals), FileParseError<Infallible>> {
    let mut lines = Vec::new();
    let totals = read_file_lines(Version::V3_1, kind, bytes, &FileLimits::default(), |line| {
        lines.push(line);
        Ok(())
    })?;
    Ok((lines, totals))
}

/// The paths at which a file is refused; all faults have the same code.
fn wrong(kind: FileType, bytes: &[u8]) -> Vec<String> {
    match read(kind, bytes) {
        Ok(_) => vec![],
        Err(FileParseError::Refused(faults)) => faults.into_iter().map(place).collect(),
        Err(other) => panic!("{other:?}"),
    }
}

fn place(fault: Fault) -> String {
    assert_eq!(fault.code, FaultCode::InvalidFormat, "FILE-012");
    match fault.at {
        Some(FaultLocation::Path(path)) => path,
        None => String::new(),
        Some(other) => panic!("a reader names paths, not {other:?}"),
    }
}

/// A payment of the JSON of the standard.
fn payment(number: usize, amount: &str) -> Value {
    json!({
        "InstructionIdentification": format!("I-{number}"),
        "EndToEndIdentification": format!("E-{number}"),
        "InstructedAmount": {"Amount": amount, "Currency": "GBP"},
        "CreditorAccount": {
            "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "08080021325698", "Name": "ACME Inc"
        }
    })
}

fn json_file(payments: &[Value]) -> String {
    json!({"Data": {"DomesticPayments": payments}}).to_string()
}

/// A payment of `pain.001.001.08`.
pub(in crate::payments::file) fn transfer(number: usize, amount: &str) -> String {
    format!(
        "<CdtTrfTxInf><PmtId><InstrId>I-{number}</InstrId><EndToEndId>E-{number}</EndToEndId></PmtId>\
         <Amt><InstdAmt Ccy=\"GBP\">{amount}</InstdAmt></Amt><Cdtr><Nm>ACME Inc</Nm></Cdtr>\
         <CdtrAcct><Id><Othr><Id>08080021325698</Id></Othr></Id></CdtrAcct></CdtTrfTxInf>"
    )
}

/// A batch without the totals that it states.
pub(in crate::payments::file) fn batch(announced: &str, transfers: &[String]) -> String {
    format!(
        "<PmtInf><PmtInfId>B-1</PmtInfId><PmtMtd>TRF</PmtMtd>{announced}<ReqdExctnDt><Dt>2026-07-01</Dt></ReqdExctnDt>\
         <Dbtr><Nm>Payer Ltd</Nm></Dbtr><DbtrAcct><Id><IBAN>GB33BUKB20201555555555</IBAN></Id></DbtrAcct>\
         <DbtrAgt><FinInstnId><BICFI>BUKBGB22</BICFI></FinInstnId></DbtrAgt>{}</PmtInf>",
        transfers.concat()
    )
}

pub(in crate::payments::file) fn message(announced: &str, batches: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.08\">\n<CstmrCdtTrfInitn>\
         <GrpHdr><MsgId>ABC/120928/CCT001</MsgId><CreDtTm>2026-06-30T14:07:00</CreDtTm>{announced}\
         <InitgPty><Nm>Payer Ltd</Nm></InitgPty></GrpHdr>{}</CstmrCdtTrfInitn>\n</Document>\n",
        batches.concat()
    )
}

/// A message of two payments in one batch.
fn pain_file() -> String {
    let batch = batch("<NbOfTxs>2</NbOfTxs><CtrlSum>70</CtrlSum>", &[transfer(1, "20.50"), transfer(2, "49.5")]);
    message("<NbOfTxs>2</NbOfTxs><CtrlSum>70.00</CtrlSum>", &[batch])
}
