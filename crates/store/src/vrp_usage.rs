//! Limit usage of VRP consents, by period.

use crate::rows::Rows;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::statements;
use lombard_database::value::SqlValue;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::vrp::{PeriodCounter, UsageMismatch, VrpReservation, VrpUsage};
use lombard_ports::store::{StoreError, VrpUsageStore};

statements! { "vrp_usage" =>
    USED = both("SELECT consent_id, used_minor FROM vrp_usage WHERE consent_id = $1 AND cycle = $2 AND from_on = $3");
    RESERVE = both(
        "INSERT INTO vrp_usage (used_minor, consent_id, cycle, from_on) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (consent_id, cycle, from_on) DO UPDATE \
         SET used_minor = vrp_usage.used_minor + excluded.used_minor");
    RELEASE = both(
        "UPDATE vrp_usage SET used_minor = used_minor - $1 \
         WHERE consent_id = $2 AND cycle = $3 AND from_on = $4 AND used_minor >= $1");
}

impl VrpUsageStore for Rows<'_, '_> {
    fn vrp_usage(&mut self, consent: &ConsentId, counters: &[PeriodCounter]) -> Result<VrpUsage, StoreError> {
        let keys: Vec<_> = counters.iter().map(|counter| key(consent, *counter).into()).collect();
        let used = self.all_of_many(&USED, &keys, |row| {
            row.text()?;
            row.number::<u64>()
        })?;
        Ok(counters.iter().copied().zip(used.into_iter().map(|found| found.into_iter().sum())).collect())
    }

    fn vrp_reserve(&mut self, consent: &ConsentId, reservation: &VrpReservation) -> Result<(), StoreError> {
        self.shift(&RESERVE, consent, reservation)
    }

    fn vrp_release(&mut self, consent: &ConsentId, reservation: &VrpReservation) -> Result<(), StoreError> {
        self.shift(&RELEASE, consent, reservation)
    }
}

impl Rows<'_, '_> {
    /// Adds the amount of a reservation to each of its counters, or subtracts it.
    fn shift(
        &mut self,
        statement: &SqlStatement,
        consent: &ConsentId,
        reservation: &VrpReservation,
    ) -> Result<(), StoreError> {
        let miscounted =
            || StoreError::Corrupt { table: statement.table, id: consent.to_string(), source: UsageMismatch.into() };
        let minor = i64::try_from(reservation.amount.minor()).map_err(|_| self.fail(miscounted()))?;
        let row = |counter: &PeriodCounter| [minor.into()].into_iter().chain(key(consent, *counter)).collect();
        let rows: Vec<Vec<_>> = reservation.counters.iter().map(row).collect();
        if self.execute_many(statement, &rows)?.into_iter().all(|changed| changed == 1) {
            return Ok(());
        }
        Err(self.fail(miscounted()))
    }
}

/// The primary key of a counter of a consent.
fn key(consent: &ConsentId, counter: PeriodCounter) -> [SqlValue<'_>; 3] {
    [consent.into(), counter.cycle.code().into(), counter.from.to_string().into()]
}
