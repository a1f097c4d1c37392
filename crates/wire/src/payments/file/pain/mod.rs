//! The XML message `pain.001.001.08` of ISO 20022, one payment at a time.
//!
//! The header, the head of a batch and each payment are read as small trees. Their members must be those of the schema, in the
//! order of the schema; members without meaning for a domestic payment are skipped.

mod account;
mod announced;
mod batch;
mod element;
mod heads;
mod line;
mod parts;
mod simple_types;
mod xml;

pub use heads::{OriginalBatch, OriginalMessage};

use super::limits::{FileLimits, LimitedInput};
use super::lines::{FAULTS_MAX, FileParseError, LineSink};
use crate::parse::JsonPath;
use crate::time::read_sent;
use announced::AnnouncedTotals;
use batch::PainBatch;
use element::{Faulty, LocatedElement, fault};
use lombard_domain::payment::file::ControlSum;
use lombard_domain::refusal::{Fault, FaultCode};
use std::convert::Infallible;
use std::io::BufRead;
use xml::{Element, ElementStart, XmlError, XmlEvent, XmlReader};

/// The members of a group header, in the order of the schema. Source: `GroupHeader48`.
const GROUP_HEADER: &[&str] = &["MsgId", "CreDtTm", "Authstn", "NbOfTxs", "CtrlSum", "InitgPty", "FwdgAgt"];

/// Parses the file and yields its lines.
pub(super) fn read<R: BufRead, E>(
    input: LimitedInput<'_, R>,
    limits: &FileLimits,
    lines: &mut LineSink<'_, E>,
) -> Result<(), FileParseError<E>> {
    let document = JsonPath::ROOT.member("Document");
    let message = "CstmrCdtTrfInitn";
    let message_at = document.member(message);
    let mut file = PainFile { xml: XmlReader::new(input, limits.depth_max), lines, faults: Vec::new() };
    file.open("Document", &document)?;
    file.open(message, &message_at)?;
    file.message(&message_at)?;
    file.close(&document)?;
    match file.xml.next()? {
        XmlEvent::End if file.faults.is_empty() => Ok(()),
        XmlEvent::End => Err(FileParseError::Refused(file.faults)),
        XmlEvent::Open(_) | XmlEvent::Close | XmlEvent::Text(_) => {
            Err(file.fault(&JsonPath::ROOT, "There must be one document."))
        }
    }
}

/// Reads the ids of the message and its batches.
pub(super) fn names<R: BufRead>(
    input: LimitedInput<'_, R>,
    limits: &FileLimits,
) -> Result<OriginalMessage, FileParseError<Infallible>> {
    Ok(heads::read(input, limits)?)
}

/// A message being parsed.
struct PainFile<'f, 'm, 'l, R, E> {
    xml: XmlReader<'m, R>,
    lines: &'f mut LineSink<'l, E>,
    /// The faults of lines; any other fault stops the parser.
    faults: Vec<Fault>,
}

impl<R: BufRead, E> PainFile<'_, '_, '_, R, E> {
    /// Parses the header, the batches and the supplementary data.
    fn message(&mut self, at: &JsonPath<'_>) -> Result<(), FileParseError<E>> {
        let mut announced = None;
        let mut batches = 0_usize;
        let mut supplemented = false;
        while let Some(tag) = self.child(at)? {
            self.xml.line_begins();
            match tag.name.as_str() {
                "GrpHdr" if announced.is_none() => {
                    let header = self.xml.element(tag)?;
                    announced = Some(self.checked(group_header(&LocatedElement::new(&header, at.member("GrpHdr"))))?);
                }
                "PmtInf" if announced.is_some() && !supplemented => {
                    let batch = at.member("PmtInf");
                    self.batch(&batch.index(batches))?;
                    batches = batches.saturating_add(1);
                }
                "SplmtryData" if batches > 0 => {
                    supplemented = true;
                    self.xml.element(tag)?;
                }
                _ => return Err(self.fault(at, "A part is unknown, twice or not in its place.")),
            }
        }
        let Some(announced) = announced.filter(|_| batches > 0) else {
            return Err(self.fault(at, "There must be a header, and payments."));
        };
        let count = u64::from(self.lines.totals().count);
        let sum = self.lines.totals().sum;
        // Lines with faults are not counted.
        if self.faults.is_empty() {
            self.checked(announced.check(count, sum, &at.member("GrpHdr")))?;
        }
        Ok(())
    }

    /// Parses the head of a batch as a tree, then its payments one by one.
    fn batch(&mut self, at: &JsonPath<'_>) -> Result<(), FileParseError<E>> {
        let mut head = Element::named("PmtInf");
        let mut batch: Option<PainBatch> = None;
        let mut count = 0_u64;
        let mut sum = ControlSum::default();
        while let Some(tag) = self.child(at)? {
            if tag.name != "CdtTrfTxInf" {
                if batch.is_some() {
                    return Err(self.fault(at, "Nothing may follow the payments."));
                }
                let element = self.xml.element(tag)?;
                head.children.push(element);
                continue;
            }
            let known = match batch.take() {
                Some(known) => known,
                None => self.checked(PainBatch::read(&LocatedElement::new(&head, *at)))?,
            };
            self.xml.line_begins();
            let element = self.xml.element(tag)?;
            let line = at.member("CdtTrfTxInf");
            let line = line.index(usize::try_from(count).unwrap_or(usize::MAX));
            match line::read(&LocatedElement::new(&element, line), &known, self.lines.next_number()) {
                Ok(line) => {
                    sum = sum.checked_add(line.amount).map_err(|_| self.fault(at, "The amounts are too large."))?;
                    if self.faults.is_empty() {
                        self.lines.take(line)?;
                    }
                }
                Err(fault) => self.note(fault)?,
            }
            count = count.saturating_add(1);
            batch = Some(known);
        }
        let Some(batch) = batch else { return Err(self.fault(at, "There must be a payment.")) };
        if self.faults.is_empty() {
            self.checked(batch.announced.check(count, sum, at))?;
        }
        Ok(())
    }

    /// The next child of the open element; `None` at its end.
    fn child(&mut self, at: &JsonPath<'_>) -> Result<Option<ElementStart>, FileParseError<E>> {
        loop {
            match self.xml.next()? {
                XmlEvent::Open(tag) => return Ok(Some(tag)),
                XmlEvent::Close => return Ok(None),
                XmlEvent::Text(text) if text.trim().is_empty() => {}
                XmlEvent::Text(_) | XmlEvent::End => return Err(self.fault(at, "There must be no text here.")),
            }
        }
    }

    fn open(&mut self, name: &str, at: &JsonPath<'_>) -> Result<(), FileParseError<E>> {
        match self.child(at)? {
            Some(tag) if tag.name == name => Ok(()),
            Some(_) | None => Err(self.fault(at, "This is not a message pain.001.001.08.")),
        }
    }

    fn close(&mut self, at: &JsonPath<'_>) -> Result<(), FileParseError<E>> {
        match self.child(at)? {
            None => Ok(()),
            Some(_) => Err(self.fault(at, "There must be one message.")),
        }
    }

    fn checked<T>(&mut self, read: Faulty<T>) -> Result<T, FileParseError<E>> {
        read.map_err(|fault| self.ended(fault))
    }

    fn fault(&mut self, at: &JsonPath<'_>, message: &'static str) -> FileParseError<E> {
        self.ended(fault(at, message))
    }

    /// Records the fault of a line.
    fn note(&mut self, fault: Fault) -> Result<(), FileParseError<E>> {
        if self.faults.len() >= FAULTS_MAX {
            return Err(FileParseError::Refused(std::mem::take(&mut self.faults)));
        }
        self.faults.push(fault);
        Ok(())
    }

    /// Stops the parser with a last fault.
    fn ended(&mut self, fault: Fault) -> FileParseError<E> {
        let mut faults = std::mem::take(&mut self.faults);
        faults.truncate(FAULTS_MAX.saturating_sub(1));
        faults.push(fault);
        FileParseError::Refused(faults)
    }
}

fn group_header(header: &LocatedElement<'_, '_>) -> Faulty<AnnouncedTotals> {
    header.members(GROUP_HEADER)?;
    header.need("MsgId")?.text(35)?;
    let created = header.need("CreDtTm")?;
    if read_sent(created.token()?).is_none() {
        return Err(created.fault("Must be an ISO 8601 date-time."));
    }
    header.need("NbOfTxs")?;
    header.need("InitgPty")?;
    AnnouncedTotals::read(header)
}

impl<E> From<XmlError> for FileParseError<E> {
    fn from(broken: XmlError) -> Self {
        match broken {
            XmlError::Input(error) => Self::Input(error),
            XmlError::Form(message) => Self::Refused(vec![Fault::new(FaultCode::InvalidFormat, message)]),
        }
    }
}
