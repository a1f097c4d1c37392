//! The JSON document of an arrangement: everything that is not in columns.

use crate::storage::{Arrangement, ArrangementKind, ScheduledRoutine};
use jiff::Timestamp;
use lombard_database::document::{read, write};
use lombard_domain::account::{
    AccountParty, AccountProduct, Beneficiary, DirectDebit, Offer, ScheduledPayment, StandingOrder,
};
use lombard_domain::ids::BankAccountId;
use lombard_ports::store::Source;

/// Writes and reads the JSON document of an arrangement, whose kind determines the type of the document.
pub(crate) struct ArrangementRecord;

impl ArrangementRecord {
    pub(crate) fn write(arrangement: &Arrangement) -> String {
        match arrangement {
            Arrangement::Beneficiary(it) => write(it),
            Arrangement::DirectDebit(it) => write(it),
            Arrangement::StandingOrder(it) => write(it),
            Arrangement::ScheduledPayment(it) => write(it),
            Arrangement::Product(it) => write(it),
            Arrangement::Offer(it) => write(it),
            Arrangement::Party(it) => write(it),
            // The plan of a routine is stored as it is.
            Arrangement::Routine(it) => it.plan.clone(),
        }
    }

    pub(crate) fn read(
        text: &str,
        kind: ArrangementKind,
        account: BankAccountId,
        id: &str,
        due_at: Option<Timestamp>,
    ) -> Result<Arrangement, Source> {
        let record = id.into();
        Ok(match kind {
            ArrangementKind::Beneficiary => {
                Arrangement::Beneficiary(Beneficiary { account, id: record, ..read(text)? })
            }
            ArrangementKind::DirectDebit => {
                Arrangement::DirectDebit(DirectDebit { account, id: record, ..read(text)? })
            }
            ArrangementKind::StandingOrder => {
                Arrangement::StandingOrder(StandingOrder { account, id: record, ..read(text)? })
            }
            ArrangementKind::ScheduledPayment => {
                Arrangement::ScheduledPayment(ScheduledPayment { account, id: record, ..read(text)? })
            }
            ArrangementKind::Product => Arrangement::Product(AccountProduct { account, ..read(text)? }),
            ArrangementKind::Offer => Arrangement::Offer(Offer { account, id: record, ..read(text)? }),
            ArrangementKind::Routine => {
                Arrangement::Routine(ScheduledRoutine { id: id.into(), account, due_at, plan: text.to_owned() })
            }
            ArrangementKind::Party => Arrangement::Party(AccountParty { account, ..read(text)? }),
        })
    }
}
