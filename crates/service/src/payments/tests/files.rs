//! Payment files: uploaded, read back, and paid line by line.

mod paying;
mod quota;
mod sending;

use super::*;
use crate::payments::files::{self, FileReadError, LineReader, LineSinkClosed, ReceivedFile};
use jiff::civil::Date;
use lombard_domain::ids::UploadId;
use lombard_domain::payment::file::{FileInitiation, FileLine, FilePayee, FileTotals, FileType, UnpayableReason};
use lombard_ports::store::Store;
use std::io::BufRead;

/// The digest of every file in these tests, whatever its content.
const HASH: Digest = Digest([7; 32]);

fn file_terms() -> FileInitiation {
    FileInitiation::new(FileType::Pain001, HASH)
}

fn of_file(file: FileInitiation) -> PaymentConsentRequest {
    PaymentConsentRequest { instruction: Instruction::File(Box::new(file)), ..terms(now()) }
}

/// A payment of this many pence. A payment of 7 pence has no creditor name; a text with `@` names a later execution day.
fn line(number: u32, text: &str) -> FileLine {
    let (minor, later) = text.split_once('@').map_or((text, None), |(minor, day)| (minor, Some(day)));
    let minor: u64 = minor.parse().unwrap();
    let creditor = NamedAccount::under_name(account("08080021325698"), "Waterworks".into());
    FileLine {
        number,
        amount: Amount::from_minor(minor, Currency::GBP),
        references: References { end_to_end: Some(format!("e-{number}")), ..References::default() },
        instrument: None,
        debtor: None,
        execute_on: later.map(|day| day.parse::<Date>().unwrap()),
        payee: if minor == 7 { Err(UnpayableReason::NoName) } else { Ok(FilePayee { creditor, address: None }) },
        details: None,
    }
}

/// Parses the files of these tests, which have one number in each line of text.
fn reader() -> LineReader {
    Box::new(|kind, bytes, each| {
        assert_eq!(kind, FileType::Pain001);
        let mut totals = FileTotals::default();
        for (number, text) in (1..).zip(bytes.lines()) {
            let text = text.map_err(FileReadError::Input)?;
            if text == "nonsense" {
                return Err(FileReadError::Refused(vec![Fault::new(FaultCode::InvalidFormat, "No number.")]));
            }
            let line = line(number, &text);
            totals.add(&line).unwrap();
            each(line).map_err(|LineSinkClosed| FileReadError::Stopped(LineSinkClosed))?;
        }
        Ok(totals)
    })
}

impl World {
    /// Sends a file for a consent under a key.
    async fn send(&self, consent: &ConsentId, key: &str, digest: Digest, text: &str) -> Result<(), Failure> {
        let announced = files::find_upload_consent(&self.context, &acme(), consent, V3_1).await?;
        let mut sending = announced.begin_upload(&self.context, text.len() as u64).await?;
        for piece in text.as_bytes().chunks(1_000) {
            sending.append_bytes(piece).await?;
        }
        let once = IdempotentRequest { body_digest: digest, ..once(&format!("file of {consent}"), key, 0) };
        let sent = ReceivedFile {
            idempotent_request: once,
            digest,
            bytes: text.len() as u64,
            media_type: "text/xml; charset=utf-8".into(),
        };
        sending.finish_upload(sent, reader()).await
    }

    /// A consent to a file that amelia authorised, with the file uploaded.
    async fn agreed_file(&self, lines: &[&str], key: &str) -> Consent {
        let consent = self.create(of_file(file_terms()), key).await.unwrap();
        self.send(&consent.id, key, HASH, &lines.join("\n")).await.unwrap();
        let consent = self.consent(&consent.id).await;
        self.agree(consent, "amelia", "b-1").await
    }

    /// An order of a file with these lines.
    async fn file_order(&self, lines: &[&str], key: &str) -> OrderView {
        let consent = self.agreed_file(lines, key).await;
        self.place(&consent, key).await.unwrap()
    }

    /// The due days of the payments of a file order.
    async fn due_days(&self, order: &OrderId) -> Vec<Date> {
        let id = order.clone();
        let stored = self.context.store.read(move |tx| tx.executions(&id, 0, 100)).await.unwrap();
        stored.iter().inspect(|it| assert_eq!(it.due_on, it.paid_on)).map(|it| it.due_on).collect()
    }

    /// The statuses of the payments of a file order.
    async fn payments(&self, order: &OrderId) -> Vec<PaymentStatus> {
        let outcomes = files::read_file_payment_statuses(&self.context, &acme(), order, V3_1).await.unwrap();
        outcomes.entries(0..outcomes.count()).map(|entry| entry.status).collect()
    }
}

/// The uploads that are not attached to a consent.
async fn left_over(store: &Store) -> Vec<UploadId> {
    store.read(|tx| tx.uploads_abandoned(Timestamp::MAX, 10)).await.unwrap()
}
