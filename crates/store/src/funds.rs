//! Funds confirmations: their results, and the number of requests per day.

use crate::rows::Rows;
use jiff::civil::Date;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::funds::FundsConfirmationResult;
use lombard_domain::ids::ConsentId;
use lombard_ports::store::{FundsStore, StoreError};

statements! { "funds_confirmations" =>
    INSERT = both(
        "INSERT INTO funds_confirmations (id, consent_id, reference, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (consent_id, reference) DO NOTHING");
    // The attempt locks the row, so a concurrent request waits until the first transaction ends.
    COUNT = both(
        "INSERT INTO funds_questions (consent_id, asked_on, asked) VALUES ($1, $2, 1) \
         ON CONFLICT (consent_id, asked_on) DO UPDATE SET asked = funds_questions.asked + 1 \
         WHERE funds_questions.asked < $3");
    PURGE = both(
        "DELETE FROM funds_questions WHERE (consent_id, asked_on) IN \
         (SELECT consent_id, asked_on FROM funds_questions WHERE asked_on < $1 LIMIT $2)");
}

impl FundsStore for Rows<'_, '_> {
    fn funds_confirmation_insert(&mut self, answer: &FundsConfirmationResult) -> Result<bool, StoreError> {
        let FundsConfirmationResult { id, question, created_at, .. } = answer;
        let parameters = [id.into(), (&question.consent).into(), (&question.reference).into(), (*created_at).into()];
        Ok(self.execute(&INSERT, &parameters)? == 1)
    }

    fn funds_question_count(&mut self, consent: &ConsentId, day: Date, most: u32) -> Result<bool, StoreError> {
        let parameters = [consent.into(), day.to_string().into(), i64::from(most).into()];
        Ok(self.execute(&COUNT, &parameters)? == 1)
    }

    fn funds_questions_purge(&mut self, before: Date, limit: u32) -> Result<u64, StoreError> {
        self.execute(&PURGE, &[before.to_string().into(), i64::from(limit).into()])
    }
}
