//! Two programs, an earlier commit's and the present one's, under the same requests in alternating rounds: for developers,
//! before a change is committed.
//!
//! Each program makes its own data folder. The cases are balances, a cached and an uncached page of transactions, tokens and
//! payments, for the customers of a first start (not the 10,000 entries of the benchmark `reads`).

use crate::compare::{Cost, Pairs, cost};
use crate::figure::Figure;
use crate::load::PreparedRequest;
use crate::payments;
use crate::process::{Build, Lombard};
use crate::reads::UncachedBounds;
use crate::result::BenchResult;
use crate::robot::Robot;
use crate::tokens;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// The most that a request may cost, as a multiple of what it cost before.
const COST_MAX: f64 = 1.1;
/// Requests of each connection in a round of reads.
const READS: usize = 200;
/// Where earlier commits are built, beside the folder of this program's profile.
const EARLIER_FOLDER: &str = "earlier";

/// What is compared.
#[derive(Debug, Clone, Copy)]
enum Case {
    /// A read of the account's list of this name.
    Read(&'static str),
    /// A page of the account's transactions, each time at another address.
    UncachedPage,
    Tokens,
    Payments,
}

const CASES: [Case; 5] =
    [Case::Read("balances"), Case::Read("transactions"), Case::UncachedPage, Case::Tokens, Case::Payments];

impl Case {
    fn name(self) -> String {
        match self {
            Self::Read(list) => format!("reads/{list}"),
            Self::UncachedPage => "reads/transactions-uncached".to_owned(),
            Self::Tokens => "tokens".to_owned(),
            Self::Payments => "payments".to_owned(),
        }
    }
}

/// Compares the program with that of a revision of the repository in the current folder.
pub(crate) async fn run(
    build: &Build,
    program: &Path,
    revision: Option<String>,
    rounds: usize,
) -> BenchResult<Vec<Figure>> {
    let commit = match revision {
        Some(revision) => revision,
        None if is_changed().await? => "HEAD".to_owned(),
        None => "HEAD^".to_owned(),
    };
    let commit = git(Path::new("."), &["rev-parse", "--verify", &format!("{commit}^{{commit}}")]).await?;
    let earlier = build_commit(build, program, &commit).await?;
    let mut before = Side::start(&earlier).await?;
    let mut after = Side::start(program).await?;
    let mut figures = Vec::new();
    for case in CASES {
        let mut pairs = Pairs::default();
        for round in 0..=rounds {
            // The sides take turns at being first.
            let (bound, ours) = if round % 2 == 0 {
                let bound = before.round(case).await?;
                (bound, after.round(case).await?)
            } else {
                let ours = after.round(case).await?;
                (before.round(case).await?, ours)
            };
            // The first round warms both sides up.
            if round > 0 {
                pairs.add(bound, ours);
            }
        }
        pairs.print(&format!("compare/{}", case.name()), &commit[..commit.len().min(12)], "present");
        figures.push(Figure::of_cost(format!("compare/{}", case.name()), &pairs, COST_MAX));
    }
    before.lombard.process.stop().await?;
    after.lombard.process.stop().await?;
    Ok(figures)
}

/// A running program.
struct Side {
    lombard: Lombard,
    robot: Robot,
    token: String,
    account: String,
    bounds: UncachedBounds,
    _data: tempfile::TempDir,
}

impl Side {
    async fn start(program: &Path) -> BenchResult<Self> {
        let folder = tempfile::tempdir()?;
        let settings = payments::settings(folder.path());
        let lombard = Lombard::start_with(program, folder.path(), &settings).await?;
        let robot = Robot::open(folder.path())?;
        let token = robot.token().await?;
        let accounts = robot.tpp.get(&token, "aisp/accounts").await?.json()?;
        let account = accounts.pointer("/Data/Account/0/AccountId").and_then(|id| id.as_str()).ok_or("no account")?;
        Ok(Self {
            lombard,
            robot,
            token,
            account: account.to_owned(),
            bounds: UncachedBounds::default(),
            _data: folder,
        })
    }

    fn read_request(&self, list: &str) -> BenchResult<PreparedRequest> {
        let url = self.robot.tpp.resource_url(&format!("aisp/accounts/{}/{list}", self.account));
        PreparedRequest::get(&url, &self.token)
    }

    /// A round on new connections: those of the last round may have been idle for so long that the server has closed them.
    async fn round(&mut self, case: Case) -> BenchResult<Cost> {
        let mut target = self.robot.connect(&self.lombard.endpoints.mtls).await?;
        match case {
            Case::Read(list) => {
                let request = self.read_request(list)?;
                cost(&self.lombard.process, target.repeat(&request, READS)).await
            }
            Case::UncachedPage => {
                let requests = self.bounds.requests(&self.read_request("transactions")?, READS)?;
                cost(&self.lombard.process, target.fire(requests, 1)).await
            }
            Case::Tokens => {
                let requests = tokens::assertions(&self.robot).await?;
                cost(&self.lombard.process, target.fire(requests, 1)).await
            }
            Case::Payments => {
                let orders = payments::orders(&self.robot).await?;
                payments::settle(&mut self.lombard.process).await?;
                target = self.robot.connect(&self.lombard.endpoints.mtls).await?;
                let cost = cost(&self.lombard.process, target.fire(orders, 1)).await?;
                payments::settle(&mut self.lombard.process).await?;
                Ok(cost)
            }
        }
    }
}

/// Whether files that the repository knows differ from its last commit.
async fn is_changed() -> BenchResult<bool> {
    Ok(!git(Path::new("."), &["status", "--porcelain", "--untracked-files=no"]).await?.is_empty())
}

/// The program of a commit, built with the profile of the present one. Its sources and what was built of them stay in a
/// folder of their own, so that the next comparison builds only what changed.
async fn build_commit(build: &Build, program: &Path, commit: &str) -> BenchResult<PathBuf> {
    let profile = program.parent().ok_or("the program has no folder")?;
    let folder = profile.parent().ok_or("the program's folder has no parent")?.join(EARLIER_FOLDER);
    if !folder.join(".git").exists() {
        let source = std::env::current_dir()?;
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(source).arg(&folder);
        if !clone.status().await?.success() {
            return Err("git clone of the earlier commit failed".into());
        }
    }
    // A checkout writes only files that differ, so cargo sees what changed since the last comparison.
    git(&folder, &["checkout", "--quiet", "--detach", "--force", commit]).await?;
    build.run(&folder, Some(&folder.join("target"))).await?;
    Ok(folder.join("target").join(build.folder()).join("lombard"))
}

async fn git(folder: &Path, arguments: &[&str]) -> BenchResult<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().await?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
