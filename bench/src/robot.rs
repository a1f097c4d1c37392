//! The TPP that sends the load: the sandbox's `robot`, with its certificate and trust anchors.

use crate::load::Target;
use crate::result::BenchResult;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{Entropy, IdGenerator};
use lombard_tpp::{IssuedTokens, TlsIdentity, Tpp, TppFolder};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use std::path::Path;
use std::sync::Arc;

/// The permissions of the load's consents.
pub(crate) const PERMISSIONS: [&str; 11] = [
    "ReadAccountsDetail",
    "ReadBalances",
    "ReadBeneficiariesDetail",
    "ReadDirectDebits",
    "ReadOffers",
    "ReadScheduledPaymentsDetail",
    "ReadStandingOrdersDetail",
    "ReadStatementsDetail",
    "ReadTransactionsDetail",
    "ReadTransactionsCredits",
    "ReadTransactionsDebits",
];

/// The machine's random number generator.
#[derive(Debug)]
struct Random;

impl Entropy for Random {
    fn fill_random(&self, buffer: &mut [u8]) {
        lombard_jose::SystemEntropy.fill(buffer);
    }
}

/// Generates ids from the machine's random number generator and clock.
pub(crate) fn random_ids() -> IdGenerator {
    IdGenerator::new(Arc::new(Random), Clocks::system())
}

fn anchors(data: &Path) -> BenchResult<Vec<CertificateDer<'static>>> {
    Ok(CertificateDer::pem_file_iter(data.join("ca.pem"))?.collect::<Result<_, _>>()?)
}

/// The TPP `robot` of a running server.
#[derive(Debug)]
pub(crate) struct Robot {
    pub(crate) tpp: Tpp,
    anchors: Vec<CertificateDer<'static>>,
}

impl Robot {
    pub(crate) fn open(data: &Path) -> BenchResult<Self> {
        Self::open_named(data, "robot")
    }

    /// Opens another headless TPP.
    pub(crate) fn open_named(data: &Path, name: &str) -> BenchResult<Self> {
        let tpp = Tpp::open(data, name, Clocks::system(), random_ids(), None)?;
        Ok(Self { tpp, anchors: anchors(data)? })
    }

    /// The trust anchors and the client certificate of its connections. A server need not run.
    pub(crate) fn credentials(data: &Path) -> BenchResult<(Vec<CertificateDer<'static>>, TlsIdentity)> {
        Ok((anchors(data)?, TppFolder::read_folder(&data.join("tpps/robot"))?.identity))
    }

    /// Opens connections to the API, or to a floor with the same certificates.
    pub(crate) async fn connect(&self, base: &str) -> BenchResult<Target> {
        Target::connect(base, &self.anchors, &self.tpp.folder.identity).await
    }

    /// Opens this many connections to the API.
    pub(crate) async fn connect_few(&self, base: &str, count: usize) -> BenchResult<Target> {
        Target::connect_few(base, &self.anchors, &self.tpp.folder.identity, count).await
    }

    /// A client credentials token.
    pub(crate) async fn own_token(&self) -> BenchResult<String> {
        Ok(self.tpp.client_credentials("accounts").await?.access_token)
    }

    /// A token for a consent of amelia with all her accounts.
    pub(crate) async fn token(&self) -> BenchResult<String> {
        self.token_of(&self.consent().await?).await
    }

    /// Creates a consent that awaits authorisation.
    pub(crate) async fn consent(&self) -> BenchResult<String> {
        Ok(self.tpp.consent_create(&self.own_token().await?, &PERMISSIONS).await?)
    }

    /// A token for this consent, which amelia authorises with all her accounts.
    pub(crate) async fn token_of(&self, consent: &str) -> BenchResult<String> {
        let request = self.tpp.new_authorisation_request(consent, "accounts").await?;
        let channel = self.tpp.authorise_headless(&request).await?;
        let (code, _) = channel.expect_code(&request.state)?;
        Ok(IssuedTokens::from_exchange(self.tpp.exchange_code(code).await?)?.access_token)
    }

    /// The id of the account with this nickname.
    pub(crate) async fn account(&self, token: &str, nickname: &str) -> BenchResult<String> {
        let answer = self.tpp.get(token, "aisp/accounts").await?.json()?;
        let accounts = answer.pointer("/Data/Account").and_then(|it| it.as_array()).ok_or("no accounts")?;
        let named = accounts.iter().find(|it| it["Nickname"] == nickname).ok_or("the account is not shared")?;
        Ok(named["AccountId"].as_str().unwrap_or_default().to_owned())
    }
}
