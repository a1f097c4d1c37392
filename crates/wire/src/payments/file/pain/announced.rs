//! The totals that a message, or a batch in it, states for its payments.

use super::element::{Faulty, LocatedElement, fault};
use crate::parse::JsonPath;
use lombard_domain::payment::file::ControlSum;
use rust_decimal::Decimal;

/// The stated number and sum of the payments. Source: FILE-015.
pub(super) struct AnnouncedTotals {
    count: Option<u64>,
    sum: Option<Decimal>,
}

impl AnnouncedTotals {
    pub(super) fn read(header: &LocatedElement<'_, '_>) -> Faulty<Self> {
        let count = header.one("NbOfTxs")?.map(|it| it.count()).transpose()?;
        let sum = header.one("CtrlSum")?.map(|it| it.decimal()).transpose()?;
        Ok(Self { count, sum })
    }

    pub(super) fn check(&self, count: u64, sum: ControlSum, at: &JsonPath<'_>) -> Faulty<()> {
        let fault = |name, message| Err(fault(&at.member(name), message));
        if self.count.is_some_and(|said| said != count) {
            return fault("NbOfTxs", "The number of payments is another one.");
        }
        if self.sum.is_some_and(|said| said != sum.decimal()) {
            return fault("CtrlSum", "The sum of the amounts is another one.");
        }
        Ok(())
    }
}
