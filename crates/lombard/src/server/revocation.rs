//! Certificate revocation lists of the authorities of TPPs. Lists are read from files and fetched from configured URLs. Source: TLS-006.
//!
//! Only configured URLs are called, never a URL that a certificate names. A list is accepted if a trust anchor has signed it. A fetched
//! list that is not accepted, or is older than the present one, changes nothing.

use super::StartError;
use super::identities::{TlsIdentities, certificates};
use super::tpp_addresses::{read_bounded, tls_client};
use crate::config::{Config, RevocationMode, parse_revocation_lists, read_revocation_lists};
use crate::output::with_causes;
use jiff::{SignedDuration, Timestamp};
use lombard_edge::listener::tls::TlsError;
use lombard_edge::listener::{ClientVerifier, UnknownRevocation};
use parking_lot::Mutex;
use reqwest::redirect::Policy;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tokio::task::JoinSet;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use x509_parser::revocation_list::CertificateRevocationList;

const FETCHES: &str = "lombard_crl_fetches_total";
const EXPIRY: &str = "lombard_crl_expiry_seconds";

/// The largest list in bytes.
const BYTES_MAX: usize = 16 * 1024 * 1024;
/// The time limit of a fetch, from the first byte sent to the last one read.
const FETCH_WITHIN: Duration = Duration::from_secs(10);
/// The time for which a list still counts after its next update, if certificates of unknown status are refused. Source: TLS-006.
const OVERDUE_MAX: SignedDuration = SignedDuration::from_hours(24);

/// The setting that names files with lists.
const FILES: &str = "tls.crl_files";

/// Fetches lists, and keeps the newest list of each URL.
#[derive(Debug)]
pub(super) struct RevocationLists {
    mode: RevocationMode,
    client: reqwest::Client,
    urls: Vec<String>,
    fetched: Mutex<BTreeMap<String, SignedList>>,
}

/// A list that a trust anchor has signed.
#[derive(Debug, Clone)]
struct SignedList {
    der: Vec<u8>,
    issued_at: Timestamp,
    next_update: Option<Timestamp>,
}

impl RevocationLists {
    /// Opens the configured lists; none of them is fetched yet.
    pub(super) fn open(config: &Config) -> Result<Self, StartError> {
        let tls = &config.tls;
        if tls.revocation == RevocationMode::Off && !config.is_sandbox() && !config.proxy.trust_verification {
            tracing::warn!("tls.revocation is off: revoked client certificates are accepted until they expire");
        }
        let client = client(config, FETCH_WITHIN)?;
        let urls = tls.crl_urls.iter().map(|url| url.as_str().to_owned()).collect();
        Ok(Self { mode: tls.revocation, client, urls, fetched: Mutex::default() })
    }

    /// Whether any lists are configured to be fetched.
    pub(super) fn are_fetched(&self) -> bool {
        self.mode != RevocationMode::Off && !self.urls.is_empty()
    }

    /// Fetches all lists; one of these anchors must have signed each list. A failed fetch is logged and counted, and the former list stays
    /// in use.
    pub(super) async fn fetch(&self, anchors: &[Vec<u8>]) {
        if !self.are_fetched() {
            return;
        }
        let mut fetches = JoinSet::new();
        for url in self.urls.clone() {
            let client = self.client.clone();
            fetches.spawn(async move {
                let answer = fetch(&client, &url).await;
                (url, answer)
            });
        }
        while let Some(Ok((url, answer))) = fetches.join_next().await {
            let outcome = match answer.and_then(|der| self.keep(&url, &der, anchors)) {
                Ok(()) => "fetched",
                Err(reason) => {
                    tracing::warn!(url, reason, "a certificate revocation list was not fetched");
                    "failed"
                }
            };
            metrics::counter!(FETCHES, "outcome" => outcome).increment(1);
        }
    }

    /// Keeps a fetched list, unless a newer one of the same URL is present.
    fn keep(&self, url: &str, bytes: &[u8], anchors: &[Vec<u8>]) -> Result<(), String> {
        let mut lists = parse_revocation_lists(bytes)?;
        let der = lists.pop().filter(|_| lists.is_empty()).ok_or("must hold one list")?;
        let list = examine(der, anchors)?;
        let mut fetched = self.fetched.lock();
        if fetched.get(url).is_some_and(|held| list.issued_at < held.issued_at) {
            return Err("is older than the list that was fetched before".to_owned());
        }
        fetched.insert(url.to_owned(), list);
        Ok(())
    }

    /// Applies the accepted lists to `identities`, newest first, because the first list of an issuer decides. Files are read again.
    ///
    /// # Errors
    /// [`StartError::File`] for a file that cannot be used.
    pub(super) fn apply(
        &self,
        identities: &mut TlsIdentities,
        config: &Config,
        now: Timestamp,
    ) -> Result<(), StartError> {
        let lists = match self.mode {
            RevocationMode::Off => Vec::new(),
            RevocationMode::Soft | RevocationMode::Hard => {
                self.in_force(&config.tls.crl_files, identities.tpp_anchors(), now)?
            }
        };
        let has_lists = !(config.tls.crl_files.is_empty() && self.urls.is_empty());
        let unknown = match self.mode {
            RevocationMode::Hard if has_lists => UnknownRevocation::Refused,
            RevocationMode::Off | RevocationMode::Soft | RevocationMode::Hard => UnknownRevocation::Accepted,
        };
        identities.refuse_revoked(lists, unknown);
        Ok(())
    }

    fn in_force(&self, files: &[PathBuf], anchors: &[Vec<u8>], now: Timestamp) -> Result<Vec<Vec<u8>>, StartError> {
        let mut lists = Vec::new();
        for file in files {
            let unusable = |reason: String| StartError::unusable_file(FILES, file, reason);
            for der in read_revocation_lists(file).map_err(unusable)? {
                lists.push(examine(der, anchors).map_err(unusable)?);
            }
        }
        // The trust anchors may have changed since the list was fetched.
        let fetched: Vec<_> = self.fetched.lock().values().cloned().collect();
        lists.extend(fetched.into_iter().filter_map(|list| examine(list.der, anchors).ok()));
        if self.mode == RevocationMode::Hard {
            lists.retain(|list| !list.is_overdue(now));
        }
        lists.sort_by_key(|list| std::cmp::Reverse(list.issued_at));
        record_expiry(&lists);
        Ok(lists.into_iter().map(|list| list.der).collect())
    }
}

impl SignedList {
    /// Whether the list's next update is so long overdue that the list no longer counts.
    fn is_overdue(&self, now: Timestamp) -> bool {
        self.next_update.is_some_and(|due| now.duration_since(due) > OVERDUE_MAX)
    }
}

/// Parses a list, and checks that one of these anchors has signed it and that handshakes can use it. The error text continues a sentence
/// that begins with the list's file or URL.
fn examine(der: Vec<u8>, anchors: &[Vec<u8>]) -> Result<SignedList, String> {
    let unreadable = || "cannot be read as a certificate revocation list".to_owned();
    let (rest, list) = CertificateRevocationList::from_der(&der).map_err(|_| unreadable())?;
    if !rest.is_empty() {
        return Err(unreadable());
    }
    let signed_by = |anchor: &Vec<u8>| {
        X509Certificate::from_der(anchor).is_ok_and(|(_, anchor)| {
            anchor.subject().as_raw() == list.issuer().as_raw() && list.verify_signature(anchor.public_key()).is_ok()
        })
    };
    if !anchors.iter().any(signed_by) {
        return Err(
            "is not signed by any of the authorities of TPPs; list its issuer in tls.tpp_anchors_file".to_owned()
        );
    }
    let at = |seconds| Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    let issued_at = at(list.last_update().timestamp());
    let next_update = list.next_update().map(|time| at(time.timestamp()));
    if let Err(error) = ClientVerifier::with_revocation(anchors, std::slice::from_ref(&der), UnknownRevocation::Refused)
    {
        return Err(format!("cannot be used ({})", with_causes(&error)));
    }
    Ok(SignedList { der, issued_at, next_update })
}

/// An HTTP client for the configured URLs, which follows no redirect and has this time limit.
pub(super) fn client(config: &Config, within: Duration) -> Result<reqwest::Client, StartError> {
    let anchors = match &config.tls.revocation_anchors_file {
        Some(file) => certificates("tls.revocation_anchors_file", file)?,
        None => Vec::new(),
    };
    let unusable = |error| StartError::Tls(TlsError::Provider(rustls::Error::General(error)));
    let client = reqwest::Client::builder().tls_backend_preconfigured(tls_client(anchors).map_err(unusable)?);
    let client = client.redirect(Policy::none()).no_proxy().timeout(within).build();
    client.map_err(|error| unusable(error.to_string()))
}

async fn fetch(client: &reqwest::Client, url: &str) -> Result<Vec<u8>, String> {
    let response = client.get(url).send().await.map_err(|error| with_causes(&error))?;
    if response.status() != http::StatusCode::OK {
        return Err(format!("it answered {}", response.status()));
    }
    read_bounded(response, BYTES_MAX).await.map_err(|error| with_causes(&*error))
}

/// Records the earliest next update of the lists as a metric.
#[expect(clippy::cast_precision_loss, reason = "seconds since 1970 are far below 2^52")]
fn record_expiry(lists: &[SignedList]) {
    if let Some(end) = lists.iter().filter_map(|list| list.next_update).min() {
        metrics::gauge!(EXPIRY).set(end.as_second() as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{
        BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa,
        KeyIdMethod, KeyPair, SerialNumber, date_time_ymd,
    };

    struct Authority(CertifiedIssuer<'static, KeyPair>);

    impl Authority {
        fn new(name: &str) -> Self {
            let mut params = CertificateParams::new(Vec::new()).unwrap();
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            params.distinguished_name.push(DnType::CommonName, name);
            Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
        }

        fn der(&self) -> Vec<u8> {
            self.0.der().to_vec()
        }

        /// The issuer's list of this day of March 2026, whose next update is on the following day.
        fn list(&self, day: u8) -> Vec<u8> {
            let params = CertificateRevocationListParams {
                this_update: date_time_ymd(2026, 3, day),
                next_update: date_time_ymd(2026, 3, day + 1),
                crl_number: SerialNumber::from(u64::from(day)),
                issuing_distribution_point: None,
                revoked_certs: Vec::new(),
                key_identifier_method: KeyIdMethod::Sha256,
            };
            params.signed_by(&self.0).unwrap().der().to_vec()
        }
    }

    fn lists(mode: RevocationMode) -> RevocationLists {
        RevocationLists {
            mode,
            client: client(&Config::from_parts("", &[]).unwrap(), FETCH_WITHIN).unwrap(),
            urls: Vec::new(),
            fetched: Mutex::default(),
        }
    }

    const AT_NOON_OF_THE_3RD: &str = "2026-03-03T12:00:00Z";

    #[test]
    fn tls_006_a_crl_counts_if_a_trust_anchor_signed_it_and_none_is_newer() {
        let (ours, namesake, other) = (Authority::new("ours"), Authority::new("ours"), Authority::new("other"));
        let anchors = [other.der(), ours.der()];
        let lists = lists(RevocationMode::Soft);
        let keep = |list: &[u8]| lists.keep("http://ca.example/list", list, &anchors);
        let in_force = || lists.in_force(&[], &anchors, AT_NOON_OF_THE_3RD.parse().unwrap()).unwrap();
        let second = ours.list(2);
        assert!(keep(&second).is_ok() && keep(&second).is_ok());
        let mut altered = ours.list(3);
        *altered.last_mut().unwrap() ^= 1;
        for (list, why) in [
            (ours.list(1), "older"),
            (namesake.list(3), "not signed"),
            (altered, "not signed"),
            (b"hello".to_vec(), "cannot be read"),
            ([ours.list(3), vec![0]].concat(), "cannot be read"),
            (Vec::new(), "cannot be read"),
        ] {
            let refused = keep(&list).unwrap_err();
            assert!(refused.contains(why), "{refused}");
            assert_eq!(in_force(), std::slice::from_ref(&second), "the former one stays");
        }
        assert!(keep(&ours.list(3)).is_ok());
        assert_eq!(in_force().len(), 1);
        // A list is no longer accepted if its authority is no longer an anchor.
        assert!(lists.in_force(&[], &[other.der()], AT_NOON_OF_THE_3RD.parse().unwrap()).unwrap().is_empty());
    }

    #[test]
    fn tls_006_a_long_overdue_crl_is_ignored_if_unknown_status_is_refused() {
        let ours = Authority::new("ours");
        for (mode, at, counts) in [
            (RevocationMode::Hard, "2026-03-04T00:00:00Z", true),
            (RevocationMode::Hard, "2026-03-04T00:00:01Z", false),
            (RevocationMode::Soft, "2027-01-01T00:00:00Z", true),
        ] {
            let lists = lists(mode);
            lists.keep("http://ca.example/list", &ours.list(2), &[ours.der()]).unwrap();
            let in_force = lists.in_force(&[], &[ours.der()], at.parse().unwrap()).unwrap();
            assert_eq!(!in_force.is_empty(), counts, "{mode:?} {at}");
        }
    }
}
