//! Describes a payment file: the totals of its payments, and each payment on separate pages.

use super::transfer::rail;
use crate::money;
use crate::text;
use crate::times::{day, short_day};
use jiff::civil::Date;
use lombard_auth::file_lines::{FileLinesPage, ListedFileLine};
use lombard_domain::consent::PaymentConsent;
use lombard_domain::payment::file::{FileInitiation, FileTotals, FileType, UnexecutedReason, UnpayableReason};

/// A payment file, as its payer sees it. Source: AS-142, FILE-009.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileView {
    /// The number of payments, such as `87 payments`.
    pub payments: String,
    /// The total in each currency.
    pub totals: Vec<String>,
    /// The largest payment in each currency.
    pub largest: Vec<String>,
    /// The number of payments that cannot be made, if there are any.
    pub unpayable: Option<String>,
    /// The payment dates.
    pub when: String,
    /// The application's name for the file.
    pub name: Option<String>,
    /// The texts in the file that are meant for the bank.
    pub notes: Vec<String>,
    /// The rail, if the application selected one.
    pub rail: Option<&'static str>,
    /// The file format.
    pub format: &'static str,
}

impl FileView {
    pub(super) fn of(terms: &FileInitiation, consent: &PaymentConsent) -> Self {
        // No customer is asked before the file is uploaded (FILE-019). If a page is shown earlier, it uses the announced totals.
        let silent = FileTotals::default();
        let totals = consent.file.as_ref().map_or(&silent, |file| &file.totals);
        let notes = [&terms.references.reference, &terms.references.message];
        Self {
            payments: counted(totals.count),
            totals: totals.by_currency.iter().map(|total| money::amount(*total)).collect(),
            largest: totals.largest.iter().map(|amount| money::amount(*amount)).collect(),
            unpayable: unpayable(totals),
            when: when(terms.execute_on, totals.days),
            name: terms.reference.as_deref().map(text::name),
            notes: notes.into_iter().flatten().map(|note| text::message(note)).collect(),
            rail: terms.instrument.map(rail),
            format: match terms.kind {
                FileType::Pain001 => "ISO 20022 XML (pain.001)",
                FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => "Open Banking JSON",
            },
        }
    }

    /// The total in words, such as `£5,000.00 and €20.00`.
    pub(crate) fn sum(&self) -> String {
        text::listed(&self.totals)
    }
}

fn counted(payments: u32) -> String {
    if payments == 1 { "1 payment".to_owned() } else { format!("{payments} payments") }
}

/// The number of payments that cannot be made, in words. Source: FILE-023.
fn unpayable(totals: &FileTotals) -> Option<String> {
    match totals.unpayable {
        0 => None,
        all if all == totals.count => Some("None of them can be paid as written in the file.".to_owned()),
        1 => Some("One of them cannot be paid as written in the file. The others are paid.".to_owned()),
        some => Some(format!("{some} of them cannot be paid as written in the file. The others are paid.")),
    }
}

/// The payment dates in words. Source: FILE-016.
fn when(said: Option<Date>, in_file: Option<(Date, Date)>) -> String {
    match (said, in_file) {
        (Some(on), _) => format!("On {}, or at once if that day has passed by then", day(on)),
        (None, None) => "When the file is submitted".to_owned(),
        (None, Some((first, last))) if first == last => {
            format!("On {}; those without a day, or if it has passed by then, at once", day(first))
        }
        (None, Some((first, last))) => format!(
            "Each on its day, from {} to {}; those without a day, or if it has passed by then, at once",
            short_day(first),
            short_day(last)
        ),
    }
}

/// One page of a file's payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinesView {
    /// The payments on the page.
    pub lines: Vec<LineView>,
    /// The number of the page, from 1.
    pub page: u32,
    /// The number of pages.
    pub pages: u32,
}

/// One payment of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineView {
    /// The number of the payment, from 1.
    pub number: u32,
    /// The amount.
    pub amount: String,
    /// The payee and the account, as far as the file names them.
    pub to: Option<(String, String)>,
    /// The reason why the payment cannot be made, if there is one.
    pub refusal_reason: Option<String>,
    /// The reference for the payee.
    pub reference: Option<String>,
    /// The payment date, if the payment has its own.
    pub on: Option<String>,
}

impl LinesView {
    pub(crate) fn of(lines: &FileLinesPage) -> Self {
        Self { lines: lines.lines.iter().map(LineView::of).collect(), page: lines.page, pages: lines.pages }
    }

    /// The number of the previous page, if there is one.
    pub(crate) fn before(&self) -> Option<u32> {
        self.page.checked_sub(1).filter(|page| *page > 0)
    }

    /// The number of the next page, if there is one.
    pub(crate) fn after(&self) -> Option<u32> {
        self.page.checked_add(1).filter(|page| *page <= self.pages)
    }
}

impl LineView {
    pub(crate) fn of(of: &ListedFileLine) -> Self {
        let line = &of.line;
        let references = &of.line.references;
        let payee = line.payee.as_ref().ok();
        Self {
            number: line.number,
            amount: money::amount(line.amount),
            to: payee.map(|payee| (text::name(payee.creditor.holder_name()), money::number(&payee.creditor))),
            refusal_reason: of.unmade.as_ref().map(reason),
            reference: references.reference.as_ref().or(references.message.as_ref()).map(|it| text::message(it)),
            on: line.execute_on.map(short_day),
        }
    }
}

fn reason(why: &UnexecutedReason) -> String {
    let why = match why {
        UnexecutedReason::Unpayable(UnpayableReason::NoAccount) => "It names no account to pay to.",
        UnexecutedReason::Unpayable(UnpayableReason::NoName) => "It names no payee.",
        UnexecutedReason::Unpayable(UnpayableReason::Account) => {
            "Its account is named in a way the bank does not know."
        }
        UnexecutedReason::Unpayable(UnpayableReason::Instrument) => {
            "It names a payment scheme that the bank does not offer."
        }
        UnexecutedReason::Unpayable(UnpayableReason::Exchange) => "It asks for another currency.",
        UnexecutedReason::Unpayable(UnpayableReason::Remittance) => {
            "Its remittance information is longer than a payment can carry."
        }
        UnexecutedReason::NotOffered(fault) => &fault.message,
    };
    format!("Cannot be paid. {why}")
}
