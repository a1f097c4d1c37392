//! The pages of a journey: what each shows of its view.

use super::frame::Frame;
use super::money;
use super::payment::{self, CostWords, Firmness, LineWords, PaymentWords, When};
use super::permissions::{Group, groups};
use super::reply::{Policy, page};
use super::text;
use crate::App;
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use jiff::Timestamp;
use lombard_auth::authorisation::journey::{Means, Notice, Offer, Offered, Stage, View};
use lombard_auth::lines::Line;
use lombard_domain::account::{Account, AccountScheme, AccountSubType};
use lombard_domain::client::Client;
use lombard_domain::consent::{AccountAccess, Consent, PaymentConsent, State, Terms};

/// Who asks, fit to be shown. Source: AS-142.
#[derive(Debug, Clone)]
pub(super) struct Who {
    pub software: String,
    pub organisation: String,
    pub on_behalf_of: Option<String>,
}

impl Who {
    pub(super) fn of(client: &Client) -> Self {
        Self {
            software: text::name(&client.software_name),
            organisation: text::name(&client.org_name),
            on_behalf_of: client.on_behalf_of.as_deref().map(text::name),
        }
    }

    /// What stands in the round badge beside the name.
    pub(super) fn initial(&self) -> String {
        let first = self.software.chars().find(|character| character.is_alphanumeric());
        first.map_or_else(|| "?".to_owned(), |first| first.to_uppercase().collect())
    }
}

/// Why a page is shown again, and which field to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub text: &'static str,
    pub at: &'static str,
}

/// What every page of a journey holds.
pub(super) struct Journey {
    pub id: String,
    pub form_token: String,
    pub who: Who,
    pub asks: Asks,
}

/// What is asked for, as the pages before the decision tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asks {
    /// To see account information.
    Access,
    /// To make a payment: the one-time code is linked to it. Source: AS-142.
    Payment(PaymentWords),
    /// Whether there is enough money in an account.
    Funds,
}

impl Asks {
    /// `now` is the bank's time.
    pub(super) fn of(consent: &Consent, now: Timestamp) -> Self {
        match &consent.terms {
            Terms::AccountAccess(_) => Self::Access,
            Terms::FundsConfirmation(_) => Self::Funds,
            Terms::Payment(payment) => {
                Self::Payment(PaymentWords::of(payment, &payment.conditions, consent.created_at, now))
            }
        }
    }
}

#[derive(Template)]
#[template(path = "login.html")]
pub(super) struct LoginPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub shown: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "second_factor.html")]
pub(super) struct SecondFactorPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub sent_to: String,
    pub shown_code: Option<String>,
}

#[derive(Template)]
#[template(path = "decision.html")]
pub(super) struct DecisionPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub name: String,
    pub again: bool,
    pub groups: Vec<Group>,
    pub transactions: Option<String>,
    pub ends: String,
    pub accounts: Vec<Row>,
}

#[derive(Template)]
#[template(path = "payment/decision.html")]
pub(super) struct PaymentPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub name: String,
    pub payment: PaymentWords,
    /// Whether it was agreed to before.
    pub again: bool,
    /// The first payments, of a file.
    pub lines: Vec<LineWords>,
    /// Where all of them are.
    pub pages: String,
    pub sources: Vec<Source>,
    /// Whether the application named the account, so that there is no other choice.
    pub named: bool,
    /// Until when everybody must have agreed, where the application says so. Source: PIS-110.
    pub agree_by: Option<String>,
    /// What the application learns of it.
    pub learns: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "funds/decision.html")]
pub(super) struct FundsPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub name: String,
    pub again: bool,
    pub ends: String,
    /// The account it would ask about; none once it is not the customer's any more.
    pub account: Option<Row>,
}

/// What the decisions say in the places that are the same on each (`decide.html`).
impl DecisionPage<'_> {
    const fn question(&self) -> &'static str {
        "Share your account information?"
    }

    const fn yes(&self) -> &'static str {
        "Agree and share"
    }

    const fn has_nothing(&self) -> bool {
        self.accounts.is_empty()
    }

    const fn never(&self) -> &'static [&'static str] {
        &[
            "Move your money or make payments",
            "Change anything about your accounts",
            "See your password or your one-time codes",
            "See accounts you do not choose",
        ]
    }
}

impl FundsPage<'_> {
    const fn question(&self) -> &'static str {
        "Let it ask whether there is enough money?"
    }

    const fn yes(&self) -> &'static str {
        "Agree"
    }

    const fn has_nothing(&self) -> bool {
        self.account.is_none()
    }

    const fn never(&self) -> &'static [&'static str] {
        &[
            "Be told your balance, or why there is not enough",
            "See your transactions, or any other account",
            "Move, reserve or hold back money",
            "See your password or your one-time codes",
        ]
    }
}

impl PaymentPage<'_> {
    /// When a payment is made that is made at once.
    fn orders(&self) -> String {
        format!("As soon as {} orders it", self.journey.who.software)
    }

    const fn question(&self) -> &'static str {
        self.payment.question()
    }

    fn yes(&self) -> String {
        self.payment.yes()
    }

    const fn has_nothing(&self) -> bool {
        self.sources.is_empty()
    }

    const fn never(&self) -> &'static [&'static str] {
        self.payment.never()
    }
}

/// An account to pay from as a card of the page.
pub(super) struct Source {
    pub row: Row,
    /// What may leave it now.
    pub available: String,
    pub suffices: bool,
    /// Who else must agree, if anybody. Source: PIS-112.
    pub others: Option<String>,
    /// What the payment takes from this account, where that depends on it.
    pub cost: Option<CostWords>,
}

/// An account as a card of the page.
pub(super) struct Row {
    pub handle: String,
    pub name: String,
    pub kind: String,
    pub number: String,
    pub preselected: bool,
}

/// The present page of a journey, with a word on why it is shown again.
pub(super) fn show(app: &App, view: View, notice: Option<Notice>) -> Response {
    // A form that was understood but not accepted.
    let status = if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let policy = Policy::leading_to(&view.redirect_uri);
    let (frame, asks) = (Frame::of(app), Asks::of(&view.consent, app.context.clocks.bank()));
    let notice = notice.map(|notice| told(notice, &asks));
    let (id, form_token) = (view.id.as_str().to_owned(), view.form_token);
    let journey = Journey { id, form_token, who: Who::of(&view.client), asks };
    match view.stage {
        Stage::Login { shown } => page(app, status, &LoginPage { frame, journey, notice, shown }, &policy),
        Stage::SecondFactor { challenge } => {
            let (sent_to, shown_code) = (challenge.sent_to, challenge.shown_code);
            page(app, status, &SecondFactorPage { frame, journey, notice, sent_to, shown_code }, &policy)
        }
        Stage::Decision { name, offer: Offer::ToShare(accounts), .. } => {
            let template = decision(frame, journey, notice, &name, &view.consent, accounts);
            page(app, status, &template, &policy)
        }
        Stage::Decision { name, offer: Offer::ToPayFrom(means), lines } => {
            let Some(template) = paying(frame, journey, notice, &name, &view.consent, means, &lines) else {
                tracing::error!("accounts to pay from were offered for something else");
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            };
            page(app, status, &template, &policy)
        }
        Stage::Decision { name, offer: Offer::ToAskAbout(account), .. } => {
            let template = asking(frame, journey, notice, &name, &view.consent, account.map(|account| *account));
            page(app, status, &template, &policy)
        }
    }
}

/// The decision on a payment; `None` if that is not what is asked.
pub(super) fn paying<'a>(
    frame: Frame<'a>,
    journey: Journey,
    notice: Option<Told>,
    name: &str,
    consent: &Consent,
    means: Vec<Means>,
    lines: &[Line],
) -> Option<PaymentPage<'a>> {
    let asked = consent.terms.payment()?;
    let Asks::Payment(payment) = journey.asks.clone() else { return None };
    let pages = format!("/interaction/{}/file", journey.id);
    Some(PaymentPage {
        frame,
        journey,
        notice,
        name: text::name(name),
        again: consent.state != State::AwaitingAuthorisation,
        lines: lines.iter().map(LineWords::of).collect(),
        pages,
        sources: means.into_iter().map(|means| source(means, asked, &payment)).collect(),
        named: asked.named_debtor().is_some(),
        agree_by: asked.terms.authorisation.complete_by.map(payment::moment),
        learns: learns(asked),
        payment,
    })
}

/// Source: PIS-082, PIS-096, PIS-099, VRP-019.
fn learns(consent: &PaymentConsent) -> Vec<&'static str> {
    let product = consent.terms.product();
    let mut learns = vec!["That you agreed, and what becomes of it"];
    if product.reuses_consents() {
        learns.push("The name and the number of the account you pay from");
        learns.push("Whether there is enough money for a payment, as yes or no, whenever it asks");
        return learns;
    }
    learns.push("The name the account is in");
    if product.confirms_funds() {
        learns.push("Whether there is enough money for it, as yes or no");
    }
    if consent.terms.refund {
        learns.push("The number of the account you pay from, to be able to pay you back");
    }
    learns
}

fn source(means: Means, consent: &PaymentConsent, payment: &PaymentWords) -> Source {
    let Means { offered, available, suffices, authorisers, others, priced } = means;
    let others = (authorisers > 1).then(|| {
        let people: Vec<_> = std::iter::once("you".to_owned()).chain(others.iter().map(|it| text::name(it))).collect();
        let more = authorisers.saturating_sub(1);
        if usize::from(more) == others.len() {
            format!("Needs {authorisers} people to agree: {}", text::listed(&people))
        } else {
            format!("Needs {authorisers} people to agree: you and {more} more of those who may")
        }
    });
    let cost = priced.filter(|_| payment.depends_on_account());
    let cost = cost.map(|priced| CostWords::of(&priced, &consent.conditions.charges));
    Source { row: row(offered), available: money::sum(available), suffices, others, cost }
}

pub(super) fn decision<'a>(
    frame: Frame<'a>,
    journey: Journey,
    notice: Option<Told>,
    name: &str,
    consent: &Consent,
    accounts: Vec<Offered>,
) -> DecisionPage<'a> {
    let access = consent.terms.account_access();
    DecisionPage {
        frame,
        journey,
        notice,
        name: text::name(name),
        again: consent.state != State::AwaitingAuthorisation,
        groups: access.map(|access| groups(access.permissions)).unwrap_or_default(),
        transactions: access.and_then(period),
        ends: ends(consent),
        accounts: accounts.into_iter().map(row).collect(),
    }
}

/// Source: CBP-008, CBP-034.
pub(super) fn asking<'a>(
    frame: Frame<'a>,
    journey: Journey,
    notice: Option<Told>,
    name: &str,
    consent: &Consent,
    account: Option<Offered>,
) -> FundsPage<'a> {
    FundsPage {
        frame,
        journey,
        notice,
        name: text::name(name),
        again: consent.state != State::AwaitingAuthorisation,
        ends: ends(consent),
        account: account.map(row),
    }
}

const fn told(notice: Notice, asks: &Asks) -> Told {
    let (text, at) = match (notice, asks) {
        (Notice::WrongPassword, _) => ("User name and password do not belong together. Please try again.", "name"),
        (Notice::WrongCode, _) => ("That is not the code we sent. Please try again.", "code"),
        (Notice::NoAccount, Asks::Access) => ("Choose at least one account, or refuse.", "account-1"),
        (Notice::NoAccount | Notice::OtherAccounts, Asks::Funds) => {
            ("Your account has changed since this page was shown. Please decide again.", "decide")
        }
        (Notice::NoAccount, Asks::Payment(_)) => ("Choose the account to pay from, or refuse.", "account-1"),
        (Notice::OtherAccounts, _) => {
            ("Your accounts have changed since this page was shown. Please choose again.", "account-1")
        }
    };
    Told { text, at }
}

/// When access ends.
pub(super) fn ends(consent: &Consent) -> String {
    let recurring = consent.terms.payment().and_then(|payment| payment.terms.instruction.recurring());
    match (recurring, consent.expires_at) {
        (Some(terms), _) => payment::ends(&terms.controls),
        (None, Some(end)) => moment(end),
        (None, None) => "When you or the application end it".to_owned(),
    }
}

/// Which transactions are covered, if any are. Source: AIS-090.
pub(super) fn period(access: &AccountAccess) -> Option<String> {
    use lombard_domain::consent::Permission::{ReadTransactionsBasic, ReadTransactionsDetail};
    if !access.permissions.any(&[ReadTransactionsBasic, ReadTransactionsDetail]) {
        return None;
    }
    Some(match (access.transactions_from, access.transactions_to) {
        (None, None) => "All, without limit in time".to_owned(),
        (Some(from), None) => format!("From {}", moment(from)),
        (None, Some(to)) => format!("Up to {}", moment(to)),
        (Some(from), Some(to)) => format!("From {} to {}", moment(from), moment(to)),
    })
}

pub(super) fn moment(at: Timestamp) -> String {
    at.strftime("%-d %B %Y at %H:%M UTC").to_string()
}

fn row(offered: Offered) -> Row {
    let Offered { handle, account, preselected } = offered;
    let AccountWords { name, kind, number } = AccountWords::of(&account);
    Row { handle, name, kind, number, preselected }
}

/// An account as its holder knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AccountWords {
    pub name: String,
    pub kind: String,
    pub number: String,
}

impl AccountWords {
    pub(super) fn of(account: &Account) -> Self {
        let kind = sub_type(account.sub_type);
        let own_name = account.nickname.as_deref().or(account.description.as_deref());
        Self {
            name: own_name.map_or_else(|| kind.to_owned(), text::name),
            kind: format!("{kind}, {}", account.currency),
            number: number(account).unwrap_or_default(),
        }
    }
}

/// Enough of a number to know the account by.
fn number(account: &Account) -> Option<String> {
    let known = account.identifications.first()?;
    let digits: Vec<char> = known.number.chars().collect();
    let last: String = digits.get(digits.len().saturating_sub(4)..)?.iter().collect();
    Some(match (known.scheme, digits.get(..6)) {
        (AccountScheme::SortCodeAccountNumber, Some([a, b, c, d, e, f])) => {
            format!("{a}{b}-{c}{d}-{e}{f} ending {last}")
        }
        _ => format!("ending {last}"),
    })
}

const fn sub_type(sub_type: AccountSubType) -> &'static str {
    match sub_type {
        AccountSubType::ChargeCard => "Charge card",
        AccountSubType::CreditCard => "Credit card",
        AccountSubType::CurrentAccount => "Current account",
        AccountSubType::EMoney => "E-money account",
        AccountSubType::Loan => "Loan",
        AccountSubType::Mortgage => "Mortgage",
        AccountSubType::PrePaidCard => "Prepaid card",
        AccountSubType::Savings => "Savings account",
    }
}
