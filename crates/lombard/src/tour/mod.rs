//! The tour: a TPP that uses the bank over mutual TLS. It prints each request, its status and its duration, and checks every
//! response against the standard.
//!
//! The tour is only a client. It reads the TPP's folder and `endpoints.json`, calls the running server, and saves a fetched statement in
//! that folder. It must neither access the server's database nor call its code.

mod access;
mod accounts;
mod checks;
mod events;
mod file;
mod funds;
mod international;
mod names;
mod options;
mod outcome;
mod payments;
mod report;
mod revocation;
mod run;
mod scheduled_payment;
mod statements;
mod transactions;
mod vrp;
mod vrp_migration;

pub use options::TourOptions;
pub use outcome::{TourEnding, TourError};

use access::{ACCOUNTS, GrantedAccess};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::TppError;
use report::TourReport;
use run::Tour;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Runs the tour on the machine's clock, reporting to standard output.
///
/// # Errors
/// [`TourError`] if a step fails or a response violates the standard.
pub async fn run_tour(options: TourOptions) -> Result<TourEnding, TourError> {
    let clocks = Clocks::system();
    let ids = IdGenerator::new(Arc::new(crate::entropy::SystemEntropy), clocks.clone());
    let colours = std::io::IsTerminal::is_terminal(&std::io::stdout());
    run_with(&options, clocks, ids, &mut std::io::stdout(), colours).await
}

/// Runs the tour with these clocks and ids, reporting to `out`.
///
/// # Errors
/// The errors of [`run_tour`].
pub async fn run_with(
    options: &TourOptions,
    clocks: Clocks,
    ids: IdGenerator,
    out: &mut (dyn Write + Send),
    colours: bool,
) -> Result<TourEnding, TourError> {
    let name = if options.browser { "acme" } else { "robot" };
    let report = TourReport::new(out, colours);
    let opened = Tour::open(&options.data_dir, name, options.version, clocks, ids, report);
    let mut tour = opened.map_err(|error| TourError::of_first_step(&options.data_dir, error))?;
    tour.report.title(&format!("Touring {} as {name} through {}", tour.tpp.endpoints.mtls, options.version.segment()));
    let ending = tour.play(options, &options.data_dir.join("tpps").join(name)).await;
    tour.report_exchanges();
    let (checks, faults) = tour.report.close(ending.is_ok())?;
    match ending? {
        _ if faults > 0 => Err(TourError::Faults { faults, checks }),
        ending => Ok(ending),
    }
}

impl Tour<'_> {
    async fn play(&mut self, options: &TourOptions, folder: &Path) -> Result<TourEnding, TourError> {
        self.discover().await.map_err(|error| TourError::of_first_step(&options.data_dir, error))?;
        let own_token = self.own_token().await?;
        let Some(access) = self.access(options, &own_token).await? else {
            return Ok(TourEnding::InBrowser);
        };
        if access.pays {
            self.pay_agreed(options, &access).await?;
            return Ok(TourEnding::Complete);
        }
        self.check(access.lasts, "account access has a refresh token (AS-093)");
        let mut accounts = self.accounts(&access).await?;
        self.balances(&access, &mut accounts).await?;
        self.transactions(&access, &accounts).await?;
        self.statements(&access, &accounts, folder).await?;
        self.events(&own_token, &access).await?;
        let paid_from = self.payments(options, &access, &accounts).await?;
        if let Some(number) = paid_from.as_deref().filter(|_| !options.browser) {
            self.confirm_funds(number).await?;
        }
        self.revoke_access(&own_token, &access).await?;
        Ok(if paid_from.is_some() { TourEnding::Complete } else { TourEnding::InBrowser })
    }

    /// Obtains an authorised consent from a headless TPP or a person; `None` if the person has not finished. A person's result may be for
    /// account information or for a payment.
    async fn access(&mut self, options: &TourOptions, own_token: &str) -> Result<Option<GrantedAccess>, TppError> {
        if let Some(code) = &options.code {
            return self.access_from(code, None, None).await.map(Some);
        }
        let consent = self.consent(own_token).await?;
        if !options.browser {
            return self.authorise_headless(&consent, ACCOUNTS).await.map(Some);
        }
        self.authorise_by_person(&consent, ACCOUNTS).await
    }
}
