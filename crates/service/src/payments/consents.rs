//! Consents to pay: made and read by the TPP, put to the customer with the accounts that fit.

use super::Once;
use crate::consents::{Chosen, Paying, mine};
use crate::{Context, Failure};
use lombard_domain::account::AccountScheme;
use lombard_domain::consent::{Consent, Kind, PaymentConsent, PaymentSource, State};
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, PsuId};
use lombard_domain::order::{Conditions, FundsView, NamedAccount, PaymentDraft, PaymentTerms, Product};
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::bank::Payer;

/// Makes a consent to pay, awaiting authorisation, or answers with the one the same request made before, as it stands now.
/// Source: PIS-015, PIS-016, PIS-020, PIS-023, PIS-061.
///
/// # Errors
/// [`Failure::Refused`] with every fault of the draft, or when the key came with another body; otherwise the bank's or
/// storage's failure.
pub async fn create(context: &Context, client: &ClientId, draft: PaymentDraft, once: Once) -> Result<Consent, Failure> {
    let now = context.clocks.bank();
    let judged = judge(context, &draft.terms).await?;
    let id = ConsentId::new(context.ids.ordered().hyphenated().to_string());
    let (client, settings) = (client.clone(), context.payments.clone());
    context
        .store
        .write(move |tx| {
            // Before any rule: a draft that was good yesterday must still find its consent today (PIS-064).
            if let Some(earlier) = once.earlier(tx, &settings, now)? {
                return Ok(mine(tx.consent(&client, &ConsentId::new(earlier))?)?);
            }
            let conditions = judged.clone()?;
            let consent = draft.clone().under(conditions).into_consent(id.clone(), client.clone(), now);
            tx.consent_insert(&consent)?;
            once.complete(tx, consent.id.as_str())?;
            Ok(consent)
        })
        .await
}

/// What the bank says to terms that may become a consent; the refusal of others.
async fn judge(context: &Context, terms: &PaymentTerms) -> Result<Result<Conditions, Refusal>, Failure> {
    let now = context.clocks.bank();
    let mut faults = terms.faults(now, &context.payments.limits);
    if faults.is_empty() {
        let conditions = context.bank.conditions(terms).await?;
        faults.extend(conditions.lateness(now));
        faults.extend(authorisers_fault(context, terms).await?);
        if faults.is_empty() {
            return Ok(Ok(conditions));
        }
    }
    Ok(Err(Refusal::invalid(faults)))
}

/// One customer is to authorise what the account named needs several for. Source: PIS-111.
async fn authorisers_fault(context: &Context, terms: &PaymentTerms) -> Result<Option<Fault>, Failure> {
    let Some(debtor) = &terms.debtor else { return Ok(None) };
    let Some(payer) = context.bank.payer_by_number(debtor).await? else { return Ok(None) };
    let message = "The account to pay from needs more than one customer to agree.";
    let fault = || Fault::field(FaultCode::FieldInvalid, Field::AuthorisationType, message);
    Ok((!terms.authorisation.allows(payer.authorisers)).then(fault))
}

/// The consent of a product, for the TPP that made it, in every state, through the version it was made in and no other.
/// Source: PIS-007, PIS-008, PIS-024, PIS-161.
///
/// # Errors
/// [`Failure::Refused`]: not found, or another TPP's; otherwise storage's failure.
pub async fn read(
    context: &Context,
    client: &ClientId,
    product: Product,
    id: &ConsentId,
    through: Version,
) -> Result<Consent, Failure> {
    let (client, id) = (client.clone(), id.clone());
    let found = context.store.read(move |tx| Ok::<_, Failure>(mine(tx.consent(&client, &id)?)?)).await?;
    Ok(of_product(found, product, through)?)
}

/// The consent if it is one of this product and version.
///
/// # Errors
/// Not found. Source: PIS-008, PIS-160.
pub(super) fn of_product(consent: Consent, product: Product, through: Version) -> Result<Consent, Refusal> {
    let fits = consent.terms.kind() == Kind::Payment(product) && consent.submitted.version == through;
    if fits { Ok(consent) } else { Err(Refusal::of(RefusalKind::NotFound)) }
}

/// Whether there is money for a consent that is authorised and not used. Changes nothing. Source: PIS-080 to PIS-083.
///
/// # Errors
/// [`Failure::Refused`] in any other state; otherwise the bank's failure.
pub async fn funds(context: &Context, consent: &Consent) -> Result<FundsView, Failure> {
    let now = context.clocks.bank();
    let (Some(payment), Some(debtor)) = (consent.terms.payment(), consent.debtor()) else {
        return Err(not_authorised().into());
    };
    if consent.state != State::Authorised {
        return Err(not_authorised().into());
    }
    let payer = context.bank.payer(&debtor.account).await?;
    let needs = payment.terms.instruction.needs(&payment.conditions);
    Ok(FundsView { available: payer.is_some_and(|payer| payer.can_pay(needs)), at: now })
}

fn not_authorised() -> Refusal {
    Refusal::of(RefusalKind::ConsentState)
}

/// The accounts a customer may choose among for a payment: theirs, in a currency it can be made in, the one the TPP named
/// if it named one, and such as no more customers have to agree to than it allows. Source: PIS-032, PIS-111.
///
/// # Errors
/// The bank's failure.
pub async fn payers(context: &Context, psu: &PsuId, payment: &PaymentConsent) -> Result<Vec<Payer>, Failure> {
    let payers = context.bank.payers(psu).await?;
    Ok(payers.into_iter().filter(|payer| fits(payer, &payment.terms)).collect())
}

fn fits(payer: &Payer, terms: &PaymentTerms) -> bool {
    let numbers = &payer.account.identifications;
    let named = terms.debtor.as_ref().is_none_or(|debtor| numbers.iter().any(|it| it.is_same_account(debtor)));
    let credit = terms.instruction.credit();
    let to_itself = numbers.iter().any(|it| it.is_same_account(&credit.creditor));
    let currency = payer.account.currency == terms.instruction.amount().currency();
    named && currency && !to_itself && terms.authorisation.allows(payer.authorisers)
}

/// What the customer agrees with when they pay from this account: `None` if it is not among those they may choose
/// ([`payers`]). The bank is asked again what it says to the payment, so that what is shown is of now. Source: PIS-104.
///
/// # Errors
/// The bank's failure.
pub async fn choose(
    context: &Context,
    psu: &PsuId,
    payment: &PaymentConsent,
    account: &BankAccountId,
) -> Result<Option<Chosen>, Failure> {
    let payers = payers(context, psu, payment).await?;
    let Some(payer) = payers.into_iter().find(|payer| payer.account.id == *account) else { return Ok(None) };
    let Some(source) = source(&payer) else { return Ok(None) };
    let conditions = context.bank.conditions(&payment.terms).await?;
    Ok(Some(Chosen::Paying(Box::new(Paying { account: payer.account.id, source, conditions }))))
}

/// The account by the number payees know, under its holder's name. Source: PIS-098.
fn source(payer: &Payer) -> Option<PaymentSource> {
    let numbers = &payer.account.identifications;
    let local = numbers.iter().find(|it| it.scheme == AccountScheme::SortCodeAccountNumber);
    let number = local.or_else(|| numbers.first())?.clone();
    Some(PaymentSource { account: NamedAccount::named(number, payer.holder.clone()), authorisers: payer.authorisers })
}
