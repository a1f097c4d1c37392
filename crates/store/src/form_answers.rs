//! Submitted forms of pages and their answers.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::SqlValue;
use lombard_domain::grant::Digest;
use lombard_ports::store::{FormAnswerStore, FormRecord, StoreError};

/// The stored time of a repeated answer while a form is being processed: the answer is never repeated.
const PENDING: i64 = 0;

statements! { "form_answers" =>
    CLAIM = both(
        "INSERT INTO form_answers (form, answer, repeated_until, expires_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (form) DO UPDATE SET answer = excluded.answer, repeated_until = excluded.repeated_until, \
         expires_at = excluded.expires_at WHERE form_answers.expires_at <= $5");
    // Other transactions may remove the same records at the same time, and none waits for another.
    FORGET = SqlText {
        sqlite: "DELETE FROM form_answers WHERE form IN (SELECT form FROM form_answers WHERE expires_at < $1 LIMIT 4)",
        postgres: "DELETE FROM form_answers WHERE form = ANY (ARRAY(\
                   SELECT form FROM form_answers WHERE expires_at < $1 LIMIT 4 FOR UPDATE SKIP LOCKED))",
    };
    BY_FORM = both("SELECT answer, repeated_until FROM form_answers WHERE form = $1 AND expires_at > $2");
    ANSWER = both("UPDATE form_answers SET answer = $1, repeated_until = $2, expires_at = $3 WHERE form = $4");
    RELEASE = both("DELETE FROM form_answers WHERE form = $1");
}

impl FormAnswerStore for Rows<'_, '_> {
    fn form_claim(&mut self, form: &Digest, now: Timestamp, until: Timestamp) -> Result<bool, StoreError> {
        self.execute(&FORGET, &[now.into()])?;
        let parameters = [(*form).into(), SqlValue::Bytes(&[]), PENDING.into(), until.into(), now.into()];
        Ok(self.execute(&CLAIM, &parameters)? == 1)
    }

    fn form_record(&mut self, form: &Digest, now: Timestamp) -> Result<Option<FormRecord>, StoreError> {
        self.one(&BY_FORM, &[(*form).into(), now.into()], |row| {
            let (sealed, repeated_until) = (row.bytes()?.to_vec(), row.instant()?);
            let is_pending = repeated_until == Timestamp::UNIX_EPOCH;
            Ok(if is_pending { FormRecord::Pending } else { FormRecord::Answered { sealed, repeated_until } })
        })
    }

    fn form_answer_put(
        &mut self,
        form: &Digest,
        sealed: &[u8],
        repeated_until: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let parameters = [SqlValue::Bytes(sealed), repeated_until.into(), expires_at.into(), (*form).into()];
        self.execute_later(&ANSWER, &parameters)
    }

    fn form_release(&mut self, form: &Digest) -> Result<(), StoreError> {
        self.execute_later(&RELEASE, &[(*form).into()])
    }
}
