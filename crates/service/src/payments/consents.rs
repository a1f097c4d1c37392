//! Payment consents: created and read by the TPP, and shown to the customer with the eligible accounts.

use super::{IdempotentRequest, ReadCaller, debit_faults};
use crate::consents::{AuthorisedSelection, PayerSelection, admit_consent, require_owned};
use crate::{Context, Failure, funds};
use lombard_domain::account::{AccountIdentification, AccountScheme, AccountSubType};
use lombard_domain::consent::{Consent, ConsentKind, ConsentState, ConsentStatusReason, PaymentConsent, PaymentSource};
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, PsuId};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{ConversionRate, Quote, RequestedRate, TotalDebit};
use lombard_domain::payment::order::{FundsView, Instruction, PaymentConsentRequest, PaymentDraft};
use lombard_domain::payment::transfer::{Instrument, NamedAccount, PaymentConditions, Timing, Transfer};
use lombard_domain::payment::{PaymentProduct, PaymentTerritory};
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::bank::Payer;
use lombard_ports::store::{ConsentCreation, DirectWriteOutcome, Owned};
use std::sync::Arc;

/// Creates a payment consent that awaits authorisation. A repeated request returns the consent that the first one created, in
/// its present state.
/// Source: PIS-015, PIS-016, PIS-020, PIS-023, PIS-061, X-23.
///
/// # Errors
/// [`Failure::Refused`] with every fault of the draft, or when the key came with another body; otherwise the bank's or
/// storage's failure.
pub async fn create_payment_consent(
    context: &Context,
    client: &ClientId,
    draft: PaymentDraft,
    idempotent_request: IdempotentRequest,
) -> Result<Consent, Failure> {
    let draft = draft.with_quarter_days_of(&context.payments.limits);
    let about = context.with_call_facts(|call| call.set_risk(&draft.submitted));
    let judged = validate_and_request_conditions(&about, client, &draft).await.map_err(Arc::new);
    let id: ConsentId = context.ids.ordered();
    if let (Ok(conditions), Some(direct)) = (&judged, context.store.direct_writes()) {
        let time = context.clocks.known_bank_time();
        let claim = Some(idempotent_request.claim(&context.payments, time.now, id.as_str()));
        let consent = draft.clone().into_consent_draft(conditions.clone());
        let consent = consent.into_consent(id.clone(), client.clone(), time.now);
        let creation = ConsentCreation { time, claim, consent: &consent };
        if direct.consent_create(creation).await? == DirectWriteOutcome::Stored {
            return Ok(consent);
        }
    }
    let (client, clocks, settings) = (client.clone(), context.clocks.clone(), context.payments.clone());
    context
        .store
        .write(move |tx| {
            let now = clocks.read_bank_time(tx)?;
            // The key is claimed before any validation: a repeated request must find its consent even if its dates have passed
            // or the bank is unavailable (PIS-064).
            if let Some(earlier) = idempotent_request.claim_key(tx, &settings, now, id.as_str())? {
                return Ok(require_owned(tx.consent(&client, &ConsentId::new(earlier))?)?);
            }
            let conditions = judged.as_ref().map_err(Failure::again)?;
            let consent =
                draft.clone().into_consent_draft(conditions.clone()).into_consent(id.clone(), client.clone(), now);
            tx.consent_insert(&consent)?;
            Ok(consent)
        })
        .await
}

/// The bank's conditions for a valid consent request.
///
/// # Errors
/// The refusal of others; the bank's failure.
async fn validate_and_request_conditions(
    context: &Context,
    client: &ClientId,
    draft: &PaymentDraft,
) -> Result<PaymentConditions, Failure> {
    let (now, terms) = (context.clocks.bank_now(), &draft.terms);
    if draft.needs_membership(client, &context.payments.limits.vrp) {
        return Err(Refusal::from_kind(RefusalKind::PermissionMissing).into());
    }
    let faults = draft.faults(now, &context.payments.limits);
    if !faults.is_empty() {
        return Err(Refusal::invalid(faults).into());
    }
    admit_consent(context, client).await?;
    let quote = quote(context, terms).await?;
    let conditions = PaymentConditions { quote, ..context.bank.quote_conditions(&context.call, terms).await? };
    let mut faults = conditions.lateness_faults(now);
    faults.extend(find_debtor_faults(context, terms, &conditions).await?);
    faults.extend(debit_faults::total_debit_fault(context, terms, &conditions).await?);
    if faults.is_empty() { Ok(conditions) } else { Err(Refusal::invalid(faults).into()) }
}

/// The rate of a payment that requests one. Source: INT-013, INT-015, INT-021.
///
/// # Errors
/// The refusal of a payment that the bank has no rate for; the bank's failure.
async fn quote(context: &Context, terms: &PaymentConsentRequest) -> Result<Option<Quote>, Failure> {
    let international = terms.instruction.transfer().and_then(Transfer::international_details);
    let Some((rate_request, payment)) = international.and_then(|payment| Some((payment.exchange.as_ref()?, payment)))
    else {
        return Ok(None);
    };
    match context.bank.quote_rate(&context.call, rate_request, payment.transfer).await? {
        Some(quote) => Ok(Some(quote)),
        None => Err(Refusal::invalid(vec![rate_request.no_rate_fault().into()]).into()),
    }
}

/// The faults that follow from the debtor account, if the TPP named it. Source: PIS-111, INT-012, INT-023, VRP-020.
async fn find_debtor_faults(
    context: &Context,
    terms: &PaymentConsentRequest,
    conditions: &PaymentConditions,
) -> Result<Vec<Fault>, Failure> {
    let Some(debtor) = &terms.debtor else { return Ok(Vec::new()) };
    let Some(payer) = context.bank.find_payer_by_number(&context.call, debtor).await? else { return Ok(Vec::new()) };
    let payment = PaymentConsent::new(terms.clone(), conditions.clone());
    let mut faults = Vec::new();
    if !payment.allows_authorisers(payer.authorisers) {
        let at =
            if terms.product().allows_several_authorisers() { Field::AuthorisationType } else { Field::DebtorAccount };
        let message = "The account to pay from needs more than one customer to agree.";
        faults.push(Fault::field(FaultCode::FieldInvalid, at, message));
    }
    if let Some(transfer) = terms.instruction.transfer()
        && let Some(international) = transfer.international_details()
    {
        let found = international.account_faults(transfer.amount, payer.account.currency);
        faults.extend(found.into_iter().map(Fault::from));
    }
    Ok(faults)
}

/// Reads a consent of a product for the TPP that created it, in every state, through the version in which it was created. A VRP
/// consent can be read through newer versions as well. Source: PIS-004, PIS-007, PIS-008, PIS-024, PIS-161, V4-025.
///
/// # Errors
/// [`Failure::Refused`]: not found, another TPP's, or not the token's; otherwise storage's failure.
pub async fn read_payment_consent(
    context: &Context,
    reader: impl Into<ReadCaller>,
    product: PaymentProduct,
    id: &ConsentId,
    endpoint_version: Version,
) -> Result<Consent, Failure> {
    let (reader, id) = (reader.into(), id.clone());
    let client = reader.client.clone();
    let found = context.store.read(move |tx| Ok::<_, Failure>(tx.consent(&client, &id)?)).await?;
    let found = require_owned(found).and_then(|found| of_product(found, product, endpoint_version));
    Ok(reader.may_read(found, |consent| &consent.id)?)
}

fn of_product(consent: Consent, product: PaymentProduct, endpoint_version: Version) -> Result<Consent, Refusal> {
    check_product(&consent, product, endpoint_version).map(|()| consent)
}

/// Checks that the consent is of this product and usable in this version: a VRP consent in its own and in newer versions, any
/// other payment consent in its own version only.
///
/// # Errors
/// Not found. Source: PIS-008, PIS-160, V4-025.
pub(super) fn check_product(
    consent: &Consent,
    product: PaymentProduct,
    endpoint_version: Version,
) -> Result<(), Refusal> {
    let is_usable = if product.reuses_consents() {
        consent.is_known_to(endpoint_version)
    } else {
        consent.submitted.version == endpoint_version
    };
    if is_usable && consent.request.kind() == ConsentKind::Payment(product) {
        Ok(())
    } else {
        Err(Refusal::from_kind(RefusalKind::NotFound))
    }
}

/// Checks that this is the consent of the access token, of this product and version. Source: PIS-006 to PIS-008, PIS-085,
/// PIS-160.
///
/// # Errors
/// [`Failure::Refused`]: not found, or not the token's; otherwise storage's failure.
pub async fn check_token_consent(
    context: &Context,
    bound: &Consent,
    product: PaymentProduct,
    id: &ConsentId,
    endpoint_version: Version,
) -> Result<(), Failure> {
    if bound.id == *id {
        return Ok(check_product(bound, product, endpoint_version)?);
    }
    let (client, id) = (bound.client.clone(), id.clone());
    let found = context.store.read(move |tx| Ok::<_, Failure>(tx.consent(&client, &id)?)).await?;
    let refusal = match found {
        Owned::Mine(_) | Owned::Foreign => Refusal::from_kind(RefusalKind::ForeignOwner),
        Owned::Absent => Refusal::from_kind(RefusalKind::NotFound),
    };
    Err(refusal.into())
}

/// Confirms funds for a consent that is authorised and not consumed, and whose account is debited when the order is placed. Only
/// the count of funds requests is written. Source: PIS-080 to PIS-084.
///
/// # Errors
/// [`Failure::Refused`] in any other state, or when the day's limit of requests is reached; otherwise the bank's or storage's
/// failure.
pub async fn confirm_payment_funds(context: &Context, consent: &Consent) -> Result<FundsView, Failure> {
    let whole = (consent.state, consent.request.payment(), consent.debtor());
    let (ConsentState::Authorised, Some(payment), Some(debtor)) = whole else {
        return Err(Refusal::from_kind(RefusalKind::ConsentState).into());
    };
    let later = payment.terms.instruction.transfer().is_some_and(|it| matches!(it.timing, Timing::Scheduled(_)));
    if later && !payment.terms.instruction.is_debited_when_ordered() {
        return Err(Refusal::from_kind(RefusalKind::ConsentState).into());
    }
    let payer = context.bank.find_payer(&context.call, &debtor.account).await?;
    let available = match payer {
        Some(payer) => has_sufficient_funds(context, payment, &payer).await?,
        None => false,
    };
    let (inside, counted) = (context.clone(), consent.id.clone());
    context.store.write(move |tx| funds::count_question(tx, &inside, &counted)).await?;
    Ok(FundsView { available, at: context.clocks.bank_now() })
}

/// Whether the account holds enough for the payments of a consent: for all payments of a file; a VRP consent needs none until a
/// payment is ordered. Source: PIS-083.
///
/// # Errors
/// The bank's failure.
pub async fn has_sufficient_funds(context: &Context, payment: &PaymentConsent, payer: &Payer) -> Result<bool, Failure> {
    let unit = payer.account.currency;
    Ok(match &payment.terms.instruction {
        Instruction::Transfer(transfer) => {
            let total_debit = total_debit(context, transfer, &payment.conditions, unit).await?;
            total_debit.is_some_and(|total_debit| payer.can_pay(total_debit.amount()))
        }
        Instruction::File(_) => {
            let totals = payment.file.as_ref().map(|file| file.totals.by_currency.as_slice()).unwrap_or_default();
            totals.iter().all(|total| payer.can_pay(*total))
        }
        Instruction::Vrp(_) => true,
    })
}

/// The amount debited from an account in this currency and the amount sent, at the agreed rate or at the bank's current price.
/// `None` if no account in this currency can pay it.
///
/// # Errors
/// The bank's failure.
pub async fn total_debit(
    context: &Context,
    transfer: &Transfer,
    conditions: &PaymentConditions,
    unit: Currency,
) -> Result<Option<TotalDebit>, Failure> {
    Ok(priced_debit(context, transfer, conditions, unit).await?.map(|priced| priced.total_debit))
}

/// The amount debited for a payment, and the exchange rate used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PricedDebit {
    /// The exchange rate: the fixed rate, or else the bank's present price.
    pub rate: ConversionRate,
    /// Whether the rate holds until the account is debited.
    pub is_fixed: bool,
    /// The total debit, and the amount sent.
    pub total_debit: TotalDebit,
}

/// [`total_debit`] with the exchange rate that it uses.
///
/// # Errors
/// The bank's failure.
pub async fn priced_debit(
    context: &Context,
    transfer: &Transfer,
    conditions: &PaymentConditions,
    unit: Currency,
) -> Result<Option<PricedDebit>, Failure> {
    let fixed = transfer.rate(unit, conditions.quote.as_ref(), None);
    let rate = match fixed {
        Some(rate) => Some(rate),
        None => context.bank.quote_exchange_price(&context.call, transfer.pair(unit)).await?,
    };
    let total_debit = rate.and_then(|rate| Some((rate, transfer.total_debit(unit, conditions, rate).ok()?)));
    Ok(total_debit.map(|(rate, total_debit)| PricedDebit { rate, is_fixed: fixed.is_some(), total_debit }))
}

/// Why a customer has no eligible account for a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPayerAccount {
    /// The account that the TPP named does not belong to the customer, or does not allow such a payment. Source: PIS-033.
    NamedAccountUnusable,
    /// All accounts of the customer need more authorisers than the consent allows. Source: PIS-111.
    TooManyAuthorisers,
    /// The customer has no account that allows such a payment.
    NoneEligible,
}

impl NoPayerAccount {
    /// The reason for which the consent is rejected, if the consent and not the customer is the cause. Source: PIS-033, PIS-111.
    pub const fn status_reason(self) -> Option<ConsentStatusReason> {
        match self {
            Self::NamedAccountUnusable => Some(ConsentStatusReason::DebtorAccountUnusable),
            Self::TooManyAuthorisers => Some(ConsentStatusReason::TooManyAuthorisers),
            Self::NoneEligible => None,
        }
    }
}

/// Lists the accounts from which a customer may make a payment, sorted by id; at least one, or the reason why there is none. The
/// customer may sign for each of them, and its kind and currency suit the payment. It needs no more authorisers than the consent
/// allows. If the TPP named an account, only that account is eligible. Source: PIS-032, PIS-033, PIS-111.
///
/// # Errors
/// The bank's failure.
pub async fn list_payer_options(
    context: &Context,
    psu: &PsuId,
    payment: &PaymentConsent,
) -> Result<Result<Vec<Payer>, NoPayerAccount>, Failure> {
    if !may_pay_at_its_rate(context, psu, payment).await? {
        return Ok(Err(NoPayerAccount::NamedAccountUnusable));
    }
    let mut payers = context.bank.list_payers(&context.call, psu).await?;
    payers.retain(|payer| payer.signatories.contains(psu) && is_eligible_payer(payer, payment));
    let payers = below_ceiling(context, payment, payers).await?;
    if payers.is_empty() {
        return Ok(Err(if payment.named_debtor().is_some() {
            NoPayerAccount::NamedAccountUnusable
        } else {
            NoPayerAccount::NoneEligible
        }));
    }
    let payers: Vec<_> = payers.into_iter().filter(|payer| payment.allows_authorisers(payer.authorisers)).collect();
    Ok(if payers.is_empty() { Err(NoPayerAccount::TooManyAuthorisers) } else { Ok(payers) })
}

/// Whether a customer may pay at the requested rate. An agreed rate is only for the customer with whom it was agreed. Source:
/// INT-010, INT-013.
async fn may_pay_at_its_rate(context: &Context, psu: &PsuId, payment: &PaymentConsent) -> Result<bool, Failure> {
    let international = payment.terms.instruction.transfer().and_then(Transfer::international_details);
    match international.and_then(|payment| payment.exchange.as_ref()).map(|rate_request| &rate_request.basis) {
        Some(RequestedRate::Agreed(deal)) => Ok(context.bank.has_agreed_rate(&context.call, psu, deal).await?),
        Some(RequestedRate::Actual | RequestedRate::Indicative) | None => Ok(true),
    }
}

/// The accounts from which an international payment is possible and does not exceed the ceiling; the debit is known only for a
/// given account. Source: PIS-124, INT-023.
async fn below_ceiling(context: &Context, payment: &PaymentConsent, payers: Vec<Payer>) -> Result<Vec<Payer>, Failure> {
    let Some(transfer) = payment.terms.instruction.transfer().filter(|it| it.international_details().is_some()) else {
        return Ok(payers);
    };
    let mut below = Vec::with_capacity(payers.len());
    for payer in payers {
        let priced = priced_debit(context, transfer, &payment.conditions, payer.account.currency).await?;
        if priced.is_some_and(|priced| !debit_faults::is_above_ceiling(context, &priced.total_debit)) {
            below.push(payer);
        }
    }
    Ok(below)
}

/// The accounts of [`list_payer_options`], among which a customer may choose for a payment; empty if there are none.
///
/// # Errors
/// The bank's failure.
pub async fn list_payer_accounts(
    context: &Context,
    psu: &PsuId,
    payment: &PaymentConsent,
) -> Result<Vec<Payer>, Failure> {
    Ok(list_payer_options(context, psu, payment).await?.unwrap_or_default())
}

fn is_eligible_payer(payer: &Payer, payment: &PaymentConsent) -> bool {
    let (numbers, instruction) = (&payer.account.identifications, &payment.terms.instruction);
    let is_it = |account: &AccountIdentification| numbers.iter().any(|it| it.is_same_account(account));
    let named = payment.named_debtor().is_none_or(is_it);
    let to_itself = instruction.creditor().is_some_and(|creditor| is_it(creditor));
    let currency = payment.accepts_debtor(payer.account.currency);
    let by_card = instruction.instrument().is_some_and(Instrument::takes_from_cards);
    named && currency && !to_itself && is_card(payer.account.sub_type) == by_card
}

const fn is_card(sub_type: AccountSubType) -> bool {
    match sub_type {
        AccountSubType::ChargeCard | AccountSubType::CreditCard => true,
        AccountSubType::CurrentAccount
        | AccountSubType::EMoney
        | AccountSubType::Loan
        | AccountSubType::Mortgage
        | AccountSubType::PrePaidCard
        | AccountSubType::Savings => false,
    }
}

/// The selection with which the customer authorises a payment from this account; `None` if the account is not eligible
/// ([`list_payer_options`]). The bank's conditions are requested again, so that the displayed ones are current. The charges stay
/// those that the TPP and the customer were shown. Source: PIS-104.
///
/// # Errors
/// The bank's failure.
pub async fn select_payer(
    context: &Context,
    psu: &PsuId,
    payment: &PaymentConsent,
    account: &BankAccountId,
) -> Result<Option<AuthorisedSelection>, Failure> {
    let payers = list_payer_accounts(context, psu, payment).await?;
    let Some(payer) = payers.into_iter().find(|payer| payer.account.id == *account) else { return Ok(None) };
    paying(context, payment, payer).await
}

/// The selection for a headless decision: the first current account with sufficient funds, otherwise the first eligible
/// account. Source: AS-171.
///
/// # Errors
/// The bank's failure.
pub async fn select_default_payer(
    context: &Context,
    psu: &PsuId,
    payment: &PaymentConsent,
) -> Result<Result<AuthorisedSelection, NoPayerAccount>, Failure> {
    let mut payers = match list_payer_options(context, psu, payment).await? {
        Ok(payers) => payers,
        Err(none) => return Ok(Err(none)),
    };
    let mut usual = 0;
    for (index, payer) in payers.iter().enumerate() {
        let is_current = payer.account.sub_type == AccountSubType::CurrentAccount;
        if is_current && has_sufficient_funds(context, payment, payer).await? {
            usual = index;
            break;
        }
    }
    Ok(paying(context, payment, payers.swap_remove(usual)).await?.ok_or(NoPayerAccount::NoneEligible))
}

/// The bank's present conditions for a payment, as shown to the customer. The charges and the deadline stay those that were
/// stated before. Source: PIS-104.
///
/// # Errors
/// The bank's failure.
pub async fn current_conditions(context: &Context, payment: &PaymentConsent) -> Result<PaymentConditions, Failure> {
    let PaymentConditions { charges, cut_off, quote, .. } = payment.conditions.clone();
    Ok(PaymentConditions {
        charges,
        cut_off,
        quote,
        ..context.bank.quote_conditions(&context.call, &payment.terms).await?
    })
}

async fn paying(
    context: &Context,
    payment: &PaymentConsent,
    payer: Payer,
) -> Result<Option<AuthorisedSelection>, Failure> {
    let Some(source) = source(&payer, payment.terms.product().territory()) else { return Ok(None) };
    let PaymentConditions { charges, quote, .. } = payment.conditions.clone();
    let conditions =
        PaymentConditions { charges, quote, ..context.bank.quote_conditions(&context.call, &payment.terms).await? };
    Ok(Some(AuthorisedSelection::Payer(Box::new(PayerSelection { account: payer.account.into(), source, conditions }))))
}

/// The account as the payee sees it: its domestic or international number and the holder's name. Source: PIS-098.
fn source(payer: &Payer, reach: PaymentTerritory) -> Option<PaymentSource> {
    let numbers = &payer.account.identifications;
    let known = match reach {
        PaymentTerritory::Domestic => AccountScheme::SortCodeAccountNumber,
        PaymentTerritory::International => AccountScheme::Iban,
    };
    let number = numbers.iter().find(|it| it.scheme == known).or_else(|| numbers.first())?.clone();
    Some(PaymentSource {
        account: NamedAccount::under_name(number, payer.holder.clone()),
        bic: payer.account.servicer.as_ref().and_then(|agent| agent.bic.clone()),
        authorisers: payer.authorisers,
    })
}
