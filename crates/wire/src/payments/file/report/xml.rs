//! The ISO 20022 XML message `pain.002.001.10`, written in pieces: head, payments, tail. Source: FILE-022.

use super::{OriginalMessage, status};
use crate::payments::names;
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::file::{FileLine, FileTotals};
use lombard_domain::payment::order::{PaymentDetailsEntry, PaymentStatus};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

/// The namespace of the message.
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:pain.002.001.10";
/// The name of the original message.
const ORIGINAL: &str = "pain.001.001.08";
/// The maximum length of a message id, in characters.
const ID_CHARS_MAX: usize = 35;
/// The maximum length of one additional information text, in characters; there may be several.
const SENTENCE_CHARS_MAX: usize = 105;

/// The number of payments by status, for a range of payments counted from 0.
pub type StatusCounts<'a> = &'a dyn Fn(Range<usize>) -> BTreeMap<PaymentStatus, u32>;

/// A reported payment, with its line of the file.
#[derive(Debug)]
pub struct ReportedPayment {
    /// Its entry in the payment details.
    pub entry: PaymentDetailsEntry,
    /// Its line.
    pub line: FileLine,
}

/// The status report on a message.
#[derive(Debug)]
pub struct StatusReport {
    original: OriginalMessage,
    /// The index of the first payment of each batch, from 0, and the index after the last payment.
    places: Vec<usize>,
}

impl StatusReport {
    /// The status report on this message.
    pub fn for_message(original: OriginalMessage) -> Self {
        let counts = original.batches.iter().map(|batch| usize::try_from(batch.count).unwrap_or(usize::MAX));
        let sums = counts.scan(0_usize, |sum, count| {
            *sum = sum.saturating_add(count);
            Some(*sum)
        });
        let places = std::iter::once(0).chain(sums).collect();
        Self { original, places }
    }

    /// The bytes before the payments: the original message and its group status.
    ///
    /// # Errors
    /// No error occurs, because the writer is in memory.
    pub fn head(
        &self,
        order: &OrderId,
        at: Timestamp,
        totals: &FileTotals,
        tally: StatusCounts<'_>,
    ) -> io::Result<Vec<u8>> {
        let mut xml = Writer::new(Vec::new());
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        xml.write_event(Event::Start(BytesStart::new("Document").with_attributes([("xmlns", NAMESPACE)])))?;
        open(&mut xml, "CstmrPmtStsRpt")?;
        open(&mut xml, "GrpHdr")?;
        let id: String = order.as_str().chars().filter(|it| *it != '-').take(ID_CHARS_MAX).collect();
        text(&mut xml, "MsgId", &id)?;
        text(&mut xml, "CreDtTm", &at.to_string())?;
        close(&mut xml, "GrpHdr")?;
        open(&mut xml, "OrgnlGrpInfAndSts")?;
        text(&mut xml, "OrgnlMsgId", &self.original.message)?;
        text(&mut xml, "OrgnlMsgNmId", ORIGINAL)?;
        text(&mut xml, "OrgnlNbOfTxs", &totals.count.to_string())?;
        text(&mut xml, "OrgnlCtrlSum", &totals.sum.decimal().to_string())?;
        let all = tally(0..usize::MAX);
        text(&mut xml, "GrpSts", status::of_group(&all))?;
        for (standing, count) in all {
            open(&mut xml, "NbOfTxsPerSts")?;
            text(&mut xml, "DtldNbOfTxs", &count.to_string())?;
            text(&mut xml, "DtldSts", status::code(standing))?;
            close(&mut xml, "NbOfTxsPerSts")?;
        }
        close(&mut xml, "OrgnlGrpInfAndSts")?;
        Ok(xml.into_inner())
    }

    /// The bytes of some payments, beginning with the payment of an index from 0. All payments must be written in order; the
    /// caller chooses the pieces.
    ///
    /// # Errors
    /// As [`head`](Self::head).
    pub fn payments(
        &self,
        from: usize,
        payments: impl Iterator<Item = ReportedPayment>,
        tally: StatusCounts<'_>,
    ) -> io::Result<Vec<u8>> {
        let mut xml = Writer::new(Vec::new());
        for (place, payment) in (from..).zip(payments) {
            if let Ok(batch) = self.places.binary_search(&place) {
                if place > 0 {
                    close(&mut xml, "OrgnlPmtInfAndSts")?;
                }
                self.batch(&mut xml, batch, tally)?;
            }
            reported(&mut xml, &payment)?;
        }
        Ok(xml.into_inner())
    }

    /// The bytes after the last payment.
    ///
    /// # Errors
    /// As [`head`](Self::head).
    pub fn tail(&self) -> io::Result<Vec<u8>> {
        let mut xml = Writer::new(Vec::new());
        close(&mut xml, "OrgnlPmtInfAndSts")?;
        close(&mut xml, "CstmrPmtStsRpt")?;
        close(&mut xml, "Document")?;
        Ok(xml.into_inner())
    }

    /// The start of a batch.
    fn batch(&self, xml: &mut Xml, index: usize, tally: StatusCounts<'_>) -> io::Result<()> {
        let batch = self.original.batches.get(index);
        let place = |index: usize| self.places.get(index).copied().unwrap_or(usize::MAX);
        open(xml, "OrgnlPmtInfAndSts")?;
        text(xml, "OrgnlPmtInfId", batch.map(|batch| batch.id.as_str()).unwrap_or_default())?;
        text(xml, "OrgnlNbOfTxs", &batch.map(|batch| batch.count).unwrap_or_default().to_string())?;
        text(xml, "PmtInfSts", status::of_group(&tally(place(index)..place(index.saturating_add(1)))))
    }
}

type Xml = Writer<Vec<u8>>;

/// One payment. Source: `PaymentTransaction105`.
fn reported(xml: &mut Xml, ReportedPayment { entry, line }: &ReportedPayment) -> io::Result<()> {
    open(xml, "TxInfAndSts")?;
    if let Some(id) = &line.references.instruction {
        text(xml, "OrgnlInstrId", id)?;
    }
    if let Some(id) = &line.references.end_to_end {
        text(xml, "OrgnlEndToEndId", id)?;
    }
    text(xml, "TxSts", status::code(entry.status))?;
    let reason = entry.detail.as_ref().and_then(|detail| detail.reason.map(names::detail_reason));
    let sentence = entry.detail.as_ref().and_then(|detail| detail.description.as_deref());
    if reason.is_some() || sentence.is_some() {
        open(xml, "StsRsnInf")?;
        if let Some(reason) = reason {
            open(xml, "Rsn")?;
            text(xml, "Prtry", reason)?;
            close(xml, "Rsn")?;
        }
        let letters: Vec<char> = sentence.unwrap_or_default().chars().collect();
        for part in letters.chunks(SENTENCE_CHARS_MAX) {
            text(xml, "AddtlInf", &part.iter().collect::<String>())?;
        }
        close(xml, "StsRsnInf")?;
    }
    open(xml, "OrgnlTxRef")?;
    open(xml, "Amt")?;
    let amount = line.amount.decimal();
    let currency = line.amount.currency();
    let instructed = xml.create_element("InstdAmt").with_attribute(("Ccy", currency.code()));
    instructed.write_text_content(BytesText::new(&amount))?;
    close(xml, "Amt")?;
    close(xml, "OrgnlTxRef")?;
    close(xml, "TxInfAndSts")
}

fn open(xml: &mut Xml, name: &str) -> io::Result<()> {
    xml.write_event(Event::Start(BytesStart::new(name)))
}

fn close(xml: &mut Xml, name: &str) -> io::Result<()> {
    xml.write_event(Event::End(BytesEnd::new(name)))
}

fn text(xml: &mut Xml, name: &str, value: &str) -> io::Result<()> {
    xml.create_element(name).write_text_content(BytesText::new(value)).map(drop)
}
