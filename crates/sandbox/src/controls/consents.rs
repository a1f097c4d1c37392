//! Deciding on a consent without a browser, by the use-cases the authorisation journey goes through.

use lombard_domain::consent::{AuthorisationBar, Consent, State};
use lombard_domain::ids::{BankAccountId, ConsentId, PsuId};
use lombard_domain::refusal::RefusalKind;
use lombard_ports::controls::{Choice, ControlError, Decision};
use lombard_ports::store::{Owned, Transaction};
use lombard_service::consents::{self, AuthoriseError, Chosen};
use lombard_service::{Context, Failure};

const NO_CONSENT: ControlError = ControlError::NotFound("there is no consent with this id");
const NOTHING_SHAREABLE: &str = "accounts: name at least one; a customer without a shareable account cannot approve";

/// Source: AIS-080, AS-130 to AS-132, RW-302, RW-306.
pub(super) async fn authorise(context: &Context, id: &ConsentId, decision: &Decision) -> Result<Consent, ControlError> {
    known(context, &decision.psu).await?;
    let accounts = match &decision.choice {
        Choice::Approve(named) => Some(Chosen::Shared(chosen(context, &decision.psu, named.as_deref()).await?)),
        Choice::Reject => None,
    };
    let (id, psu) = (id.clone(), decision.psu.clone());
    let inside = context.clone();
    context
        .store
        .write(move |tx| {
            let consent = lock(tx, &id)?;
            let decided = match &accounts {
                Some(accounts) => {
                    consents::authorise_in(tx, &inside, &consent, &psu, accounts).map_err(not_authorised)?
                }
                None if consent.state == State::AwaitingAuthorisation => consents::reject_in(tx, &inside, &consent)?,
                None => return Err(ControlError::Conflict("only a consent that awaits authorisation can be rejected")),
            };
            // As in a browser: whoever decides ends every other journey of the consent.
            tx.interactions_finish_of_consent(&id, None)?;
            Ok(decided)
        })
        .await
}

/// Source: AIS-071.
pub(super) async fn revoke(context: &Context, id: &ConsentId) -> Result<Consent, ControlError> {
    let asked = id.clone();
    let found = context.store.read(move |tx| tx.consent_any_owner(&asked)).await?;
    let consent = found.filter(|consent| consent.deleted_at.is_none()).ok_or(NO_CONSENT)?;
    let psu = consent.psu.ok_or(ControlError::Conflict(NO_ACCESS))?;
    consents::revoke(context, &psu, id).await.map_err(not_revoked)
}

const NO_ACCESS: &str = "only an authorised consent can be revoked";

fn not_revoked(failure: Failure) -> ControlError {
    match failure {
        // Only a state can stand in the way: the consent was there a moment ago, and so was its customer.
        Failure::Refused(refusal) if refusal.kind == RefusalKind::ConsentState => ControlError::Conflict(NO_ACCESS),
        Failure::Refused(_) => NO_CONSENT,
        Failure::Unavailable(cause) => ControlError::Unavailable(cause),
        Failure::Broken(cause) => ControlError::Broken(cause),
    }
}

async fn known(context: &Context, psu: &PsuId) -> Result<(), ControlError> {
    let asked = psu.clone();
    match context.store.read(move |tx| tx.customer(&asked)).await? {
        Some(_) => Ok(()),
        None => Err(ControlError::Refused("psu: there is no such customer; GET /sandbox/psus lists them")),
    }
}

/// The accounts named, if each is the customer's to share; all that are if none is named.
async fn chosen(
    context: &Context,
    psu: &PsuId,
    named: Option<&[BankAccountId]>,
) -> Result<Vec<BankAccountId>, ControlError> {
    let eligible = context.bank.eligible_accounts(psu).await?;
    let eligible: Vec<_> = eligible.into_iter().map(|account| account.id).collect();
    let Some(named) = named else { return some(eligible) };
    if named.iter().any(|account| !eligible.contains(account)) {
        return Err(ControlError::Refused(
            "accounts: name accounts this customer can share, by the ids that GET /sandbox/psus shows with \
             \"shareable\": true",
        ));
    }
    some(eligible.into_iter().filter(|account| named.contains(account)).collect())
}

fn some(accounts: Vec<BankAccountId>) -> Result<Vec<BankAccountId>, ControlError> {
    if accounts.is_empty() { Err(ControlError::Refused(NOTHING_SHAREABLE)) } else { Ok(accounts) }
}

/// The consent, locked, whoever it belongs to; not one its TPP deleted.
fn lock(tx: &mut dyn Transaction, id: &ConsentId) -> Result<Consent, ControlError> {
    let client = tx.consent_any_owner(id)?.ok_or(NO_CONSENT)?.client;
    match tx.consent_for_update(&client, id)? {
        Owned::Mine(consent) => Ok(consent),
        Owned::Foreign | Owned::Absent => Err(NO_CONSENT),
    }
}

/// An [`AuthoriseError`] as a tester is told it.
fn not_authorised(error: AuthoriseError) -> ControlError {
    match error {
        AuthoriseError::Store(error) => error.into(),
        AuthoriseError::Barred(bar) => match bar {
            AuthorisationBar::Final => ControlError::Conflict("the consent was rejected or ended for good"),
            AuthorisationBar::Expired => ControlError::Conflict("the consent has expired by the bank's clock"),
            AuthorisationBar::OtherPsu => ControlError::Conflict("another customer authorised the consent"),
            AuthorisationBar::Late => ControlError::Conflict("the last moment for the payment has passed"),
            AuthorisationBar::NoAccount => ControlError::Refused(NOTHING_SHAREABLE),
        },
    }
}
