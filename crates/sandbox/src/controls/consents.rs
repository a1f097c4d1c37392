//! Controls that decide on consents without a browser, by the same use-cases as the authorisation journey.

use lombard_auth::authorisation::backchannel::answer_waiting_request_in;
use lombard_domain::consent::{
    Consent, ConsentRequest, ConsentState, FundsConfirmationTerms, NotAuthorisable, PaymentConsent,
};
use lombard_domain::ids::{BankAccountId, ConsentId, PsuId};
use lombard_domain::refusal::RefusalKind;
use lombard_ports::controls::{ConsentDecision, ControlError, CustomerSource, DecisionChoice};
use lombard_ports::store::{Owned, ServerTransaction};
use lombard_service::consents::{self, AuthoriseError, AuthorisedAccount, AuthorisedSelection};
use lombard_service::funds;
use lombard_service::payments::consents::{self as payments, NoPayerAccount};
use lombard_service::{Context, Failure};

const NO_CONSENT: ControlError = ControlError::not_found("there is no consent with this id");
const ASKED_ANOTHER: &str = "psu: the client asks another customer over the backchannel for this consent";
const NOTHING_SHAREABLE: &str = "accounts: name at least one; a customer without a shareable account cannot approve";

/// Records the customer's decision on a consent, and answers the backchannel request that waits for it.
///
/// Source: AIS-080, AS-130 to AS-132, CBP-009, PIS-032, PIS-037, RW-302, RW-306.
pub(super) async fn authorise(
    context: &Context,
    customers: &dyn CustomerSource,
    id: &ConsentId,
    decision: &ConsentDecision,
) -> Result<Consent, ControlError> {
    known(customers, &decision.psu).await?;
    let asked = id.clone();
    let consent = context.store.read(move |tx| tx.consent_any_owner(&asked)).await?.ok_or(NO_CONSENT)?;
    let context = &context.with_call_facts(|call| {
        call.set_consent(&consent);
        call.psu = Some(decision.psu.clone());
    });
    let chosen = match (&decision.choice, &consent.request) {
        (DecisionChoice::Reject, _) => None,
        (DecisionChoice::Approve(named), ConsentRequest::AccountAccess(_)) => {
            Some(AuthorisedSelection::Accounts(shared(context, &decision.psu, named.as_deref()).await?))
        }
        (DecisionChoice::Approve(named), ConsentRequest::Payment(payment)) => {
            Some(payer(context, &decision.psu, payment, named.as_deref()).await?)
        }
        (DecisionChoice::Approve(named), ConsentRequest::FundsConfirmation(asked)) => {
            Some(funds_account(context, &decision.psu, asked, named.as_deref()).await?)
        }
    };
    let id = id.clone();
    let psu = decision.psu.clone();
    let inside = context.clone();
    context
        .store
        .write(move |tx| {
            let consent = lock(tx, &id)?;
            let decided = match &chosen {
                Some(chosen) => match consents::authorise_consent_in(tx, &inside, &consent, &psu, chosen) {
                    Err(AuthoriseError::NotAuthorisable(NotAuthorisable::AfterCutOff)) => {
                        // The authorisation endpoint does the same: a decision after the deadline rejects the consent (PIS-037).
                        consents::reject_late_consent_in(tx, &inside, &consent)?;
                        consents::end_authorisations_in(tx, &id, inside.clocks.wall_now())?;
                        return Ok(Err(LATE));
                    }
                    decided => decided.map_err(not_authorised)?,
                },
                None if consent.state == ConsentState::AwaitingAuthorisation => {
                    consents::refuse_consent_in(tx, &inside, &consent, &psu, None)?
                }
                None => return Err(ControlError::conflict("only a consent that awaits authorisation can be rejected")),
            };
            // A browser's decision has the same effects: it ends all other journeys of the consent and answers the waiting client.
            tx.journeys_finish_of_consent(&id, None)?;
            let is_answered = answer_waiting_request_in(tx, &inside, &decided, &psu, chosen.is_some())?;
            if is_answered { Ok(Ok(decided)) } else { Err(ControlError::conflict(ASKED_ANOTHER)) }
        })
        .await?
}

/// Requires that the consent exists, is a payment consent, and was not rejected.
pub(super) async fn require_payment(context: &Context, id: &ConsentId) -> Result<(), ControlError> {
    let asked = id.clone();
    let found = context.store.read(move |tx| tx.consent_any_owner(&asked)).await?;
    let consent = found.filter(|consent| consent.deleted_at.is_none()).ok_or(NO_CONSENT)?;
    if consent.request.payment().is_none() {
        return Err(ControlError::conflict("only the orders of a payment consent can be planned"));
    }
    if consent.state == ConsentState::Rejected {
        return Err(ControlError::conflict("the consent is rejected and has no orders"));
    }
    Ok(())
}

/// Revokes a consent for its customer. Source: AIS-071.
pub(super) async fn revoke(context: &Context, id: &ConsentId) -> Result<Consent, ControlError> {
    let asked = id.clone();
    let found = context.store.read(move |tx| tx.consent_any_owner(&asked)).await?;
    let consent = found.filter(|consent| consent.deleted_at.is_none()).ok_or(NO_CONSENT)?;
    let psu = consent.psu.ok_or(ControlError::conflict(NO_ACCESS))?;
    consents::revoke_consent(context, &psu, id).await.map_err(not_revoked)
}

const LATE: ControlError = ControlError::conflict("the last moment for the payment has passed, so it is rejected");
const NO_ACCESS: &str = "only an authorised consent can be revoked, and none to a single payment";

fn not_revoked(failure: Failure) -> ControlError {
    match failure {
        // The consent and its customer were found just before, so only the state of the consent can be the cause.
        Failure::Refused(refusal) if refusal.kind == RefusalKind::ConsentState => ControlError::conflict(NO_ACCESS),
        Failure::Refused(_) => NO_CONSENT,
        Failure::Unavailable(cause) => ControlError::Unavailable(cause),
        Failure::Broken(cause) => ControlError::Broken(cause),
    }
}

async fn known(customers: &dyn CustomerSource, psu: &PsuId) -> Result<(), ControlError> {
    match customers.find_customer(psu).await? {
        Some(_) => Ok(()),
        None => Err(ControlError::refused("psu: there is no such customer; GET /sandbox/psus lists them")),
    }
}

/// The debtor account: the named one if it allows payments, otherwise the default one. Source: PIS-032, AS-171.
async fn payer(
    context: &Context,
    psu: &PsuId,
    payment: &PaymentConsent,
    named: Option<&[BankAccountId]>,
) -> Result<AuthorisedSelection, ControlError> {
    match named {
        None => {
            payments::select_default_payer(context, psu, payment).await.map_err(map_lookup_failure)?.map_err(no_payer)
        }
        Some([account]) => {
            let chosen = payments::select_payer(context, psu, payment, account).await.map_err(map_lookup_failure)?;
            chosen.ok_or(ControlError::refused(
                "accounts: this customer cannot make the payment from this account; leave it out to have one chosen",
            ))
        }
        Some([] | [_, _, ..]) => Err(ControlError::refused("accounts: a payment is made from exactly one account")),
    }
}

/// The account that the funds confirmation consent names, because the tester cannot choose another. Source: CBP-008, CBP-009.
async fn funds_account(
    context: &Context,
    psu: &PsuId,
    asked: &FundsConfirmationTerms,
    named: Option<&[BankAccountId]>,
) -> Result<AuthorisedSelection, ControlError> {
    let account = funds::find_funds_account(context, psu, asked).await.map_err(map_lookup_failure)?;
    let account =
        account.ok_or(ControlError::refused("psu: the account that the consent names is not this customer's"))?;
    if named.is_some_and(|named| named != [account.id.clone()]) {
        return Err(ControlError::refused("accounts: the consent names the account; leave it out"));
    }
    Ok(AuthorisedSelection::FundsAccount(account.into()))
}

const fn no_payer(none: NoPayerAccount) -> ControlError {
    ControlError::refused(match none {
        NoPayerAccount::NamedAccountUnusable => {
            "psu: the account that the consent names is not one this customer can pay from"
        }
        NoPayerAccount::TooManyAuthorisers => {
            "psu: this customer's accounts need more customers to agree than the consent allows"
        }
        NoPayerAccount::NoneEligible => "psu: this customer has no account that the payment can be made from",
    })
}

/// Maps a failure of the bank or of storage to a control's error. The look-up of an account is never refused.
fn map_lookup_failure(failure: Failure) -> ControlError {
    match failure {
        Failure::Refused(_) => ControlError::conflict("the consent cannot be authorised"),
        Failure::Unavailable(cause) => ControlError::Unavailable(cause),
        Failure::Broken(cause) => ControlError::Broken(cause),
    }
}

/// The named accounts if the customer may share each of them; all shareable accounts if none is named.
async fn shared(
    context: &Context,
    psu: &PsuId,
    named: Option<&[BankAccountId]>,
) -> Result<Vec<AuthorisedAccount>, ControlError> {
    let eligible = context.bank.eligible_accounts(&context.call, psu).await?;
    let eligible: Vec<_> = eligible.into_iter().map(AuthorisedAccount::from).collect();
    let Some(named) = named else { return some(eligible) };
    if named.iter().any(|account| eligible.iter().all(|it| it.id != *account)) {
        return Err(ControlError::refused(
            "accounts: name accounts this customer can share, by the ids that GET /sandbox/psus shows with \
             \"shareable\": true",
        ));
    }
    some(eligible.into_iter().filter(|account| named.contains(&account.id)).collect())
}

fn some(accounts: Vec<AuthorisedAccount>) -> Result<Vec<AuthorisedAccount>, ControlError> {
    if accounts.is_empty() { Err(ControlError::refused(NOTHING_SHAREABLE)) } else { Ok(accounts) }
}

/// Locks and reads a consent of any TPP, unless its TPP has deleted it.
fn lock(tx: &mut dyn ServerTransaction, id: &ConsentId) -> Result<Consent, ControlError> {
    let client = tx.consent_any_owner(id)?.ok_or(NO_CONSENT)?.client;
    match tx.consent_for_update(&client, id)? {
        Owned::Mine(consent) => Ok(consent),
        Owned::Foreign | Owned::Absent => Err(NO_CONSENT),
    }
}

/// Maps an [`AuthoriseError`] to the control's error.
fn not_authorised(error: AuthoriseError) -> ControlError {
    match error {
        AuthoriseError::Store(error) => error.into(),
        AuthoriseError::NotAuthorisable(bar) => match bar {
            NotAuthorisable::NotAwaitingAuthorisation => {
                ControlError::conflict("the consent was rejected or ended for good")
            }
            NotAuthorisable::Expired => ControlError::conflict("the consent has expired by the bank's clock"),
            NotAuthorisable::OtherPsu => ControlError::conflict("another customer authorised the consent"),
            NotAuthorisable::AfterCutOff => LATE,
            NotAuthorisable::NoFile => ControlError::conflict("the file of the consent has not been uploaded"),
            NotAuthorisable::NoAccount => ControlError::refused(NOTHING_SHAREABLE),
        },
    }
}
