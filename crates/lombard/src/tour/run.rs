//! A tour in progress: its TPP and its report.

use super::names::VersionNames;
use super::report::TourReport;
use crate::ops_client::OpsClient;
use lombard_domain::version::Version;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::{ExchangeObserver, HttpExchange, Tpp, TppError};
use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;

/// A tour in progress.
pub(super) struct Tour<'a> {
    pub(super) tpp: Tpp,
    /// The ops listener of the running server.
    pub(super) ops: OpsClient,
    /// The names in the version that the tour calls.
    pub(super) names: VersionNames,
    /// The exchanges not yet reported.
    exchanges: Arc<Mutex<Vec<HttpExchange>>>,
    pub(super) report: TourReport<'a>,
}

impl<'a> Tour<'a> {
    /// Starts a tour with the TPP of this name, whose folder is in the data folder of the running server.
    pub(super) fn open(
        data_dir: &Path,
        name: &str,
        version: Version,
        clocks: Clocks,
        ids: IdGenerator,
        report: TourReport<'a>,
    ) -> Result<Self, TppError> {
        let exchanges = Arc::new(Mutex::new(Vec::new()));
        let tpp = Tpp::open(data_dir, name, clocks, ids, Some(observer(&exchanges)))?.with_version(version);
        let ops = OpsClient::of_sandbox(data_dir, &tpp.endpoints.ops);
        let ops = ops.map_err(|error| TppError::Answer(format!("the ops listener: {error}")))?;
        Ok(Self { tpp, ops, names: VersionNames::of(version), exchanges, report })
    }

    /// Selects the version that the tour calls from now on.
    pub(super) fn use_version(&mut self, version: Version) {
        self.tpp = self.tpp.with_version(version);
        self.names = VersionNames::of(version);
    }

    /// Reports the exchanges since the last call.
    pub(super) fn report_exchanges(&mut self) {
        for exchange in std::mem::take(&mut *self.exchanges.lock()) {
            self.report.exchange(&exchange);
        }
    }

    /// Begins a step.
    pub(super) fn step(&mut self, title: &str) {
        self.report_exchanges();
        self.report.step(title);
    }

    /// Reports a fact of the present step.
    pub(super) fn fact(&mut self, fact: &str) {
        self.report_exchanges();
        self.report.fact(fact);
    }

    /// Reports the result of a check against the standard.
    pub(super) fn check(&mut self, holds: bool, what: &str) {
        self.report_exchanges();
        self.report.check(holds, what);
    }
}

fn observer(exchanges: &Arc<Mutex<Vec<HttpExchange>>>) -> ExchangeObserver {
    let exchanges = Arc::clone(exchanges);
    ExchangeObserver::new(move |exchange| exchanges.lock().push(exchange.clone()))
}
