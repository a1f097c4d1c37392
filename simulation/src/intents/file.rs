//! Payment files in the simulation's own format: one line of text for each payment.

use super::digest;
use crate::random::SeededRandom;
use crate::world::{ACCOUNTS, numbered};
use jiff::ToSpan;
use jiff::civil::Date;
use lombard_domain::account::AccountIdentification;
use lombard_domain::grant::Digest;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::file::{
    ControlSum, FileInitiation, FileLine, FilePayee, FileTotals, FileType, UnpayableReason,
};
use lombard_domain::payment::transfer::{NamedAccount, References};
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_service::payments::files::{FileReadError, LineReader};
use std::io::BufRead;
use std::sync::Arc;

/// A file with its announcement.
pub(super) struct FileIntent {
    pub(super) terms: FileInitiation,
    pub(super) sent: Arc<FileSent>,
}

/// A file as it is uploaded.
#[derive(Debug)]
pub(crate) struct FileSent {
    /// The digest of the bytes.
    pub(crate) digest: Digest,
    /// The bytes of the file.
    pub(crate) bytes: Vec<u8>,
    /// The payments of the file.
    pub(crate) lines: Vec<FileLine>,
    /// Whether the file matches its announcement and can be parsed.
    pub(crate) is_sound: bool,
}

/// The earliest day of a payment.
const FIRST: Date = jiff::civil::date(2026, 3, 2);

/// Amounts whose endings trigger an outcome, amounts that exceed all balances, and zero.
const AMOUNTS: [u64; 12] = [1, 1, 250, 250, 700, 30_000, 1_391, 1_392, 1_395, 90_000_000, 0, 21_394];

/// A file of a few payments. A few files do not match their announcement.
pub(super) fn file_intent(chance: &mut SeededRandom, number: u64, debtor: Option<AccountIdentification>) -> FileIntent {
    let count = chance.below(8).saturating_add(1);
    let lines: Vec<_> = (1..).take(count).map(|number| line(chance, number)).collect();
    // The file is longer than one part of an upload.
    let padding = if chance.one_in(4) { 300_000_usize.div_ceil(count) } else { 0 };
    let mut bytes: Vec<u8> = lines.iter().flat_map(|line| text(line, padding).into_bytes()).collect();
    let garbled = chance.one_in(15);
    if garbled {
        bytes.extend(b"and so on\n");
    }
    let sum =
        lines.iter().try_fold(ControlSum::default(), |sum, line| sum.checked_add(line.amount)).unwrap_or_default();
    let miscounted = chance.one_in(15);
    let terms = FileInitiation {
        count: u64::try_from(count.saturating_add(usize::from(miscounted))).ok(),
        sum: chance.one_in(2).then(|| sum.decimal()),
        debtor,
        ..FileInitiation::new(FileType::PaymentInitiation31, digest(number))
    };
    let sent = FileSent { digest: terms.hash, bytes, lines, is_sound: !garbled && !miscounted };
    FileIntent { terms, sent: Arc::new(sent) }
}

fn line(chance: &mut SeededRandom, number: u32) -> FileLine {
    let here = if chance.one_in(3) { chance.pick(&ACCOUNTS) } else { None };
    let account = match chance.below(12) {
        0 => "no number",
        _ => here.map_or("08080021325698", |account| account.number),
    };
    let minor = chance.pick(&AMOUNTS).copied().unwrap_or(1);
    let days = i64::try_from(chance.below(40)).unwrap_or(0);
    let payee =
        FilePayee { creditor: NamedAccount::under_name(numbered(account), "Waterworks".to_owned()), address: None };
    FileLine {
        number,
        amount: Amount::from_minor(minor, if chance.one_in(30) { Currency::USD } else { Currency::GBP }),
        references: References::default(),
        instrument: None,
        debtor: None,
        execute_on: chance.one_in(5).then(|| FIRST.saturating_add(days.days())),
        payee: if chance.one_in(10) { Err(UnpayableReason::NoName) } else { Ok(payee) },
        details: None,
    }
}

/// Formats a line.
fn text(line: &FileLine, padding: usize) -> String {
    let FileLine { number, amount, execute_on, payee, .. } = line;
    let day = execute_on.map_or_else(|| "-".to_owned(), |day| day.to_string());
    let account = payee.as_ref().map_or("-", |payee| payee.creditor.number.as_str());
    format!("{number};{};{};{day};{account};{}\n", amount.minor(), amount.currency(), " ".repeat(padding))
}

fn parsed(text: &str) -> Option<FileLine> {
    let mut parts = text.split(';');
    let number = parts.next()?;
    let minor = parts.next()?;
    let currency = parts.next()?;
    let day = parts.next()?;
    let account = parts.next()?;
    let payee =
        FilePayee { creditor: NamedAccount::under_name(numbered(account), "Waterworks".to_owned()), address: None };
    Some(FileLine {
        number: number.parse().ok()?,
        amount: Amount::from_minor(minor.parse().ok()?, currency.parse().ok()?),
        references: References::default(),
        instrument: None,
        debtor: None,
        execute_on: if day == "-" { None } else { Some(day.parse().ok()?) },
        payee: if account == "-" { Err(UnpayableReason::NoName) } else { Ok(payee) },
        details: None,
    })
}

/// The reader of such files.
pub(crate) fn reader() -> LineReader {
    Box::new(|_, bytes, take| {
        let refused =
            || FileReadError::Refused(vec![Fault::new(FaultCode::InvalidFormat, "The simulation cannot read it.")]);
        let mut totals = FileTotals::default();
        for text in BufRead::lines(bytes) {
            let line = parsed(&text.map_err(FileReadError::Input)?).ok_or_else(refused)?;
            totals.add(&line).map_err(|_| refused())?;
            take(line).map_err(FileReadError::Stopped)?;
        }
        Ok(totals)
    })
}
