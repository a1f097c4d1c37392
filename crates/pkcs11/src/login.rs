//! Logins to the token. A PIN that the token refused is not tried again, because a token locks after a few failed logins.

use crate::error::TokenError;
use crate::settings::ReadPin;
use cryptoki::error::{Error, RvError};
use cryptoki::session::{Session, UserType};
use cryptoki::types::AuthPin;
use parking_lot::Mutex;
use zeroize::Zeroizing;

/// The state of logins: the PIN that was refused, if the last login was.
#[derive(Default)]
pub(crate) struct LoginGuard(Mutex<Option<RefusedPin>>);

/// A PIN that the token refused.
struct RefusedPin {
    pin: Zeroizing<String>,
    reason: String,
}

impl std::fmt::Debug for LoginGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoginGuard").finish_non_exhaustive()
    }
}

impl LoginGuard {
    /// Logs a session in. Sessions log in one after the other, so that several threads cannot try a wrong PIN at the same time.
    ///
    /// # Errors
    /// [`TokenError::Login`] for a PIN that is refused or was refused before; the token's other failures.
    pub(crate) fn log_in(&self, session: &Session, read_pin: &ReadPin) -> Result<(), TokenError> {
        let mut refused = self.0.lock();
        let pin = read_pin().map_err(TokenError::Login)?;
        if let Some(refused) = refused.as_ref().filter(|refused| refused.pin == pin) {
            return Err(TokenError::Login(refused.reason.clone()));
        }
        let login = session.login(UserType::User, Some(&AuthPin::from(pin.to_string())));
        let outcome = match &login {
            Ok(()) => "accepted",
            Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => "logged_in",
            Err(error) if is_refusal(error) => "refused",
            Err(_) => "failed",
        };
        metrics::counter!("lombard_pkcs11_logins_total", "outcome" => outcome).increment(1);
        match login {
            // All sessions of a process are logged in together.
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {
                *refused = None;
                Ok(())
            }
            Err(error) if is_refusal(&error) => {
                let reason = error.to_string();
                tracing::error!(
                    reason,
                    "the security module refused the PIN; no further login is attempted until the PIN is replaced or \
                     an operator runs `lombard keys login`"
                );
                *refused = Some(RefusedPin { pin, reason: reason.clone() });
                Err(TokenError::Login(reason))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The reason of the last refusal, if no login has succeeded since.
    pub(crate) fn refusal(&self) -> Option<String> {
        self.0.lock().as_ref().map(|refused| refused.reason.clone())
    }

    /// Permits another login with the refused PIN.
    pub(crate) fn permit(&self) {
        *self.0.lock() = None;
    }
}

/// Whether the token counts this failure of a login, or will not accept the PIN whatever happens. Source: PKCS #11 v3.0 section 5.6.8.
fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::Pkcs11(
            RvError::PinIncorrect
                | RvError::PinInvalid
                | RvError::PinLenRange
                | RvError::PinExpired
                | RvError::PinLocked,
            _
        )
    )
}
