//! Payments that need several authorisers: lists a customer's pending payments and processes the customer's decision. Source: PIS-112.
//!
//! Approval requires a one-time code that is linked to the amount and the payee; being logged in is not enough. Refusal
//! requires none.

use super::attempt::{LoginNotice, count, not_checked, uncount, wrong};
use super::{LoggedInPsu, LoggedOut, SessionError, SessionStage, SubmittedPage, find_live_session, provider, spend_at};
use crate::AuthorisationServer;
use crate::authorisation::journey::price;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::file_lines::{self, FileLinesPage, ListedFileLine};
use crate::payee_answer::check_payee;
use crate::provider_login::{self, LoginTarget, NewLogin, PendingProviderLogin};
use lombard_domain::account::Account;
use lombard_domain::client::Client;
use lombard_domain::consent::PaymentConsent;
use lombard_domain::ids::{JourneyId, OrderId, PsuId};
use lombard_domain::payment::order::{Order, PayeeConfirmation};
use lombard_domain::refusal::RefusalKind;
use lombard_domain::session::Session;
use lombard_ports::identity::{
    AuthenticationFactor, AuthenticationPurpose, Challenge, LoginMethod, PageLogin, ProviderAnswer, RedirectLogin,
};
use lombard_service::Failure;
use lombard_service::payments::approvals::{self, ApprovalDecision, PendingApproval};
use lombard_service::payments::consents::PricedDebit;

/// A payment that several customers must approve, as one of them sees it.
#[derive(Debug)]
pub struct PendingPayment {
    /// The payment order.
    pub order: Order,
    /// The consent of the order.
    pub consent: PaymentConsent,
    /// The client that ordered it.
    pub client: Client,
    /// The account that the payment is made from.
    pub account: Option<Account>,
    /// The names of the customers who have approved, the first one first.
    pub approved_by: Vec<String>,
    /// Whether the payment waits for this customer's approval.
    pub awaits_approval: bool,
    /// Whether the time for approvals has run out.
    pub lapsed: bool,
    /// The amount that the payment debits from the account; `None` for a file.
    pub debit: Option<PricedDebit>,
    /// The first payments of a file; empty for other payments.
    pub lines: Vec<ListedFileLine>,
    /// The result of Confirmation of Payee, if the bank was asked.
    pub payee: Option<PayeeConfirmation>,
}

/// The decision of an authoriser on a payment.
#[derive(Clone, PartialEq, Eq)]
pub enum PaymentDecision {
    /// Approves, with the one-time code that was requested; it is empty where customers authenticate at the identity provider.
    Approve(String),
    /// Declines; the order is rejected.
    Decline,
}

impl std::fmt::Debug for PaymentDecision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Approve(_) => "Approve(…)",
            Self::Decline => "Decline",
        })
    }
}

/// The result of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionResult {
    /// The payment is decided, by this customer or by another who was faster; its page shows the result.
    Decided,
    /// The page is shown again with this notice.
    Retry(LoginNotice),
    /// The browser is sent to the bank's identity provider, at this address; the approval is recorded when the customer returns.
    RedirectToProvider(String),
}

/// How a customer authenticates to approve a payment.
#[derive(Debug)]
pub enum ApprovalForm {
    /// The customer enters the one-time code of this challenge.
    Code(Challenge),
    /// The customer authenticates at the bank's identity provider.
    AtProvider {
        /// The origin the form leads to. Source: AS-140.
        origin: String,
    },
}

/// Lists the payments that wait for this customer, the oldest first.
///
/// # Errors
/// The bank's, the identity provider's or storage's failure.
pub async fn list_pending_payments(
    auth: &AuthorisationServer,
    customer: &LoggedInPsu,
) -> Result<Vec<PendingPayment>, OAuthError> {
    let mut payments = Vec::new();
    for waiting in approvals::list_pending_approvals(&auth.context, &customer.psu).await? {
        payments.extend(view_payment(auth, &customer.psu, waiting).await?.filter(|payment| payment.awaits_approval));
    }
    Ok(payments)
}

/// Finds a payment that this customer may decide on or could have decided on; `None` for any other payment. Also returns how the customer
/// authenticates to approve it, if it waits for the customer.
///
/// # Errors
/// The bank's, the identity provider's or storage's failure.
pub async fn find_pending_payment(
    auth: &AuthorisationServer,
    customer: &LoggedInPsu,
    id: &OrderId,
) -> Result<Option<(PendingPayment, Option<ApprovalForm>)>, OAuthError> {
    let Some(found) = approvals::find_pending_approval(&auth.context, &customer.psu, id).await? else {
        return Ok(None);
    };
    let consent = found.consent.clone();
    let Some(mut payment) = Box::pin(view_payment(auth, &customer.psu, found)).await? else { return Ok(None) };
    if !payment.awaits_approval {
        return Ok(Some((payment, None)));
    }
    let asking = auth.about(&payment.client, &consent, Some(&customer.psu));
    payment.payee = check_payee(&asking, &customer.psu, &payment.consent.terms.instruction).await;
    let form = match auth.identity.login_method() {
        LoginMethod::Pages(pages) => {
            let (journey, purpose) =
                (code_of(&customer.login, id), AuthenticationPurpose::of_payment(&payment.consent));
            pages.request_code(&customer.psu, &journey, &purpose).await.map(ApprovalForm::Code)
        }
        LoginMethod::Redirect(provider) => provider.origin().await.map(|origin| ApprovalForm::AtProvider { origin }),
    };
    Ok(Some((payment, Some(form.map_err(OAuthError::unavailable)?))))
}

/// Reads a page of the payments of a file that this customer may decide on or could have decided on; `None` for any other file, or if there
/// is no such page.
///
/// # Errors
/// The bank's or storage's failure.
pub async fn list_payment_lines(
    auth: &AuthorisationServer,
    customer: &LoggedInPsu,
    id: &OrderId,
    page: u32,
) -> Result<Option<(PaymentConsent, FileLinesPage)>, OAuthError> {
    let Some(found) = approvals::find_pending_approval(&auth.context, &customer.psu, id).await? else {
        return Ok(None);
    };
    let payment = found.consent.request.payment().cloned().ok_or_else(not_a_payment)?;
    Ok(file_lines::page(auth, &payment, page).await?.map(|lines| (payment, lines)))
}

/// Processes the customer's decision. `None` if the customer is not an authoriser of the payment.
///
/// # Errors
/// [`SessionError`]
pub async fn decide_payment(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    id: &OrderId,
    answer: &PaymentDecision,
) -> Result<Option<DecisionResult>, SessionError> {
    let session = spend_at(auth, submission, SessionStage::Open).await?;
    let found = approvals::find_pending_approval(&auth.context, &session.psu, id).await.map_err(OAuthError::from)?;
    let Some(waiting) = found else { return Ok(None) };
    let say = match answer {
        _ if !waiting.awaits(&session.psu) => return Ok(Some(DecisionResult::Decided)),
        PaymentDecision::Decline => ApprovalDecision::Decline,
        PaymentDecision::Approve(code) => {
            let pages = match auth.identity.login_method() {
                LoginMethod::Pages(pages) => pages,
                LoginMethod::Redirect(provider) => {
                    let location = start_approval(auth, provider, submission, &session, &waiting).await?;
                    return Ok(Some(DecisionResult::RedirectToProvider(location)));
                }
            };
            match authenticated(auth, pages, submission, &session, &waiting, code).await? {
                Ok(factors) => ApprovalDecision::Approve(factors),
                Err(notice) => return Ok(Some(refused(auth, &session, id, notice).await)),
            }
        }
    };
    record(auth, &session, id, say).await
}

/// Sends the browser to the provider, for the purpose of this payment.
async fn start_approval(
    auth: &AuthorisationServer,
    provider: &dyn RedirectLogin,
    submission: &SubmittedPage,
    session: &Session,
    waiting: &PendingApproval,
) -> Result<String, SessionError> {
    let payment = waiting.consent.request.payment().ok_or_else(|| OAuthError::from(not_a_payment()))?;
    let new = NewLogin {
        target: LoginTarget::Approval(waiting.order.id.clone()),
        subject: format!("approval/{}", code_of(&session.login, &waiting.order.id)),
        browser: &submission.browser,
        purpose: &AuthenticationPurpose::of_payment(payment),
        hint: Some(&session.psu),
        expires_at: session.idle_at.min(session.ends_at),
    };
    let (login, location) = provider_login::start(auth, provider, new).await?;
    auth.context.store.write(move |tx| Ok::<_, SessionError>(tx.provider_login_insert(&login)?)).await?;
    Ok(location)
}

/// Handles the browser's return from the provider. If the logged-in customer authenticated for this payment, the approval is recorded.
/// `None` if the customer is not an authoriser of the payment.
///
/// # Errors
/// [`SessionError`]
pub async fn finish_approval(
    auth: &AuthorisationServer,
    browser: &BrowserSecret,
    id: &OrderId,
    pending: &PendingProviderLogin,
    answer: &ProviderAnswer,
) -> Result<Option<DecisionResult>, SessionError> {
    let (digest, now) = (browser.digest(), auth.context.clocks.wall_now());
    let session =
        auth.context.store.read(move |tx| Ok::<_, SessionError>(find_live_session(tx, &digest, now)?)).await?;
    let session = session.filter(|session| session.stage == SessionStage::Open);
    let session = session.ok_or(SessionError::Unavailable(LoggedOut))?;
    let found = approvals::find_pending_approval(&auth.context, &session.psu, id).await.map_err(OAuthError::from)?;
    let Some(waiting) = found else { return Ok(None) };
    if !waiting.awaits(&session.psu) {
        return Ok(Some(DecisionResult::Decided));
    }
    let payment = waiting.consent.request.payment().ok_or_else(|| OAuthError::from(not_a_payment()))?;
    let purpose = AuthenticationPurpose::of_payment(payment);
    match provider::finish(auth, browser, pending, &purpose, answer).await? {
        Ok(customer) if customer.psu == session.psu => {
            record(auth, &session, id, ApprovalDecision::Approve(customer.factors)).await
        }
        Ok(_) => Ok(Some(refused(auth, &session, id, wrong(LoginNotice::OtherCustomer)).await)),
        Err(notice) => Ok(Some(refused(auth, &session, id, notice).await)),
    }
}

/// Stores with the order that the customer could not be authenticated. A failure to store this is ignored, because the authentication
/// failed in any case.
async fn refused(auth: &AuthorisationServer, session: &Session, id: &OrderId, notice: LoginNotice) -> DecisionResult {
    if let Err(error) = approvals::record_failed_approval(&auth.context, &session.psu, id).await {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(order.id = id.as_str(), error, "a failed approval was not noted with its order");
    }
    DecisionResult::Retry(notice)
}

async fn record(
    auth: &AuthorisationServer,
    session: &Session,
    id: &OrderId,
    say: ApprovalDecision,
) -> Result<Option<DecisionResult>, SessionError> {
    let is_approved = say != ApprovalDecision::Decline;
    match approvals::record_approval_decision(&auth.context, &session.psu, id, say).await {
        Ok(order) => {
            let client = order.client.as_str();
            tracing::info!(
                client.id = client,
                order.id = order.id.as_str(),
                is_approved,
                "a further authoriser decided"
            );
            Ok(Some(DecisionResult::Decided))
        }
        Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::ConsentState => {
            Ok(Some(DecisionResult::Decided))
        }
        Err(Failure::Refused(_)) => Ok(None),
        Err(failure) => Err(SessionError::Failed(failure.into())),
    }
}

/// Checks the one-time code. The attempt counts as a failure until the code proves correct. Source: AS-143.
async fn authenticated(
    auth: &AuthorisationServer,
    pages: &dyn PageLogin,
    submission: &SubmittedPage,
    session: &Session,
    waiting: &PendingApproval,
    code: &str,
) -> Result<Result<Vec<AuthenticationFactor>, LoginNotice>, SessionError> {
    let counted = count(auth, auth.login_attempt(session.psu.as_str(), submission)).await?;
    let payment = waiting.consent.request.payment().ok_or_else(|| OAuthError::from(not_a_payment()))?;
    let purpose = AuthenticationPurpose::of_payment(payment);
    let journey = code_of(&session.login, &waiting.order.id);
    match pages.check_code(&session.psu, &journey, &purpose, code).await {
        Ok(Some(factors)) => {
            uncount(auth, counted).await?;
            Ok(Ok(factors))
        }
        Ok(None) => Ok(Err(wrong(LoginNotice::WrongCode))),
        Err(error) => Err(not_checked(auth, counted, error).await),
    }
}

/// The identifier of the code of one payment for the identity provider, derived from this login and this order.
fn code_of(login: &JourneyId, order: &OrderId) -> JourneyId {
    let material = format!("approval\n{}\n{}", login.as_str(), order.as_str());
    JourneyId::new(lombard_jose::base64url(&lombard_jose::sha256(material.as_bytes()).0))
}

fn not_a_payment() -> Failure {
    Failure::Broken("an order whose consent is not to a payment".into())
}

async fn view_payment(
    auth: &AuthorisationServer,
    psu: &PsuId,
    waiting: PendingApproval,
) -> Result<Option<PendingPayment>, OAuthError> {
    let awaits_approval = waiting.awaits(psu);
    let PendingApproval { order, consent } = waiting;
    let client = order.client.clone();
    let Some(client) = auth.context.store.read(move |tx| tx.client(&client)).await? else { return Ok(None) };
    let auth = &auth.about(&client, &consent, Some(psu));
    let consent = consent.request.payment().cloned().ok_or_else(not_a_payment)?;
    let account = auth
        .context
        .bank
        .list_accounts(&auth.context.call, std::slice::from_ref(&order.debtor))
        .await
        .map_err(Failure::from)?
        .pop();
    let mut agreed = Vec::new();
    for psu in order.approvals.iter().flat_map(|approvals| &approvals.received) {
        let person = auth.identity.find_person(psu).await.map_err(OAuthError::unavailable)?;
        agreed.extend(person.map(|person| person.name));
    }
    let told = PaymentConsent { conditions: order.conditions.clone(), ..consent.clone() };
    let priced = match &account {
        Some(account) => price(auth, &told, account.currency).await?,
        None => None,
    };
    let lines = file_lines::first(auth, &consent).await?;
    let now = auth.context.clocks.bank_now();
    let lapsed = order.approvals.as_ref().is_some_and(|approvals| approvals.is_lapsed(now));
    Ok(Some(PendingPayment {
        awaits_approval: awaits_approval && !lapsed,
        order,
        consent,
        client,
        account,
        approved_by: agreed,
        lapsed,
        debit: priced,
        lines,
        payee: None,
    }))
}
