//! What a page shows of a journey.

use super::browser::Browser;
use super::gate::{Halt, Lost, alive};
use super::remembered::Remembered;
use crate::Auth;
use crate::error::OAuthError;
use lombard_domain::account::Account;
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::grant::{Interaction, InteractionStage};
use lombard_domain::ids::{BankAccountId, InteractionId};
use lombard_ports::identity::Challenge;
use lombard_ports::store::Owned;
use lombard_service::Failure;

/// A journey as its present page shows it.
#[derive(Debug)]
pub struct View {
    /// The journey.
    pub id: InteractionId,
    /// Goes into the page's forms.
    pub form_token: String,
    /// Who asks.
    pub client: Client,
    /// Where the answer will go; the page's forms may be redirected to its origin. Source: AS-140.
    pub redirect_uri: String,
    /// Where the PSU stands.
    pub stage: Stage,
}

/// Where the PSU stands, with what that page needs.
#[derive(Debug)]
pub enum Stage {
    /// Name and password.
    Login {
        /// Sandbox only: logins to offer, each with what the customer is good for.
        shown: Vec<(String, String)>,
    },
    /// The one-time code.
    SecondFactor {
        /// What was sent where.
        challenge: Challenge,
    },
    /// The decision.
    Decision {
        /// The PSU's name.
        name: String,
        /// What is asked for.
        consent: Box<Consent>,
        /// The accounts on offer.
        accounts: Vec<Offered>,
    },
}

/// An account on offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// Stands for the account in this journey's forms; the bank's own id never leaves the server.
    pub handle: String,
    /// The account.
    pub account: Account,
    /// Whether it is chosen unless the PSU changes that. Source: AIS-083, RW-308.
    pub preselected: bool,
}

/// The present page of a journey. Shows, changes nothing.
///
/// # Errors
/// [`Halt::Lost`] if there is no such journey in this browser, [`Halt::Failed`] on our side.
pub async fn view(auth: &Auth, id: &InteractionId, browser: &Browser) -> Result<View, Halt> {
    let (wanted, shown_to, now) = (id.clone(), browser.clone(), auth.context.clocks.wall());
    let (interaction, client, consent) = auth
        .context
        .store
        .read(move |tx| {
            let interaction = alive(tx, &wanted, &shown_to, now)?;
            let client = tx.client(&interaction.client)?.ok_or(Halt::Lost(Lost::Ended))?;
            match tx.consent(&interaction.client, &interaction.consent)? {
                Owned::Mine(consent) => Ok((interaction, client, consent)),
                Owned::Foreign | Owned::Absent => Err(Halt::Lost(Lost::Ended)),
            }
        })
        .await?;
    let redirect_uri = Remembered::from(&interaction)?.redirect_uri;
    let form_token = browser.form_token(&interaction);
    let stage = stage(auth, &interaction, consent).await?;
    Ok(View { id: interaction.id, form_token, client, redirect_uri, stage })
}

async fn stage(auth: &Auth, interaction: &Interaction, consent: Consent) -> Result<Stage, Halt> {
    let unavailable = OAuthError::unavailable;
    match (interaction.stage, &interaction.psu) {
        (InteractionStage::Login, _) => {
            Ok(Stage::Login { shown: auth.identity.shown_logins().await.map_err(unavailable)? })
        }
        (InteractionStage::SecondFactor, Some(psu)) => {
            let challenge = auth.identity.challenge(psu, &interaction.id).await.map_err(unavailable)?;
            Ok(Stage::SecondFactor { challenge })
        }
        (InteractionStage::Decision, Some(psu)) => {
            let person = auth.identity.person(psu).await.map_err(unavailable)?;
            let name = person.map(|person| person.name).unwrap_or_default();
            let earlier: Vec<_> = consent.accounts.iter().map(|selected| selected.account.clone()).collect();
            let accounts = offered(auth, interaction, &earlier).await?;
            Ok(Stage::Decision { name, consent: Box::new(consent), accounts })
        }
        (InteractionStage::SecondFactor | InteractionStage::Decision, None) => {
            Err(Halt::Failed(OAuthError::broken("a journey passed its login without a PSU")))
        }
        (InteractionStage::Finished, _) => Err(Halt::Lost(Lost::Ended)),
    }
}

/// The accounts the PSU may share, those chosen earlier marked. The only account there is needs no choosing.
///
/// Source: AS-133, AIS-083.
pub(super) async fn offered(
    auth: &Auth,
    interaction: &Interaction,
    earlier: &[BankAccountId],
) -> Result<Vec<Offered>, Halt> {
    let Some(psu) = &interaction.psu else { return Ok(Vec::new()) };
    let accounts = auth.context.bank.eligible_accounts(psu).await;
    let accounts = accounts.map_err(|error| OAuthError::from(Failure::from(error)))?;
    let only = accounts.len() == 1;
    let offer = |account: Account| Offered {
        handle: handle(&interaction.id, &account.id),
        preselected: only || earlier.contains(&account.id),
        account,
    };
    Ok(accounts.into_iter().map(offer).collect())
}

/// Different in every journey, because the journey's id is secret to its browser.
fn handle(journey: &InteractionId, account: &BankAccountId) -> String {
    let material = format!("{}\n{}", journey.as_str(), account.as_str());
    lombard_jose::base64url(&lombard_jose::sha256(material.as_bytes()).0)
}
