//! `lombard connector`: commands for a team that connects its core.

use super::error::CommandError;
use crate::config::{CoreConnection, read_certificates, read_private_key};
use crate::entropy::SystemEntropy;
use crate::output::print_line;
use clap::{Args, Subcommand};
use lombard_connector::check::{CheckOptions, CheckedPromise, PromiseOutcome, check_core};
use lombard_connector::{ConnectorSettings, CoreIdentity};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{AgreedRate, CurrencyPair};
use lombard_ports::bank::contract::ExchangeFacts;
use lombard_ports::clock::Clocks;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The maximum number of characters that are printed of a request or a response.
const SEEN_LENGTH_MAX: usize = 2_000;

#[derive(Debug, Subcommand)]
pub(super) enum ConnectorCommand {
    /// Check every promise of the core API against a core, and name those that it breaks. Only reads, unless --write is given. Use a
    /// core that no server is connected to.
    Check(CheckCore),
}

#[derive(Debug, Args)]
pub(super) struct CheckCore {
    /// The core file: JSON with url, ca, certificate and key, as `lombard bank serve` writes it.
    #[arg(long, value_name = "FILE", required_unless_present = "url", conflicts_with_all = ["url", "ca", "certificate", "key"])]
    core_file: Option<PathBuf>,
    /// The address of the core, instead of a core file.
    #[arg(long, value_name = "URL", requires_all = ["ca", "certificate", "key"])]
    url: Option<Url>,
    /// The authorities (PEM) of the core's certificate.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// The certificate chain (PEM) to show to the core.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Its private key (PEM, PKCS#8).
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// A customer with at least two accounts that have entries.
    #[arg(long, value_name = "ID")]
    customer: String,
    /// An account that is closed or blocked; may be repeated.
    #[arg(long, value_name = "ID")]
    closed: Vec<String>,
    /// The sort code and account number that orders are paid to.
    #[arg(long, value_name = "NUMBER", default_value = "20304012345678")]
    payee: String,
    /// A rate that the core has agreed with the customer: its contract, the payer's currency, the currency of transfer and the rate,
    /// as "FX-2026-17 GBP EUR 1.17". Foreign exchange is not checked without one.
    #[arg(long, value_name = "DEAL", value_parser = read_deal)]
    deal: Option<ExchangeFacts>,
    /// Submit orders too, of 1.00 pound each, and acknowledge their status updates.
    #[arg(long)]
    write: bool,
    /// How many seconds an order may take to its end.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u64,
}

pub(super) async fn run(ConnectorCommand::Check(command): ConnectorCommand) -> Result<(), CommandError> {
    let settings = command.settings()?;
    let options = CheckOptions {
        customer: PsuId::from(command.customer),
        closed: command.closed.into_iter().map(BankAccountId::from).collect(),
        payee: command.payee,
        exchange: command.deal,
        writes: command.write,
        order_time_max: Duration::from_secs(command.wait),
    };
    let mut counts = CheckCounts::default();
    let parts = (Clocks::system(), Arc::new(SystemEntropy) as _);
    check_core(settings, &options, parts, &mut |promise| {
        counts.add(&promise);
        print_line(&describe(&promise));
    })
    .await?;
    let CheckCounts { kept, broken, not_checked } = counts;
    print_line(&format!("{kept} promises kept, {broken} broken, {not_checked} not checked"));
    if broken == 0 { Ok(()) } else { Err(CommandError::BrokenPromises(broken)) }
}

/// Parses the facts about foreign exchange from an agreed rate. `XTS` serves as a currency that no core exchanges.
fn read_deal(text: &str) -> Result<ExchangeFacts, &'static str> {
    let facts = || {
        let mut words = text.rsplitn(4, ' ');
        let rate = words.next()?;
        let transfer = words.next()?;
        let unit = words.next()?;
        let contract = words.next().filter(|it| !it.is_empty())?.to_owned();
        let unit: Currency = unit.parse().ok()?;
        let pair = |transfer: &str| Some(CurrencyPair { unit, transfer: transfer.parse().ok()? });
        let deal = AgreedRate { rate: rate.parse().ok()?, contract };
        Some(ExchangeFacts { pair: pair(transfer)?, deal, unknown: pair("XTS")? })
    };
    facts().ok_or("not a contract, two currencies and a rate, such as \"FX-2026-17 GBP EUR 1.17\"")
}

impl CheckCore {
    fn settings(&self) -> Result<ConnectorSettings, CommandError> {
        let refused = |file: &Path| {
            let file = file.to_owned();
            move |reason| CommandError::CoreFile(file, reason)
        };
        if let Some(file) = &self.core_file {
            let core = CoreConnection::from_core_file(file).map_err(refused(file))?;
            let url = Url::parse(&core.url).map_err(|error| refused(file)(error.to_string()))?;
            let identity = CoreIdentity { chain: core.chain.clone(), key: Arc::new(core.private_key().into()) };
            return Ok(ConnectorSettings::new(url, core.anchors, identity));
        }
        // The command line is refused unless it names all four.
        let [ca, certificate, key] = [&self.ca, &self.certificate, &self.key].map(|it| it.clone().unwrap_or_default());
        let Some(url) = self.url.clone() else { return Err(refused(&ca)("no core is named".to_owned())) };
        let anchors = read_certificates(&ca).map_err(refused(&ca))?;
        let chain = read_certificates(&certificate).map_err(refused(&certificate))?;
        let key = read_private_key(&key).map_err(refused(&key))?;
        Ok(ConnectorSettings::new(url, anchors, CoreIdentity { chain, key: Arc::new(key.into()) }))
    }
}

#[derive(Debug, Default)]
struct CheckCounts {
    kept: usize,
    broken: usize,
    not_checked: usize,
}

impl CheckCounts {
    fn add(&mut self, promise: &CheckedPromise) {
        let count = match promise.outcome {
            PromiseOutcome::Fulfilled => &mut self.kept,
            PromiseOutcome::Violated { .. } => &mut self.broken,
            PromiseOutcome::NotChecked(_) => &mut self.not_checked,
        };
        *count = count.saturating_add(1);
    }
}

/// Formats a checked promise as one line. A broken promise is printed with its request and response.
fn describe(promise: &CheckedPromise) -> String {
    let name = promise.name;
    match &promise.outcome {
        PromiseOutcome::Fulfilled => format!("kept         {name}"),
        PromiseOutcome::NotChecked(reason) => format!("not checked  {name} ({reason})"),
        PromiseOutcome::Violated { seen, exchange } => {
            let seen: String = seen.chars().take(SEEN_LENGTH_MAX).collect();
            let mut text = format!("BROKEN       {name}\n  promise    {}\n  seen       {seen}", promise.about);
            if let Some(it) = exchange {
                text.push_str(&format!("\n  request    {} {}", it.method, it.request));
                text.push_str(&format!("\n  answer     {} {}", it.status, it.answer));
            }
            text
        }
    }
}
