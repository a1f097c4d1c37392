//! Authorisation journeys.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::document;
use lombard_database::statement::both;
use lombard_database::value::{SqlRow, optional};
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::{ConsentId, JourneyId};
use lombard_ports::store::{JourneyStore, StoreError};

macro_rules! columns {
    () => {
        "id, client_id, consent_id, request, stage, browser, psu_id, auth_time, form_token, failures, expires_at, \
         psu_name, factors"
    };
}

statements! { "interactions" =>
    INSERT = both(concat!("INSERT INTO interactions (", columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"));
    BY_ID = both(concat!("SELECT ", columns!(), " FROM interactions WHERE id = $1"));
    BY_ID_LOCKED = locking!("SELECT ", columns!(), " FROM interactions WHERE id = $1");
    LIVE_OF_CONSENT = both(concat!("SELECT ", columns!(),
        " FROM interactions WHERE consent_id = $1 AND stage <> $2 AND expires_at > $3 LIMIT 1"));
    UPDATE = must_change_one!(
        "UPDATE interactions SET request = $1, stage = $2, browser = $3, psu_id = $4, auth_time = $5, \
         form_token = $6, failures = $7, expires_at = $8, psu_name = $9, factors = $10 WHERE id = $11");
    FINISH_OF_CONSENT = both(
        "UPDATE interactions SET stage = $1 WHERE consent_id = $2 AND id <> $3 AND stage <> $1");
    FORGET_UNUSED = both(
        "DELETE FROM interactions WHERE consent_id = $1 AND stage = $2 AND psu_id IS NULL");
}

impl JourneyStore for Rows<'_, '_> {
    fn journey_insert(&mut self, interaction: &AuthorisationJourney) -> Result<(), StoreError> {
        let parameters = [
            (&interaction.id).into(),
            (&interaction.client).into(),
            (&interaction.consent).into(),
            (&interaction.request).into(),
            interaction.stage.code().into(),
            interaction.browser.into(),
            optional(interaction.psu.as_ref()),
            optional(interaction.auth_time),
            interaction.form_token.into(),
            interaction.failures.into(),
            interaction.expires_at.into(),
            optional(interaction.psu_name.as_deref()),
            document::write(&interaction.factors).into(),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn journey_for_update(&mut self, id: &JourneyId) -> Result<Option<AuthorisationJourney>, StoreError> {
        self.one_locked(&BY_ID, &BY_ID_LOCKED, &[id.into()], read)
    }

    fn journey_update(&mut self, interaction: &AuthorisationJourney) -> Result<(), StoreError> {
        let parameters = [
            (&interaction.request).into(),
            interaction.stage.code().into(),
            interaction.browser.into(),
            optional(interaction.psu.as_ref()),
            optional(interaction.auth_time),
            interaction.form_token.into(),
            interaction.failures.into(),
            interaction.expires_at.into(),
            optional(interaction.psu_name.as_deref()),
            document::write(&interaction.factors).into(),
            (&interaction.id).into(),
        ];
        self.execute_later_on(&UPDATE, &parameters, interaction.id.as_str())
    }

    fn journey_live_of_consent(
        &mut self,
        consent: &ConsentId,
        now: Timestamp,
    ) -> Result<Option<AuthorisationJourney>, StoreError> {
        let parameters = [consent.into(), JourneyStage::Finished.code().into(), now.into()];
        self.one(&LIVE_OF_CONSENT, &parameters, read)
    }

    fn journeys_finish_of_consent(
        &mut self,
        consent: &ConsentId,
        except: Option<&JourneyId>,
    ) -> Result<(), StoreError> {
        let except = except.map_or("", JourneyId::as_str);
        let parameters = [JourneyStage::Finished.code().into(), consent.into(), except.into()];
        self.execute_later(&FINISH_OF_CONSENT, &parameters)
    }

    fn journeys_remove_without_login(&mut self, consent: &ConsentId) -> Result<(), StoreError> {
        self.execute_later(&FORGET_UNUSED, &[consent.into(), JourneyStage::Finished.code().into()])
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<AuthorisationJourney, StoreError> {
    Ok(AuthorisationJourney {
        id: row.id()?,
        client: row.id()?,
        consent: row.id()?,
        request: row.id()?,
        stage: row.parsed(JourneyStage::decode)?,
        browser: row.digest()?,
        psu: row.id_or_null()?,
        auth_time: row.instant_or_null()?,
        form_token: row.digest()?,
        failures: row.integer()?,
        expires_at: row.instant()?,
        psu_name: row.id_or_null()?,
        factors: row.parsed(document::read)?,
    })
}
