//! Operator actions on the signing keys, on a running server or on the database if no server runs.

use super::StartError;
use super::acts::log_record;
use super::blocking::blocking;
use super::certificate_request::write_request;
use super::operation_errors::{failed, refused};
use super::operations::Operator;
use super::secrets::reseal_installation_secret;
use super::signing::{generate_key, key_active_from, make_key};
use jiff::{SignedDuration, Timestamp};
use lombard_auth::keys::{KeyImport, KeyState, KeysError, ListedKey, PUBLISHED_BEFORE_USE, ResealedKeys, Retirement};
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::KeyId;
use lombard_domain::staff::StaffAct;
use lombard_jose::{KeyError, SigningKey};
use lombard_ops::{
    KeyCertificateView, KeyImportCommand, KeyListView, KeyRequestCommand, KeyRequestView, KeyRetirementCommand,
    KeyRetirementView, KeyRotated, KeyView, KeyWithdrawn, OperationError, SecretsResealed,
};
use lombard_ports::store::StoreError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::sync::Arc;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

impl Operator {
    /// Lists all signing keys, oldest first.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn list_keys(&self) -> Result<KeyListView, OperationError> {
        let keys = self.core_services().keys.list_keys().await.map_err(failed)?;
        Ok(KeyListView { keys: keys.into_iter().map(view).collect() })
    }

    /// Creates a certificate request for a key. Without a key id, it first creates a new key, which waits for its certificate. Source:
    /// AS-007.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such key; [`OperationError::Failed`].
    pub async fn key_request(
        &self,
        act: &StaffAct,
        order: KeyRequestCommand,
    ) -> Result<KeyRequestView, OperationError> {
        let keys = &self.core_services().keys;
        let mut is_recorded = false;
        let kid = match order.kid {
            Some(kid) => kid,
            None => {
                let key = make_key(self.core_services()).await.map_err(failed)?;
                let record = self.audit().record_of(act, AuditAction::KeysCsr, "");
                let kid = keys.acting(record).add_waiting_key(key).await.map_err(failed)?;
                is_recorded = true;
                kid
            }
        };
        let key = Arc::clone(&keys.find_key(&kid).map_err(not_changed)?.key);
        let subject = Arc::clone(&self.core_services().request_subject);
        let request = blocking(move || write_request(&subject, &key)).await.map_err(failed)?;
        let record = self.audit().record_of(act, AuditAction::KeysCsr, kid.as_str());
        if is_recorded {
            log_record(&record);
        } else {
            self.audit().write_act(act, AuditAction::KeysCsr, kid.as_str()).await?;
        }
        Ok(KeyRequestView { kid, request: request.map_err(failed)? })
    }

    /// Imports a certificate, the directory's id of a key, or a key. In a sandbox, a key without a certificate gets one from the sandbox's
    /// directory. Source: AS-007, AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with the fault of the import, and nothing is changed; [`OperationError::Failed`].
    pub async fn key_import(&self, act: &StaffAct, order: KeyImportCommand) -> Result<KeyView, OperationError> {
        let KeyImportCommand { kid, certificate, private_key, label } = order;
        let mut chain = certificate.as_deref().map(certificates).transpose()?.unwrap_or_default();
        let key = match (private_key, label) {
            (None, None) => None,
            (Some(pem), None) => {
                let key = SigningKey::from_pkcs8_pem(&pem);
                Some(key.map_err(|error| refused(format!("the private key is {error}")))?)
            }
            (None, Some(label)) => {
                let module = self.core_services().security_module.as_ref().ok_or_else(|| refused(NO_MODULE))?;
                Some(module.find_key(label).await.map_err(not_found)?)
            }
            (Some(_), Some(_)) => {
                return Err(refused("a private key is in a file or in the security module, not in both"));
            }
        };
        if let (Some(key), Some(sandbox), true) = (&key, self.sandbox(), chain.is_empty()) {
            chain = sandbox.seal(key, self.stored().2).map_err(failed)?;
        }
        let keys = &self.core_services().keys;
        let record = self.audit().record_of(act, AuditAction::KeysImport, "");
        let acting = keys.acting(record.clone());
        let kid = acting.import_key(KeyImport { kid, chain, key }).await.map_err(not_changed)?;
        log_record(&AuditRecord { target: kid.as_str().to_owned(), ..record });
        let listed = keys.list_keys().await.map_err(failed)?.into_iter().find(|key| key.kid == kid);
        listed.map(view).ok_or_else(|| refused(UNKNOWN))
    }

    /// Encrypts every stored secret with the current key-encryption key: the signing keys, and the installation's secret, from which all
    /// other keys are derived. Other nodes can use the secrets meanwhile.
    ///
    /// # Errors
    /// [`OperationError::Failed`]; secrets that were encrypted again stay so, and a repeated call completes the work.
    pub async fn keys_reseal(&self, act: &StaffAct) -> Result<SecretsResealed, OperationError> {
        let services = self.core_services();
        let secret = reseal_installation_secret(&services.store, &services.sealer).await.map_err(failed)?;
        let ResealedKeys { resealed, unchanged, unopened } = services.keys.reseal_keys().await.map_err(failed)?;
        let of_secret = usize::from(secret);
        let resealed = resealed.saturating_add(of_secret);
        let unchanged = unchanged.saturating_add(1_usize.saturating_sub(of_secret));
        tracing::info!(secrets.resealed = resealed, secrets.unopened = unopened.len(), "secrets sealed again");
        self.audit().write_act(act, AuditAction::KeysReseal, "").await?;
        Ok(SecretsResealed { resealed, unchanged, unopened })
    }

    /// Logs in to the security module, also after it refused the PIN.
    ///
    /// # Errors
    /// [`OperationError::Refused`] without a security module, or with what the module refused.
    pub async fn keys_login(&self, act: &StaffAct) -> Result<(), OperationError> {
        let module = self.core_services().security_module.as_ref().ok_or_else(|| refused(NO_MODULE))?;
        module.log_in().await.map_err(refused)?;
        self.audit().write_act(act, AuditAction::KeysLogin, "").await
    }

    /// Plans when the active key stops signing. If no other key is announced, a new one is. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if the key is not active, or the time is too early; [`OperationError::Failed`].
    pub async fn key_retire(
        &self,
        act: &StaffAct,
        kid: &KeyId,
        order: KeyRetirementCommand,
    ) -> Result<KeyRetirementView, OperationError> {
        let at = order.at.as_deref().map(str::parse::<Timestamp>).transpose();
        let at = at.map_err(|_| refused("the moment must be written as 2027-01-31T22:00:00Z"))?;
        let record = self.audit().record_of(act, AuditAction::KeysRetire, kid.as_str());
        let keys = self.core_services().keys.acting(record.clone());
        let (successor, at) = match keys.retire_key(kid, at).await.map_err(not_changed)? {
            Retirement::Planned { successor, at } => (successor, at),
            Retirement::NoSuccessor { at } => {
                let (key, chain) = generate_key(self.core_services(), self.sandbox()).await.map_err(failed)?;
                let until_then = at.duration_since(self.stored().2);
                (keys.add_key(key, chain, until_then).await.map_err(failed)?, at)
            }
        };
        log_record(&record);
        Ok(KeyRetirementView { kid: kid.clone(), until: at.to_string(), successor })
    }

    /// Adds a signing key, which becomes active after the overlap. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn keys_rotate(&self, act: &StaffAct) -> Result<KeyRotated, OperationError> {
        let (key, chain) = generate_key(self.core_services(), self.sandbox()).await.map_err(failed)?;
        let record = self.audit().record_of(act, AuditAction::KeysRotate, "");
        let keys = self.core_services().keys.acting(record.clone());
        let kid = keys.add_key(key, chain, PUBLISHED_BEFORE_USE).await.map_err(failed)?;
        log_record(&AuditRecord { target: kid.as_str().to_owned(), ..record });
        let active_from = key_active_from(self.core_services(), &kid).await.map_err(failed)?;
        Ok(KeyRotated { active_from: active_from.map(|at| at.to_string()).unwrap_or_default(), kid })
    }

    /// Withdraws a compromised signing key at once. If it is the active key, the announced key becomes active now, or else a new one.
    /// Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such key; [`OperationError::Failed`]. If the new key was added but the old one was not
    /// withdrawn, a repeated call completes the withdrawal.
    pub async fn key_withdraw(&self, act: &StaffAct, kid: &KeyId) -> Result<KeyWithdrawn, OperationError> {
        let keys = &self.core_services().keys;
        keys.refresh_keys().await.map_err(failed)?;
        let is_active = keys.active_key().is_ok_and(|active| keys.ids_of_key(kid).contains(active.key.id()));
        // The new key is added before the old one is withdrawn, so that there is always an active key.
        if is_active && !keys.has_successor(kid) {
            let (key, chain) = generate_key(self.core_services(), self.sandbox()).await.map_err(failed)?;
            keys.add_key(key, chain, SignedDuration::ZERO).await.map_err(failed)?;
        }
        let record = self.audit().record_of(act, AuditAction::KeysWithdraw, kid.as_str());
        keys.acting(record.clone()).withdraw_key(kid).await.map_err(not_changed)?;
        log_record(&record);
        let signs_now = keys.active_key().map_err(failed)?.key.id().clone();
        Ok(KeyWithdrawn { kid: kid.clone(), signs_now })
    }
}

const UNKNOWN: &str = "there is no signing key with this id";

const NO_MODULE: &str = "no security module is configured: set signing.pkcs11_module_file";

/// The error for a key that the security module does not provide.
fn not_found(error: StartError) -> OperationError {
    match error {
        StartError::Key(error @ KeyError::UnknownLabel) => refused(error.to_string()),
        error => failed(error),
    }
}

/// The error for a change that was not made.
fn not_changed(error: KeysError) -> OperationError {
    match error {
        KeysError::Unknown(_) => refused(UNKNOWN),
        KeysError::Refused(refusal) => refused(refusal.to_string()),
        KeysError::Store(StoreError::Duplicate(_)) => refused("the kid belongs to another signing key"),
        error => failed(error),
    }
}

/// Parses the certificates of a PEM text to DER.
fn certificates(pem: &str) -> Result<Vec<Vec<u8>>, OperationError> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    let certificates = read.map_err(|error| refused(format!("the certificates cannot be read as PEM ({error})")))?;
    if certificates.is_empty() {
        return Err(refused("there is no certificate in the file; convert it to PEM"));
    }
    Ok(certificates.into_iter().map(|der| der.to_vec()).collect())
}

fn view(key: ListedKey) -> KeyView {
    let (state, signs_from, until) = match key.state {
        KeyState::Waiting => ("waiting", None, None),
        KeyState::Announced { signs_from } => ("announced", Some(signs_from), None),
        KeyState::Signing { until } => ("signing", None, until),
        KeyState::Verifying { until } => ("verifying", None, Some(until)),
        KeyState::Unusable => ("unusable", None, None),
    };
    KeyView {
        kid: key.kid,
        origin: key.origin.code().to_owned(),
        label: key.label,
        state: state.to_owned(),
        signs_from: signs_from.map(|at| at.to_string()),
        until: until.map(|at| at.to_string()),
        certificate: key.chain.first().and_then(|leaf| certificate_view(leaf)),
    }
}

fn certificate_view(der: &[u8]) -> Option<KeyCertificateView> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let not_after = Timestamp::from_second(certificate.validity().not_after.timestamp()).unwrap_or(Timestamp::MAX);
    Some(KeyCertificateView {
        subject: certificate.subject().to_string(),
        serial: certificate.raw_serial_as_string(),
        not_after: not_after.to_string(),
    })
}
