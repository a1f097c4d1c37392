//! The decision pages: what a customer is asked to approve, and which accounts can be selected.

use super::access::{ends, period};
use super::frame::PageFrame;
use super::journey_view::{JourneyPageView, RequestedAccess};
use super::money;
use super::notice::NoticeText;
use super::order_plans::PlanChoices;
use super::parties::AccountView;
use super::payment::{CostView, LineView, PayeeCheck, PaymentSummaryView, PaymentTimeView, RateCertainty};
use super::permissions::{PermissionGroup, groups};
use super::text;
use askama::Template;
use lombard_auth::authorisation::journey::{PayerOption, PaymentFindings, SelectableAccount};
use lombard_auth::file_lines::ListedFileLine;
use lombard_domain::consent::{Consent, ConsentState, DecisionEvidence, PaymentConsent};
use lombard_domain::payment::order::{Instruction, PayeeFinding};
use lombard_edge::app::payment_warnings::{PaymentWarning, WarnedPayment};

#[derive(Template)]
#[template(path = "decision.html")]
pub(super) struct DecisionPage<'a> {
    pub frame: PageFrame<'a>,
    pub journey: JourneyPageView,
    pub notice: Option<NoticeText>,
    pub name: String,
    pub again: bool,
    pub groups: Vec<PermissionGroup>,
    pub transactions: Option<String>,
    pub ends: String,
    pub accounts: Vec<AccountCard>,
}

#[derive(Template)]
#[template(path = "payment/decision.html")]
pub(super) struct PaymentPage<'a> {
    pub frame: PageFrame<'a>,
    pub journey: JourneyPageView,
    pub notice: Option<NoticeText>,
    pub name: String,
    pub payment: PaymentSummaryView,
    /// The result of Confirmation of Payee.
    pub check: Option<PayeeCheck>,
    /// The warnings that apply to this payment.
    pub warnings: Vec<&'a PaymentWarning>,
    /// Whether the consent was approved before and is confirmed again.
    pub again: bool,
    /// The first payments, if the consent is for a file.
    pub lines: Vec<LineView>,
    /// The path of the pages that list all payments of the file.
    pub pages: String,
    pub sources: Vec<PayerCard>,
    /// Whether the application named the account, so that no other can be selected.
    pub named: bool,
    /// The time by which all customers must approve, if the application sets one. Source: PIS-110.
    pub agree_by: Option<String>,
    /// The information that the application receives about the payment.
    pub learns: Vec<&'static str>,
    /// The plan that testers can select; `None` outside a sandbox.
    pub plan: Option<PlanChoices>,
}

#[derive(Template)]
#[template(path = "funds/decision.html")]
pub(super) struct FundsPage<'a> {
    pub frame: PageFrame<'a>,
    pub journey: JourneyPageView,
    pub notice: Option<NoticeText>,
    pub name: String,
    pub again: bool,
    pub ends: String,
    /// The account that the consent names; `None` if the account no longer belongs to the customer.
    pub account: Option<AccountCard>,
}

/// The texts of the parts that all decision pages share (`decide.html`).
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

    fn is_all_chosen(&self) -> bool {
        self.accounts.iter().all(|account| account.preselected)
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
        "Allow this application to check whether there is enough money?"
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
    /// The evidence of what the page shows: the given finding about the payee's name, and the warnings. It is empty if there is nothing to
    /// decide.
    pub(super) fn evidence(&self, payee: Option<PayeeFinding>) -> DecisionEvidence {
        if self.sources.is_empty() {
            return DecisionEvidence::default();
        }
        let warnings = self.warnings.iter().map(|warning| warning.heading.clone()).collect();
        DecisionEvidence { payee, warnings }
    }

    /// The time of an immediate payment, in words.
    fn orders(&self) -> String {
        format!("When {} submits the payment", self.journey.who.software)
    }

    const fn question(&self) -> &'static str {
        self.payment.question()
    }

    fn yes(&self) -> String {
        self.payment.approve_label()
    }

    const fn has_nothing(&self) -> bool {
        self.sources.is_empty()
    }

    const fn never(&self) -> &'static [&'static str] {
        self.payment.excluded_actions()
    }
}

/// An account from which the customer can pay, as a card of the page.
pub(super) struct PayerCard {
    pub row: AccountCard,
    /// The amount that is available now.
    pub available: String,
    pub suffices: bool,
    /// The other customers who must approve, if there are any. Source: PIS-112.
    pub others: Option<String>,
    /// The cost of the payment from this account, if the cost depends on the account.
    pub cost: Option<CostView>,
}

/// An account as a card of the page.
pub(super) struct AccountCard {
    pub handle: String,
    pub name: String,
    pub kind: String,
    pub number: String,
    pub preselected: bool,
    /// The balance, if the page shows it.
    pub balance: Option<String>,
}

/// The data that the page of a payment shows in addition to its consent.
#[derive(Debug, Default)]
pub(super) struct PaymentView<'a> {
    /// The accounts from which the customer can pay.
    pub means: Vec<PayerOption>,
    /// The first payments, if the consent is for a file.
    pub lines: Vec<ListedFileLine>,
    /// The findings about the payee and about earlier payments.
    pub known: PaymentFindings,
    /// All configured warnings.
    pub warnings: &'a [PaymentWarning],
}

/// Builds the decision page for a payment; `None` if the consent is not for a payment.
pub(super) fn paying<'a>(
    frame: PageFrame<'a>,
    journey: JourneyPageView,
    notice: Option<NoticeText>,
    name: &str,
    consent: &Consent,
    view: PaymentView<'a>,
) -> Option<PaymentPage<'a>> {
    let asked = consent.request.payment()?;
    let RequestedAccess::Payment(payment) = journey.requested.clone() else { return None };
    let PaymentView { means, lines, known, warnings } = view;
    let payment = payment.estimated(known.in_pounds.as_ref());
    let warned = warned_payment(asked, &means, &known);
    let pages = format!("/interaction/{}/file", journey.id);
    Some(PaymentPage {
        frame,
        journey,
        notice,
        name: text::name(name),
        again: consent.state != ConsentState::AwaitingAuthorisation,
        check: known.payee.as_ref().map(PayeeCheck::of),
        warnings: warnings.iter().filter(|warning| warning.is_about(&warned)).collect(),
        lines: lines.iter().map(LineView::of).collect(),
        pages,
        sources: means.into_iter().map(|means| source(means, asked, &payment)).collect(),
        named: asked.named_debtor().is_some(),
        agree_by: asked.terms.authorisation.complete_by.map(super::times::moment),
        learns: learns(asked),
        plan: None,
        payment,
    })
}

/// The facts by which warnings are selected: the amounts of the consent, and the amount that each account would be debited.
fn warned_payment(consent: &PaymentConsent, means: &[PayerOption], known: &PaymentFindings) -> WarnedPayment {
    let asked = match &consent.terms.instruction {
        Instruction::Transfer(transfer) => vec![transfer.amount],
        Instruction::File(_) => consent.file.as_ref().map(|file| file.totals.by_currency.clone()).unwrap_or_default(),
        Instruction::Vrp(terms) => vec![terms.controls.individual],
    };
    let priced = means.iter().filter_map(|means| means.debit.as_ref()).chain(known.in_pounds.as_ref());
    WarnedPayment {
        amounts: asked.into_iter().chain(priced.map(|priced| priced.total_debit.amount())).collect(),
        purpose: consent.terms.context,
        is_new_payee: known.is_new_payee,
    }
}

/// The information that the application receives about a payment. Source: PIS-082, PIS-096, PIS-099, VRP-019.
fn learns(consent: &PaymentConsent) -> Vec<&'static str> {
    let product = consent.terms.product();
    let mut learns = vec!["That you agreed, and the status of the payment"];
    if product.reuses_consents() {
        learns.push("The name and the number of the account you pay from");
        learns.push("Whether there is enough money for a payment, as yes or no, whenever it asks");
        return learns;
    }
    learns.push("The name of the account holder");
    if product.confirms_funds() {
        learns.push("Whether there is enough money for it, as yes or no");
    }
    if consent.terms.refund {
        learns.push("The number of the account you pay from, to be able to pay you back");
    }
    learns
}

fn source(means: PayerOption, consent: &PaymentConsent, payment: &PaymentSummaryView) -> PayerCard {
    let PayerOption { offered, available, suffices, authorisers, others, debit: priced } = means;
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
    let cost = cost.map(|priced| CostView::of(&priced, &consent.conditions.charges));
    PayerCard { row: row(offered), available: money::format_signed_amount(available), suffices, others, cost }
}

/// Builds the decision page for access to account information.
pub(super) fn sharing<'a>(
    frame: PageFrame<'a>,
    journey: JourneyPageView,
    notice: Option<NoticeText>,
    name: &str,
    consent: &Consent,
    accounts: Vec<SelectableAccount>,
) -> DecisionPage<'a> {
    let access = consent.request.account_access();
    DecisionPage {
        frame,
        journey,
        notice,
        name: text::name(name),
        again: consent.state != ConsentState::AwaitingAuthorisation,
        groups: access.map(|access| groups(access.permissions)).unwrap_or_default(),
        transactions: access.and_then(period),
        ends: ends(consent),
        accounts: accounts.into_iter().map(row).collect(),
    }
}

/// Builds the decision page for funds confirmations. Source: CBP-008, CBP-034.
pub(super) fn asking<'a>(
    frame: PageFrame<'a>,
    journey: JourneyPageView,
    notice: Option<NoticeText>,
    name: &str,
    consent: &Consent,
    account: Option<SelectableAccount>,
) -> FundsPage<'a> {
    FundsPage {
        frame,
        journey,
        notice,
        name: text::name(name),
        again: consent.state != ConsentState::AwaitingAuthorisation,
        ends: ends(consent),
        account: account.map(row),
    }
}

fn row(offered: SelectableAccount) -> AccountCard {
    let SelectableAccount { handle, account, preselected, balance } = offered;
    let AccountView { name, kind, number } = AccountView::of(&account);
    AccountCard { handle, name, kind, number, preselected, balance: balance.map(money::format_signed_amount) }
}
