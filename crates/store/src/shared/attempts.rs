//! Failed attempts to log in: one row per subject, so that locking it counts exactly.

use super::session::{Session, Sql};
use super::statement::{both, locking, statements};
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_ports::store::{AttemptStore, Source, StoreError};

statements! { "attempts" =>
    // A row to lock. Whoever comes second waits here for the first one's end.
    ENSURE = both(
        "INSERT INTO attempts (subject, made_at, expires_at) VALUES ($1, '[]', 0) ON CONFLICT (subject) DO NOTHING");
    BY_SUBJECT = locking!("SELECT made_at FROM attempts WHERE subject = $1");
    UPDATE = both("UPDATE attempts SET made_at = $1, expires_at = $2 WHERE subject = $3");
}

impl<S: Sql> AttemptStore for Session<S> {
    fn attempts_for_update(&mut self, subject: &Digest) -> Result<Vec<Timestamp>, StoreError> {
        self.execute(&ENSURE, &[(*subject).into()])?;
        let found = self.one(&BY_SUBJECT, &[(*subject).into()], |row| row.parsed(instants))?;
        Ok(found.unwrap_or_default())
    }

    fn attempts_update(
        &mut self,
        subject: &Digest,
        made_at: &[Timestamp],
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let microseconds: Vec<i64> = made_at.iter().map(|at| at.as_microsecond()).collect();
        let text = serde_json::Value::from(microseconds).to_string();
        self.execute_on(&UPDATE, &[text.into(), expires_at.into(), (*subject).into()], "a subject")
    }
}

/// A JSON array of microseconds since the epoch.
fn instants(text: &str) -> Result<Vec<Timestamp>, Source> {
    let microseconds: Vec<i64> = serde_json::from_str(text)?;
    Ok(microseconds.into_iter().map(Timestamp::from_microsecond).collect::<Result<_, _>>()?)
}
