//! Payments that need several authorisers: the pending ones of a customer, and the customer's decision. Source: PIS-112.
//!
//! Approval requires a one-time code that is linked to the amount and the payee; being logged in is not enough. Refusal
//! requires none.

use super::attempt::{LoginNotice, count, forgive, not_judged, wrong};
use super::{LoggedInPsu, LoggedOut, SessionError, SessionStage, SubmittedPage, alive, provider, spend_at};
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

/// A payment that several customers must agree to, as one of them sees it.
#[derive(Debug)]
pub struct PendingPayment {
    /// The order.
    pub order: Order,
    /// What its consent is about.
    pub consent: PaymentConsent,
    /// Who ordered it.
    pub client: Client,
    /// The account it is made from.
    pub account: Option<Account>,
    /// The names of those who have agreed, the first one first.
    pub agreed: Vec<String>,
    /// Whether it waits for this customer.
    pub awaits_approval: bool,
    /// Whether time to agree has run out.
    pub lapsed: bool,
    /// What it takes from the account; nothing of a file.
    pub priced: Option<PricedDebit>,
    /// Its first payments, of a file.
    pub lines: Vec<ListedFileLine>,
    /// What the bank says of the payee's name, where it was asked.
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
    /// On to the bank's identity provider, at this address; the approval is recorded when the customer comes back.
    ToProvider(String),
}

/// How a customer authenticates to approve a payment.
#[derive(Debug)]
pub enum ApprovalForm {
    /// With the one-time code that was asked for.
    Code(Challenge),
    /// At the bank's identity provider.
    AtProvider {
        /// The origin the form leads to. Source: AS-140.
        origin: String,
    },
}

/// The payments that wait for this customer, the oldest first.
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

/// One payment that is this customer's to agree to, or was; `None` if it is not. With how they
/// authenticate to approve it, if it waits for them.
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

/// A page of the payments of a file that is this customer's to agree to, or was; `None` if it is not, or has no such page.
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
    let payment = found.consent.terms.payment().cloned().ok_or_else(not_a_payment)?;
    Ok(file_lines::page(auth, &payment, page).await?.map(|lines| (payment, lines)))
}

/// The customer says yes or no. `None` if the payment is not theirs to sign.
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
                    return Ok(Some(DecisionResult::ToProvider(location)));
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
    let payment = waiting.consent.terms.payment().ok_or_else(|| OAuthError::from(not_a_payment()))?;
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

/// The browser comes back from the provider: if the customer who is logged in authenticated for this payment, the approval is
/// recorded. `None` if the payment is not theirs to sign.
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
    let session = auth.context.store.read(move |tx| Ok::<_, SessionError>(alive(tx, &digest, now)?)).await?;
    let session = session.filter(|session| session.stage == SessionStage::Open);
    let session = session.ok_or(SessionError::Unavailable(LoggedOut))?;
    let found = approvals::find_pending_approval(&auth.context, &session.psu, id).await.map_err(OAuthError::from)?;
    let Some(waiting) = found else { return Ok(None) };
    if !waiting.awaits(&session.psu) {
        return Ok(Some(DecisionResult::Decided));
    }
    let payment = waiting.consent.terms.payment().ok_or_else(|| OAuthError::from(not_a_payment()))?;
    let purpose = AuthenticationPurpose::of_payment(payment);
    match provider::finish(auth, browser, pending, &purpose, answer).await? {
        Ok(customer) if customer.psu == session.psu => {
            record(auth, &session, id, ApprovalDecision::Approve(customer.factors)).await
        }
        Ok(_) => Ok(Some(refused(auth, &session, id, wrong(LoginNotice::OtherCustomer)).await)),
        Err(notice) => Ok(Some(refused(auth, &session, id, notice).await)),
    }
}

/// Notes with the order that the customer could not be authenticated. Best effort: the authentication failed, whether that is
/// noted or not.
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

/// Judges the one-time code, which counts as a guess until it was right. Source: AS-143.
async fn authenticated(
    auth: &AuthorisationServer,
    pages: &dyn PageLogin,
    submission: &SubmittedPage,
    session: &Session,
    waiting: &PendingApproval,
    code: &str,
) -> Result<Result<Vec<AuthenticationFactor>, LoginNotice>, SessionError> {
    let counted = count(auth, auth.login_attempt(session.psu.as_str(), submission)).await?;
    let payment = waiting.consent.terms.payment().ok_or_else(|| OAuthError::from(not_a_payment()))?;
    let purpose = AuthenticationPurpose::of_payment(payment);
    let journey = code_of(&session.login, &waiting.order.id);
    match pages.check_code(&session.psu, &journey, &purpose, code).await {
        Ok(Some(factors)) => {
            forgive(auth, counted).await?;
            Ok(Ok(factors))
        }
        Ok(None) => Ok(Err(wrong(LoginNotice::WrongCode))),
        Err(error) => Err(not_judged(auth, counted, error).await),
    }
}

/// What names one payment's code to the identity provider: of this login and this order, and of nothing else.
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
    let consent = consent.terms.payment().cloned().ok_or_else(not_a_payment)?;
    let account = auth
        .context
        .bank
        .accounts(&auth.context.call, std::slice::from_ref(&order.debtor))
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
        agreed,
        lapsed,
        priced,
        lines,
        payee: None,
    }))
}
