//! A pool of sessions with the token. Each call takes a session and returns it unless the call failed.

use crate::error::TokenError;
use crate::library::load_library;
use crate::login::LoginGuard;
use crate::settings::Pkcs11Settings;
use cryptoki::context::Pkcs11;
use cryptoki::object::{Attribute, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::slot::Slot;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::time::Instant;

/// The idle sessions.
#[derive(Debug)]
pub(crate) struct SessionPool {
    settings: Pkcs11Settings,
    idle: Mutex<Vec<TokenSession>>,
    login: LoginGuard,
}

/// A logged-in session, and the private keys that were found in it.
#[derive(Debug)]
pub(crate) struct TokenSession {
    pub(crate) session: Session,
    keys: BTreeMap<String, ObjectHandle>,
}

impl SessionPool {
    /// A pool without sessions.
    pub(crate) fn new(settings: Pkcs11Settings) -> Self {
        Self { settings, idle: Mutex::default(), login: LoginGuard::default() }
    }

    /// Runs work in a session. After a failure, for example because the module was restarted, the work runs once more in a new session; if
    /// that fails too, it runs again after the library was reinitialised.
    pub(crate) fn call<T>(
        &self,
        operation: &'static str,
        work: impl Fn(&mut TokenSession) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        let began = Instant::now();
        let done = self.try_call(&work).or_else(|error| match error {
            TokenError::UnknownLabel | TokenError::Login(_) => Err(error),
            TokenError::Library(_) | TokenError::NoToken => {
                self.idle.lock().clear();
                self.try_call(&work).or_else(|error| match error {
                    TokenError::Login(_) => Err(error),
                    _ if self.restart()? => self.try_call(&work),
                    error => Err(error),
                })
            }
        });
        metrics::histogram!("lombard_pkcs11_duration_seconds", "operation" => operation)
            .record(began.elapsed().as_secs_f64());
        if let Err(error) = &done {
            metrics::counter!("lombard_pkcs11_failures_total", "operation" => operation).increment(1);
            tracing::error!(error = error as &dyn std::error::Error, operation, "the security module failed");
        }
        done
    }

    fn try_call<T>(&self, work: impl Fn(&mut TokenSession) -> Result<T, TokenError>) -> Result<T, TokenError> {
        load_library(&self.settings.module_file)?.with_library(|library| {
            let idle = self.idle.lock().pop();
            let mut session = match idle {
                Some(session) => session,
                None => TokenSession::open(library, &self.settings, &self.login)?,
            };
            let done = work(&mut session)?;
            self.idle.lock().push(session);
            Ok(done)
        })
    }

    /// The reason of the last refused login, if no login has succeeded since.
    pub(crate) fn refused_login(&self) -> Option<String> {
        self.login.refusal()
    }

    /// Opens a session, and with it logs in, also after a refusal.
    pub(crate) fn log_in(&self) -> Result<(), TokenError> {
        self.login.permit();
        self.idle.lock().clear();
        self.call("login", |_| Ok(()))
    }

    fn restart(&self) -> Result<bool, TokenError> {
        load_library(&self.settings.module_file)?.restart(|| self.idle.lock().clear())
    }
}

impl TokenSession {
    fn open(library: &Pkcs11, settings: &Pkcs11Settings, login: &LoginGuard) -> Result<Self, TokenError> {
        let slot = find_token(library, &settings.token_label)?;
        let session = library.open_rw_session(slot)?;
        login.log_in(&session, &settings.read_pin)?;
        metrics::gauge!("lombard_pkcs11_sessions").increment(1);
        Ok(Self { session, keys: BTreeMap::new() })
    }

    /// Finds the private key with this label.
    pub(crate) fn private_key(&mut self, label: &str) -> Result<ObjectHandle, TokenError> {
        if let Some(key) = self.keys.get(label) {
            return Ok(*key);
        }
        let key = self.find_one(ObjectClass::PRIVATE_KEY, label)?;
        self.keys.insert(label.to_owned(), key);
        Ok(key)
    }

    /// Finds the only object with this class and label.
    pub(crate) fn find_one(&self, class: ObjectClass, label: &str) -> Result<ObjectHandle, TokenError> {
        let template = [Attribute::Class(class), Attribute::Label(label.as_bytes().to_vec())];
        match self.session.find_objects(&template)?.as_slice() {
            [object] => Ok(*object),
            _ => Err(TokenError::UnknownLabel),
        }
    }
}

impl Drop for TokenSession {
    fn drop(&mut self) {
        metrics::gauge!("lombard_pkcs11_sessions").decrement(1);
    }
}

/// Finds the slot of the token with this label.
fn find_token(library: &Pkcs11, label: &str) -> Result<Slot, TokenError> {
    for slot in library.get_slots_with_token()? {
        if library.get_token_info(slot).is_ok_and(|token| token.label() == label) {
            return Ok(slot);
        }
    }
    Err(TokenError::NoToken)
}
