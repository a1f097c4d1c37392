//! Failed login attempts: one row per subject, which is locked so that the count is exact; and one row for each user whose login
//! failed from a network address.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::grant::Digest;
use lombard_domain::instant;
use lombard_ports::store::{AddressUsers, AttemptStore, Source, StoreError};

statements! { "attempts" =>
    // Creates the row that is then locked. A concurrent transaction waits here until the first one ends.
    ENSURE = both(
        "INSERT INTO attempts (subject, made_at, expires_at) VALUES ($1, '[]', 0) ON CONFLICT (subject) DO NOTHING");
    BY_SUBJECT = locking!("SELECT made_at FROM attempts WHERE subject = $1");
    UPDATE = must_change_one!("UPDATE attempts SET made_at = $1, expires_at = $2 WHERE subject = $3");
    // No lock is taken, because a lock would serialise all logins from one address. Attempts checked at the same time may
    // therefore exceed the limit by their number.
    ADDRESS_USERS = both(
        "SELECT COUNT(*), MIN(expires_at) FROM address_attempts \
         WHERE address = $1 AND user_name <> $2 AND expires_at > $3");
    ADDRESS_USER_PUT = both(
        "INSERT INTO address_attempts (address, user_name, expires_at) VALUES ($1, $2, $3) \
         ON CONFLICT (address, user_name) DO UPDATE SET expires_at = excluded.expires_at");
    // The row is kept, because another transaction may be about to lock it.
    FORGET = both(
        "UPDATE attempts SET made_at = '[]', expires_at = 0 WHERE subject IN ($1, $2) \
         OR subject IN (SELECT address FROM address_attempts WHERE user_name = $1)");
    FORGET_ADDRESSES = both("DELETE FROM address_attempts WHERE user_name = $1");
    ADDRESS_USER_REMOVE = both("DELETE FROM address_attempts WHERE address = $1 AND user_name = $2");
}

impl AttemptStore for Rows<'_, '_> {
    fn attempts_for_update(&mut self, subject: &Digest) -> Result<Vec<Timestamp>, StoreError> {
        self.execute_later(&ENSURE, &[(*subject).into()])?;
        let found = self.one(&BY_SUBJECT, &[(*subject).into()], |row| row.parsed(instants))?;
        Ok(found.unwrap_or_default())
    }

    fn attempts_update(
        &mut self,
        subject: &Digest,
        made_at: &[Timestamp],
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let microseconds: Vec<i64> = made_at.iter().map(|at| instant::to_micros(*at)).collect();
        let text = serde_json::Value::from(microseconds).to_string();
        self.execute_later_on(&UPDATE, &[text.into(), expires_at.into(), (*subject).into()], "a subject")
    }

    fn address_users(&mut self, address: &Digest, except: &Digest, now: Timestamp) -> Result<AddressUsers, StoreError> {
        let parameters = [(*address).into(), (*except).into(), now.into()];
        let found = self.one(&ADDRESS_USERS, &parameters, |row| {
            Ok(AddressUsers { count: row.number()?, earliest_end: row.instant_or_null()? })
        })?;
        Ok(found.unwrap_or_default())
    }

    fn address_user_put(&mut self, address: &Digest, user: &Digest, until: Timestamp) -> Result<(), StoreError> {
        self.execute_later(&ADDRESS_USER_PUT, &[(*address).into(), (*user).into(), until.into()])
    }

    fn address_user_remove(&mut self, address: &Digest, user: &Digest) -> Result<(), StoreError> {
        self.execute_later(&ADDRESS_USER_REMOVE, &[(*address).into(), (*user).into()])
    }

    fn attempts_remove(&mut self, user: &Digest, devices: &Digest) -> Result<(), StoreError> {
        self.execute_later(&FORGET, &[(*user).into(), (*devices).into()])?;
        self.execute_later(&FORGET_ADDRESSES, &[(*user).into()])
    }
}

/// A JSON array of microseconds since 1970.
fn instants(text: &str) -> Result<Vec<Timestamp>, Source> {
    let microseconds: Vec<i64> = serde_json::from_str(text)?;
    Ok(microseconds.into_iter().map(instant::from_micros).collect::<Result<_, _>>()?)
}
