//! Other people's servers beside Lombard, in one run: mocks that answer one balance, a provider that issues tokens, and a
//! hand-made server that takes payments.
//!
//! All are measured as the other benchmarks are: the same client, mutual TLS, kept connections, processor time of the server
//! with everything it started, in alternating rounds. A peer that cannot do mutual TLS is measured as it is, which favours it;
//! none is asked to check a token, and none but the server of payments keeps anything. What cannot be installed is named and left
//! out. Not part of a run of all benchmarks.

mod install;
mod programs;

use crate::compare::{Pairs, cost};
use crate::figure::Figure;
use crate::load::{CONNECTIONS, PreparedRequest, Target};
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use crate::{payments, tokens};
use install::Package;
use programs::{Peer, PeerFolders};
use serde_json::Value;
use std::path::Path;

/// Reads of each connection in a round.
const READS: usize = 400;
/// Rounds that warm both sides up: what compiles while it runs needs many requests.
const WARM_UP_READS: usize = 4;
const WARM_UP: usize = 2;
/// The least that Lombard's speed shall be, as a multiple of a mock's, of the token provider's and of the payment server's.
const MOCK_SPEED_MIN: f64 = 2.5;
const TOKEN_SPEED_MIN: f64 = 3.0;
const PAYMENT_SPEED_MIN: f64 = 1.5;

const WIREMOCK: Package = Package { name: "wiremock", package: "wiremock", native: None, server: None };
const PRISM: Package = Package { name: "prism", package: "@stoplight/prism-cli", native: None, server: None };
const MOCKOON: Package = Package { name: "mockoon", package: "@mockoon/cli", native: None, server: None };
const OIDC_PROVIDER: Package =
    Package { name: "oidc-provider", package: "oidc-provider", native: None, server: Some("server.mjs") };
const EXPRESS: Package =
    Package { name: "express", package: "express", native: Some("better-sqlite3"), server: Some("server.mjs") };

/// All of them.
const PACKAGES: [Package; 5] = [WIREMOCK, PRISM, MOCKOON, OIDC_PROVIDER, EXPRESS];

/// Measures those that can be installed and answer, or the one of this name. Prism needs the folder `openapi` of the standard.
pub(crate) async fn run(
    program: &Path,
    rounds: usize,
    spec: Option<&Path>,
    only: Option<&str>,
) -> BenchResult<Vec<Figure>> {
    let mut figures = Vec::new();
    let wanted: Vec<_> = PACKAGES.into_iter().filter(|package| only.is_none_or(|name| package.name == name)).collect();
    if wanted.is_empty() {
        return Err(format!("the peers are {:?}", PACKAGES.map(|package| package.name)).into());
    }
    for package in wanted {
        let started = Comparison::start(program, package, rounds, spec).await;
        let measured = match started {
            Ok(comparison) => comparison.measure(rounds).await,
            Err(failure) => Err(failure),
        };
        match measured {
            Ok(figure) => figures.push(figure),
            Err(failure) => println!("PEER {} IS NOT MEASURED: {failure}", package.name),
        }
    }
    Ok(figures)
}

/// What both sides are asked in a round, one list of requests for each connection.
#[derive(Debug, Clone)]
struct RoundRequests {
    theirs: Vec<Vec<PreparedRequest>>,
    ours: Vec<Vec<PreparedRequest>>,
}

impl RoundRequests {
    fn same(requests: Vec<Vec<PreparedRequest>>) -> Self {
        Self { theirs: requests.clone(), ours: requests }
    }
}

/// A peer and Lombard, and what they are asked.
struct Comparison {
    package: Package,
    peer: Peer,
    lombard: Lombard,
    robot: Robot,
    least: f64,
    warm_up: usize,
    /// The requests of each round, warm-up included; those of reads are the same each time.
    requests: PeerWork,
    _folders: [tempfile::TempDir; 2],
}

/// The requests of all rounds.
enum PeerWork {
    /// The same in each round.
    Repeated(RoundRequests),
    /// Tokens, asked for by assertions that are made before each round.
    Tokens,
    /// Orders of payments, prepared beforehand, a round's at each end.
    Payments(Vec<Vec<Vec<PreparedRequest>>>),
}

impl Comparison {
    async fn start(program: &Path, package: Package, rounds: usize, spec: Option<&Path>) -> BenchResult<Self> {
        let installed = package.install().await?;
        let (data, work) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let settings = payments::settings(data.path());
        let lombard = Lombard::start_with(program, data.path(), &settings).await?;
        let robot = Robot::open(data.path())?;
        let folders = PeerFolders { data: data.path(), installed: &installed, work: work.path() };
        let (peer, requests, least, warm_up) = match package.name {
            "oidc-provider" => (folders.oidc_provider(&robot).await?, PeerWork::Tokens, TOKEN_SPEED_MIN, WARM_UP),
            "express" => {
                let mut prepared = Vec::new();
                for _ in 0..rounds + WARM_UP {
                    prepared.push(payments::orders(&robot).await?);
                }
                let peer = folders.express(&robot, &consents(&prepared)?).await?;
                (peer, PeerWork::Payments(prepared), PAYMENT_SPEED_MIN, WARM_UP)
            }
            name => {
                let read = robot.balances(&robot.token().await?).await?;
                let answer = robot.connect_few(&lombard.endpoints.mtls, 1).await?.ask(&read).await?;
                let mut asked = read.clone();
                let peer = match name {
                    "wiremock" => folders.wiremock(&read, &answer).await?,
                    "mockoon" => folders.mockoon(&read, &answer).await?,
                    _ => {
                        let spec =
                            spec.ok_or("--spec names the folder openapi/ of the standard, which it answers from")?;
                        // It serves the paths as the specification has them, without the address of the API.
                        let path = read.path.path().split_once("/aisp").ok_or("not a path of account information")?.1;
                        asked.path = path.parse()?;
                        folders.prism(spec).await?
                    }
                };
                let [theirs, ours] = [asked, read].map(|it| vec![vec![it; READS]; CONNECTIONS]);
                (peer, PeerWork::Repeated(RoundRequests { theirs, ours }), MOCK_SPEED_MIN, WARM_UP_READS)
            }
        };
        Ok(Self { package, peer, lombard, robot, least, warm_up, requests, _folders: [data, work] })
    }

    async fn measure(mut self, rounds: usize) -> BenchResult<Figure> {
        let mut pairs = Pairs::default();
        for round in 0..rounds + self.warm_up {
            let requests = self.next().await?;
            // Either side closes connections that have been idle while the other was measured; a peer after some seconds.
            let mut theirs: Target = self.robot.connect(&self.peer.base).await?;
            let bound = cost(&self.peer.process, theirs.fire(requests.theirs, 1)).await?;
            let mut ours = self.robot.connect(&self.lombard.endpoints.mtls).await?;
            let cost = cost(&self.lombard.process, ours.fire(requests.ours, 1)).await?;
            if let PeerWork::Payments(_) = self.requests {
                payments::settle(&mut self.lombard.process).await?;
            }
            if round >= self.warm_up {
                pairs.add(bound, cost);
            }
        }
        let name = format!("peers/{}", self.package.name);
        pairs.print(&name, &self.package.label()?, "lombard");
        self.lombard.process.stop().await?;
        Ok(Figure::of_speed(name, &pairs, self.least))
    }

    async fn next(&mut self) -> BenchResult<RoundRequests> {
        match &mut self.requests {
            PeerWork::Repeated(requests) => Ok(requests.clone()),
            PeerWork::Tokens => Ok(RoundRequests::same(tokens::assertions(&self.robot).await?)),
            PeerWork::Payments(prepared) => Ok(RoundRequests::same(prepared.pop().ok_or("too few orders")?)),
        }
    }
}

/// The consents that these orders are for.
fn consents(prepared: &[Vec<Vec<PreparedRequest>>]) -> BenchResult<Vec<String>> {
    let mut consents = Vec::new();
    for order in prepared.iter().flatten().flatten() {
        let order: Value = serde_json::from_slice(&order.body)?;
        consents.push(order.pointer("/Data/ConsentId").and_then(Value::as_str).ok_or("no consent")?.to_owned());
    }
    Ok(consents)
}
