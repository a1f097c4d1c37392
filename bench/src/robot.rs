//! The TPP of the load: the sandbox's `robot`, with its certificate and trust anchors.

use crate::load::Target;
use crate::result::BenchResult;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{Entropy, IdGenerator};
use lombard_tpp::{IssuedTokens, TlsIdentity, Tpp, TppFolder};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use std::path::Path;
use std::sync::Arc;

/// What the load reads with.
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

/// The machine's randomness.
#[derive(Debug)]
struct Random;

impl Entropy for Random {
    fn fill_random(&self, buffer: &mut [u8]) {
        lombard_jose::SystemEntropy.fill(buffer);
    }
}

/// Ids as the machine's randomness and clock make them.
pub(crate) fn random_ids() -> IdGenerator {
    IdGenerator::new(Arc::new(Random), Clocks::system())
}

fn anchors(data: &Path) -> BenchResult<Vec<CertificateDer<'static>>> {
    Ok(CertificateDer::pem_file_iter(data.join("ca.pem"))?.collect::<Result<_, _>>()?)
}

/// The robot of a running server.
#[derive(Debug)]
pub(crate) struct Robot {
    pub(crate) tpp: Tpp,
    anchors: Vec<CertificateDer<'static>>,
}

impl Robot {
    pub(crate) fn open(data: &Path) -> BenchResult<Self> {
        Self::open_named(data, "robot")
    }

    /// Another TPP that is answered at once.
    pub(crate) fn open_named(data: &Path, name: &str) -> BenchResult<Self> {
        let tpp = Tpp::open(data, name, Clocks::system(), random_ids(), None)?;
        Ok(Self { tpp, anchors: anchors(data)? })
    }

    /// What its connections trust and show, whether or not a server runs.
    pub(crate) fn credentials(data: &Path) -> BenchResult<(Vec<CertificateDer<'static>>, TlsIdentity)> {
        Ok((anchors(data)?, TppFolder::read_folder(&data.join("tpps/robot"))?.identity))
    }

    /// Connections to the API, or to a floor with the same certificates.
    pub(crate) async fn connect(&self, base: &str) -> BenchResult<Target> {
        Target::connect(base, &self.anchors, &self.tpp.folder.identity).await
    }

    /// So many connections to the API.
    pub(crate) async fn connect_few(&self, base: &str, count: usize) -> BenchResult<Target> {
        Target::connect_few(base, &self.anchors, &self.tpp.folder.identity, count).await
    }

    /// A token of the TPP's own.
    pub(crate) async fn own_token(&self) -> BenchResult<String> {
        Ok(self.tpp.client_credentials("accounts").await?.access_token)
    }

    /// A token on a consent of amelia's with all her accounts.
    pub(crate) async fn token(&self) -> BenchResult<String> {
        self.token_of(&self.consent().await?).await
    }

    /// A consent that waits to be authorised.
    pub(crate) async fn consent(&self) -> BenchResult<String> {
        Ok(self.tpp.consent_create(&self.own_token().await?, &PERMISSIONS).await?)
    }

    /// A token on such a consent, authorised by amelia with all her accounts.
    pub(crate) async fn token_of(&self, consent: &str) -> BenchResult<String> {
        let request = self.tpp.authorisation(consent, "accounts").await?;
        let channel = self.tpp.authorise_headless(&request).await?;
        let (code, _) = channel.expect_code(&request.state)?;
        Ok(IssuedTokens::from_exchange(self.tpp.exchange_code(code).await?)?.access_token)
    }

    /// The account with this nickname.
    pub(crate) async fn account(&self, token: &str, nickname: &str) -> BenchResult<String> {
        let answer = self.tpp.get(token, "aisp/accounts").await?.json()?;
        let accounts = answer.pointer("/Data/Account").and_then(|it| it.as_array()).ok_or("no accounts")?;
        let named = accounts.iter().find(|it| it["Nickname"] == nickname).ok_or("the account is not shared")?;
        Ok(named["AccountId"].as_str().unwrap_or_default().to_owned())
    }
}
