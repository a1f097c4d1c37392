//! The accounts that a PSU may choose from, to share or to pay from. A funds-confirmation consent names its account, so
//! there is no choice.

use crate::AuthorisationServer;
use crate::authorisation::journey::admission::JourneyError;
use crate::error::OAuthError;
use lombard_domain::account::{Account, AccountSubType};
use lombard_domain::consent::{Consent, ConsentRequest, PaymentConsent};
use lombard_domain::ids::{BankAccountId, JourneyId, PsuId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_ports::bank::Payer;
use lombard_service::payments::consents::{PricedDebit, has_sufficient_funds, list_payer_accounts, priced_debit};
use lombard_service::{Failure, funds};

/// The accounts on offer. The kind of the consent determines the variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountOptions {
    /// Accounts to share: the PSU chooses at least one. Source: AIS-080.
    ToShare(Vec<SelectableAccount>),
    /// Accounts to pay from: the PSU chooses exactly one. Source: PIS-032.
    ToPayFrom(Vec<PayerOption>),
    /// The account of a funds confirmation: the one that the consent names, if this PSU may operate it. Source: CBP-008, CBP-009.
    ToAskAbout(Option<Box<SelectableAccount>>),
}

/// An account on offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectableAccount {
    /// The identifier of the account in this journey's forms; the bank's own id never leaves the server.
    pub handle: String,
    /// The account.
    pub account: Account,
    /// Whether the page shows the account as chosen at first. Source: AIS-083, RW-308.
    pub preselected: bool,
    /// The balance, if the decision page shows it and the bank has returned it.
    pub balance: Option<SignedAmount>,
}

/// An account to pay from, with what the PSU should know before choosing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayerOption {
    /// The account.
    pub offered: SelectableAccount,
    /// The amount available now.
    pub available: SignedAmount,
    /// Whether the available amount covers the payment. An account without enough may still be chosen, because money may arrive before the
    /// order.
    pub suffices: bool,
    /// How many customers must approve a payment from the account, at least one. Source: PIS-112.
    pub authorisers: u16,
    /// The names of the other customers who may approve.
    pub others: Vec<String>,
    /// The amount that the payment debits from the account; `None` for a file and for payments that are ordered later.
    pub debit: Option<PricedDebit>,
}

impl AccountOptions {
    /// The accounts of any variant.
    pub fn accounts(&self) -> Vec<&SelectableAccount> {
        match self {
            Self::ToShare(accounts) => accounts.iter().collect(),
            Self::ToPayFrom(means) => means.iter().map(|means| &means.offered).collect(),
            Self::ToAskAbout(account) => account.iter().map(|offered| &**offered).collect(),
        }
    }

    /// Whether there is no account to choose.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::ToShare(accounts) => accounts.is_empty(),
            Self::ToPayFrom(means) => means.is_empty(),
            Self::ToAskAbout(account) => account.is_none(),
        }
    }
}

/// The accounts that this PSU may choose for a consent. A single account is preselected, and so are the accounts of an earlier
/// authorisation. Source: AS-133, AIS-083, PIS-032.
///
/// # Errors
/// The bank's and the identity provider's failures.
pub(super) async fn offer(
    auth: &AuthorisationServer,
    journey: &JourneyId,
    psu: &PsuId,
    consent: &Consent,
) -> Result<AccountOptions, JourneyError> {
    match &consent.request {
        ConsentRequest::AccountAccess(_) => {
            let accounts = auth.context.bank.eligible_accounts(&auth.context.call, psu).await;
            let mut accounts = accounts.map_err(|error| OAuthError::from(Failure::from(error)))?;
            accounts.sort_by_key(|account| position(account.sub_type));
            let earlier: Vec<_> = consent.accounts.iter().map(|selected| selected.account.clone()).collect();
            let only = accounts.len() == 1;
            let offered = accounts.into_iter().map(|account| {
                let preselected = only || earlier.contains(&account.id);
                SelectableAccount { handle: handle(journey, &account.id), account, preselected, balance: None }
            });
            Ok(AccountOptions::ToShare(offered.collect()))
        }
        ConsentRequest::FundsConfirmation(named) => {
            let account = funds::find_funds_account(&auth.context, psu, named).await.map_err(OAuthError::from)?;
            let offered = account.map(|account| SelectableAccount {
                handle: handle(journey, &account.id),
                account,
                preselected: true,
                balance: None,
            });
            Ok(AccountOptions::ToAskAbout(offered.map(Box::new)))
        }
        ConsentRequest::Payment(payment) => {
            let mut payers = list_payer_accounts(&auth.context, psu, payment).await.map_err(OAuthError::from)?;
            payers.sort_by_key(|payer| position(payer.account.sub_type));
            let only = payers.len() == 1;
            let earlier = consent.debtor().map(|debtor| debtor.account.clone());
            let mut means = Vec::new();
            for payer in payers {
                let preselected = only || earlier.as_ref() == Some(&payer.account.id);
                means.push(of_payer(auth, journey, psu, payment, payer, preselected).await?);
            }
            Ok(AccountOptions::ToPayFrom(means))
        }
    }
}

/// The position of an account of this kind among those on offer; the likeliest kind comes first.
const fn position(sub_type: AccountSubType) -> u8 {
    match sub_type {
        AccountSubType::CurrentAccount => 0,
        AccountSubType::Savings => 1,
        AccountSubType::EMoney | AccountSubType::PrePaidCard => 2,
        AccountSubType::CreditCard | AccountSubType::ChargeCard => 3,
        AccountSubType::Loan => 4,
        AccountSubType::Mortgage => 5,
    }
}

async fn of_payer(
    auth: &AuthorisationServer,
    journey: &JourneyId,
    psu: &PsuId,
    payment: &PaymentConsent,
    payer: Payer,
    preselected: bool,
) -> Result<PayerOption, OAuthError> {
    let suffices = has_sufficient_funds(&auth.context, payment, &payer).await.map_err(OAuthError::from)?;
    let priced = price(auth, payment, payer.account.currency).await?;
    let Payer { account, available, authorisers, signatories, .. } = payer;
    let mut others = Vec::new();
    if authorisers > 1 {
        for other in signatories.iter().filter(|signatory| *signatory != psu) {
            others.extend(name(auth, other).await?);
        }
    }
    let offered = SelectableAccount { handle: handle(journey, &account.id), account, preselected, balance: None };
    Ok(PayerOption { offered, available, suffices, authorisers, others, debit: priced })
}

/// The amount that a payment debits from an account in this currency.
///
/// # Errors
/// The bank's failure.
pub(crate) async fn price(
    auth: &AuthorisationServer,
    payment: &PaymentConsent,
    unit: Currency,
) -> Result<Option<PricedDebit>, OAuthError> {
    match payment.terms.instruction.transfer() {
        Some(transfer) => Ok(priced_debit(&auth.context, transfer, &payment.conditions, unit).await?),
        None => Ok(None),
    }
}

/// The name of a customer, from the identity provider.
///
/// # Errors
/// The identity provider's failure.
async fn name(auth: &AuthorisationServer, psu: &PsuId) -> Result<Option<String>, OAuthError> {
    let person = auth.identity.find_person(psu).await.map_err(OAuthError::unavailable)?;
    Ok(person.map(|person| person.name))
}

/// Makes the handle of an account. It differs in every journey, because it is derived from the journey's id.
fn handle(journey: &JourneyId, account: &BankAccountId) -> String {
    let material = format!("{}\n{}", journey.as_str(), account.as_str());
    lombard_jose::base64url(&lombard_jose::sha256(material.as_bytes()).0)
}
