//! Handles forms that are submitted twice, by a double click or because the first response was lost. For some seconds the second submission
//! gets the response of the first and has no effect.
//!
//! A form is identified by the browser's secret, its address and all its fields, the form token included. Only forms
//! that can act are recorded: those that hold the token of a page that was shown to the browser. A response is
//! encrypted, because it may hold the browser's next secret and an authorisation code. The browser's old secret alone
//! gives access to neither. Source: AS-141, AS-144.

use crate::AuthorisationServer;
use crate::error::OAuthError;
use crate::portal;
use crate::sessions;
use crate::submission::{FORM_LIFETIME, SubmittedPage, answer_repeated_until};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_domain::ids::JourneyId;
use lombard_ports::store::{FormRecord, ServerTransaction, StoreError};

/// The time allowed to process a form. After that the form counts as lost, and the next submission is processed anew.
const ANSWER_WITHIN: SignedDuration = SignedDuration::from_secs(60);

/// The journey or session that the page of a form belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormOwner {
    /// The page belongs to an authorisation journey.
    Journey(JourneyId),
    /// The page belongs to the login or the session of a customer at the bank.
    Session,
    /// The page belongs to the login of a developer, by a link with this secret.
    PortalLogin(String),
    /// The page belongs to the session of a developer.
    Portal,
}

/// A form that a browser has sent.
#[derive(Debug, Clone)]
pub struct SubmittedForm {
    owner: FormOwner,
    page: SubmittedPage,
    digest: Digest,
}

/// The state of a form that a browser has sent.
#[derive(Debug)]
pub enum FormState {
    /// The form can have no effect: it holds no token of a page of this browser, or its journey or session has ended.
    Ineffective,
    /// The form was not sent before.
    New,
    /// The form was sent before and is being processed.
    Pending,
    /// The form was answered recently, with this response.
    Answered(Vec<u8>),
    /// The form was answered, and the response is no longer stored.
    Spent,
}

impl SubmittedForm {
    /// A form that was sent to a path with these fields.
    pub fn new<'a>(
        owner: FormOwner,
        page: SubmittedPage,
        path: &str,
        fields: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let digest = page.browser.digest_form(path, fields);
        Self { owner, page, digest }
    }

    /// The digest of the browser's secret, which identifies the session for rate limits.
    pub fn browser_digest(&self) -> Digest {
        self.page.browser.digest()
    }

    /// Whether a logged-in developer has sent the form.
    pub fn is_of_developer(&self) -> bool {
        self.owner == FormOwner::Portal
    }

    fn context(&self) -> String {
        format!("form_answers answer {}", lombard_jose::base64url(&self.digest.0))
    }

    /// Whether the form holds a valid token, so that it can have an effect.
    fn has_power(&self, tx: &mut dyn ServerTransaction, now: Timestamp) -> Result<bool, StoreError> {
        let (page, browser) = (&self.page, &self.page.browser);
        Ok(match &self.owner {
            FormOwner::Journey(id) => {
                let journey = tx.journey_for_update(id)?;
                journey.is_some_and(|it| browser.owns(&it) && page.holds(&it.form_token))
            }
            FormOwner::Session => {
                let session = sessions::find_live_session(tx, &browser.digest(), now)?;
                page.holds_salted(&sessions::NO_SESSION) || session.is_some_and(|it| page.holds(&it.form_token))
            }
            FormOwner::PortalLogin(secret) => match portal::link_digest(secret) {
                Some(link) if page.holds(&portal::NO_SESSION) => {
                    tx.portal_link(&link)?.is_some_and(|link| link.is_alive(now))
                }
                Some(_) | None => false,
            },
            FormOwner::Portal => {
                let session = tx.portal_session(&browser.digest())?.filter(|it| it.is_alive(now));
                session.is_some_and(|it| portal::is_form_token(browser, &it.form_token, &page.form_token, now))
            }
        })
    }
}

/// Looks up the state of a form.
///
/// # Errors
/// Storage's failure.
pub async fn find_form(auth: &AuthorisationServer, form: &SubmittedForm) -> Result<FormState, OAuthError> {
    let (looked_up, now) = (form.clone(), auth.context.clocks.wall_now());
    let found =
        auth.context.store.read::<_, StoreError, _>(move |tx| match tx.form_record(&looked_up.digest, now)? {
            Some(record) => Ok((Some(record), true)),
            None => Ok((None, looked_up.has_power(tx, now)?)),
        });
    Ok(match found.await? {
        (None, false) => FormState::Ineffective,
        (None, true) => FormState::New,
        (Some(FormRecord::Pending), _) => FormState::Pending,
        (Some(FormRecord::Answered { sealed, repeated_until }), _) => {
            let is_kept = !sealed.is_empty() && now < repeated_until;
            let opened = is_kept.then(|| auth.sealer.open_secret(&sealed, form.context().as_bytes()).ok()).flatten();
            opened.map_or(FormState::Spent, |answer| FormState::Answered(answer.to_vec()))
        }
    })
}

/// Claims a new form for processing; `false` if another request has claimed it meanwhile.
///
/// # Errors
/// Storage's failure.
pub async fn claim_form(auth: &AuthorisationServer, form: &SubmittedForm) -> Result<bool, OAuthError> {
    let (digest, now) = (form.digest, auth.context.clocks.wall_now());
    let until = now.saturating_add(ANSWER_WITHIN).map_err(OAuthError::server_error)?;
    Ok(auth.context.store.write::<_, StoreError, _>(move |tx| tx.form_claim(&digest, now, until)).await?)
}

/// Stores the response to a claimed form, if it is to be repeated. A form of the portal that `acted` is recorded as sent for as long as its
/// token is valid; the tokens of other forms are used up in any case.
///
/// # Errors
/// Storage's failure, or the cryptographic library's.
pub async fn keep_form_answer(
    auth: &AuthorisationServer,
    form: &SubmittedForm,
    answer: Option<&[u8]>,
    acted: bool,
) -> Result<(), OAuthError> {
    let sealed = match answer {
        Some(answer) => auth.sealer.seal_secret(answer, form.context().as_bytes()).map_err(OAuthError::server_error)?,
        None => Vec::new(),
    };
    let (digest, now) = (form.digest, auth.context.clocks.wall_now());
    let repeated_until = answer_repeated_until(now);
    let expires_at = match form.owner {
        FormOwner::Portal if acted => now.saturating_add(FORM_LIFETIME).map_err(OAuthError::server_error)?,
        _ => repeated_until,
    };
    let form = form.clone();
    let keep = move |tx: &mut dyn ServerTransaction| {
        // A journey replaces the token of a form that it has accepted. While the token stays valid, the same form is a new decision, as
        // after the warning that the account lacks the money.
        if !acted && matches!(form.owner, FormOwner::Journey(_)) && form.has_power(tx, now)? {
            return tx.form_release(&digest);
        }
        tx.form_answer_put(&digest, &sealed, repeated_until, expires_at)
    };
    Ok(auth.context.store.write::<_, StoreError, _>(keep).await?)
}

/// Releases a claimed form that had no effect, so that the next submission is processed anew.
///
/// # Errors
/// Storage's failure.
pub async fn release_form(auth: &AuthorisationServer, form: &SubmittedForm) -> Result<(), OAuthError> {
    let digest = form.digest;
    Ok(auth.context.store.write::<_, StoreError, _>(move |tx| tx.form_release(&digest)).await?)
}
