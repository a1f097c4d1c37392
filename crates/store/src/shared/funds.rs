//! Answers about funds.

use super::session::{Session, Sql};
use super::statement::{both, statements};
use lombard_domain::funds::FundsAnswer;
use lombard_ports::store::{FundsStore, StoreError};

statements! { "funds_confirmations" =>
    INSERT = both(
        "INSERT INTO funds_confirmations (id, consent_id, reference, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (consent_id, reference) DO NOTHING");
}

impl<S: Sql> FundsStore for Session<S> {
    fn funds_confirmation_insert(&mut self, answer: &FundsAnswer) -> Result<bool, StoreError> {
        let FundsAnswer { id, question, created_at, .. } = answer;
        let parameters = [id.into(), (&question.consent).into(), (&question.reference).into(), (*created_at).into()];
        Ok(self.execute(&INSERT, &parameters)? == 1)
    }
}
