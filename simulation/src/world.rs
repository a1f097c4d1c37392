//! The simulated world: one database, one bank clock that nodes adopt with a delay, a few customers with accounts, and nodes that start and
//! crash.

use crate::core::SimulatedCore;
use crate::fault_injection::{FaultGate, FaultRates, block_on};
use crate::planted::{bank_statements, server_statements};
use crate::ports::{FaultyBank, gated};
use crate::random::{Bytes, SeededRandom};
use jiff::{SignedDuration, Timestamp};
use lombard_connector::{HttpBank, UpdatesHeldInStore};
use lombard_corebank::market::ExchangeMarket;
use lombard_corebank::storage::{BankAccountRecord, BankStore, Customer};
use lombard_corebank::{BankScheduler, BuiltInBank};
use lombard_database::testing::temporary_with;
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, EntryStatus, Mutability, Transaction as Entry,
};
use lombard_domain::event::{ResourceAddresses, ResourceType};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::version::Version;
use lombard_ports::bank::{Bank, sample_account};
use lombard_ports::clock::{Clock, Clocks, ManualClock};
use lombard_ports::controls::{ClockMove, ControlError};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{Store, StoreError};
use lombard_sandbox::controls::{BankClock, FollowedClock};
use lombard_sandbox::joint::{self, JointStore};
use lombard_service::Context;
use lombard_service::events::Outbox;
use lombard_service::payments::{FileQuota, PaymentSettings};
use std::sync::Arc;
use tokio::runtime::{Builder, EnterGuard, Runtime};

/// An account of the world.
#[derive(Debug)]
pub(crate) struct WorldAccount {
    pub(crate) id: &'static str,
    pub(crate) number: &'static str,
    pub(crate) holders: &'static [&'static str],
    pub(crate) authorisers: u16,
    pub(crate) currency: Currency,
    /// The initial balance in minor units.
    pub(crate) opening: i64,
    pub(crate) credit_limit: i64,
}

/// The accounts of all customers.
pub(crate) const ACCOUNTS: [WorldAccount; 6] = [
    held("amelia-current", "80200110203341", &["amelia"], 1, Currency::GBP, 500_000, 10_000),
    held("amelia-savings", "80200110203342", &["amelia"], 1, Currency::GBP, 40_000, 0),
    held("studio", "80200110203343", &["bashir", "chloe"], 2, Currency::GBP, 900_000, 0),
    held("studio-dollars", "80200110203344", &["bashir", "chloe"], 1, Currency::USD, 70_000, 0),
    held("amelia-euros", "80200110203346", &["amelia"], 1, Currency::EUR, 300_000, 0),
    held("deepak", "80200110203345", &["deepak"], 1, Currency::GBP, 3_000, 0),
];

const fn held(
    id: &'static str,
    number: &'static str,
    holders: &'static [&'static str],
    authorisers: u16,
    currency: Currency,
    opening: i64,
    credit_limit: i64,
) -> WorldAccount {
    WorldAccount { id, number, holders, authorisers, currency, opening, credit_limit }
}

/// The number of payments of a file that are submitted to the bank at a time. Most files have more payments.
const FILE_BATCH: u32 = 3;

/// Nothing is refused by a quota, because nodes crash during uploads.
const UNLIMITED: FileQuota = FileQuota { files_max: u64::MAX, bytes_max: u64::MAX };

/// The customers who may be asked for authorisation.
pub(crate) const CUSTOMERS: [&str; 4] = ["amelia", "bashir", "chloe", "deepak"];

/// The account identification of a number.
pub(crate) fn numbered(number: &str) -> AccountIdentification {
    AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number)
}

/// The simulated world.
#[derive(Debug)]
pub(crate) struct World {
    /// The database. Reads through this field are not part of the simulation.
    pub(crate) store: Store,
    /// The bank's tables in the database.
    pub(crate) bank: BankStore,
    /// Where the bank runs.
    place: PlacedCore,
    /// The true clocks. Each node has its own clocks.
    pub(crate) clocks: Clocks,
    /// The bank's exchange market.
    pub(crate) market: ExchangeMarket,
    wall: ManualClock,
    bytes: Arc<Bytes>,
    seed: u64,
    /// The runtime for threads that read files.
    threads: Runtime,
}

/// Where the bank of a world is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CorePlace {
    /// In the server, in the same database.
    Inside,
    /// In another process with a database of its own, behind the core API.
    Apart,
}

#[derive(Debug)]
enum PlacedCore {
    Inside(JointStore),
    Apart(SimulatedCore),
}

/// How a node runs the bank's scheduled work.
#[derive(Debug, Clone)]
pub(crate) enum NodeScheduler {
    /// The node runs the scheduler itself.
    Own(BankScheduler),
    /// The core runs the scheduler. Failures are recorded at the node's gate.
    Core(SimulatedCore, FaultGate),
}

impl NodeScheduler {
    /// Runs a batch of the work that is due.
    ///
    /// # Errors
    /// A failure of storage, or a crash of the core.
    pub(crate) async fn run_due(&self) -> Result<u32, StoreError> {
        match self {
            Self::Own(scheduler) => scheduler.run_due().await,
            Self::Core(core, gate) => {
                let done = core.run_due();
                gate.wrote();
                if done.is_err() {
                    gate.note_mishap();
                }
                done
            }
        }
    }
}

/// A node between a start and a crash.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) context: Context,
    /// The bank's tables.
    pub(crate) accounts: BankStore,
    pub(crate) scheduler: NodeScheduler,
    pub(crate) clock: BankClock,
    pub(crate) market: ExchangeMarket,
    pub(crate) gate: FaultGate,
}

impl World {
    /// Creates a world in its initial state.
    ///
    /// # Errors
    /// A failure of storage or of the machine.
    pub(crate) fn new(seed: u64, place: CorePlace, odds: FaultRates) -> Result<Self, StoreError> {
        // The timers of this runtime never fire, so waits with a time limit have none here.
        let threads = Builder::new_current_thread().enable_time().build();
        let threads = threads.map_err(|error| StoreError::Unavailable(error.into()))?;
        let wall = ManualClock::starting_at(Timestamp::from_second(1_772_445_600).unwrap_or_default());
        let clocks = Clocks::new(Arc::new(wall.clone()));
        let planted = server_statements(seed, wall.now());
        let at_bank = bank_statements(seed, wall.now());
        let market = ExchangeMarket::default();
        let (server, bank, place) = match place {
            CorePlace::Inside => {
                let schemas = [&lombard_store::SCHEMA, &lombard_corebank::SCHEMA];
                let database = temporary_with(&schemas, &[planted, at_bank].concat())?;
                let joint = joint::on_database(database.clone());
                (database.clone(), lombard_corebank::open_bank_store(database), PlacedCore::Inside(joint))
            }
            CorePlace::Apart => {
                let server = temporary_with(&[&lombard_store::SCHEMA], &planted)?;
                let bank = lombard_corebank::open_bank_store(temporary_with(&[&lombard_corebank::SCHEMA], &at_bank)?);
                let clocks = Clocks::new(Arc::new(wall.clone()));
                let prices = if odds.other_prices { market.clone().with_movement(0) } else { market.clone() };
                let core = SimulatedCore::new(bank.clone(), clocks, prices, seed, odds);
                (server, bank, PlacedCore::Apart(core))
            }
        };
        let store = lombard_store::on_database(server);
        let bytes = Arc::new(Bytes::new(seed, u64::MAX));
        let world = Self { store, bank, place, clocks, market, wall, bytes, seed, threads };
        world.fill()?;
        Ok(world)
    }

    /// Starts a node, whose clock shows the bank's present time.
    ///
    /// # Errors
    /// A failure of storage.
    pub(crate) fn node(&self, start: u64, odds: FaultRates) -> Result<Node, StoreError> {
        let clocks = Clocks::new(Arc::new(self.wall.clone()));
        let adopted = block_on(self.bank_clock(None, clocks.clone()).adopt_stored_offset());
        adopted.map_err(|error| StoreError::Unavailable(error.into()))?;
        // If the core has its own database, the core confirms writes without making them, and the node does not.
        let lies_per_mille = self.core_apart().map_or(odds.false_confirmations_per_mille, |_| 0);
        let gate = FaultGate::new(
            SeededRandom::new(self.seed, start),
            FaultRates { false_confirmations_per_mille: lies_per_mille, ..odds },
        );
        let store = gated(self.store.clone(), gate.clone());
        let accounts = gated(self.bank.clone(), gate.clone());
        let ids = IdGenerator::new(Arc::clone(&self.bytes) as _, clocks.clone());
        let market = if odds.other_prices { self.market.clone().with_movement(0) } else { self.market.clone() };
        let (bank, scheduler): (Arc<dyn Bank>, _) = match &self.place {
            PlacedCore::Inside(_) => {
                let bank = BuiltInBank::new(accounts.clone(), clocks.clone()).with_market(Arc::new(market.clone()));
                let scheduler = NodeScheduler::Own(bank.scheduler());
                (Arc::new(FaultyBank::new(bank, gate.clone())), scheduler)
            }
            PlacedCore::Apart(core) => {
                let held = Arc::new(UpdatesHeldInStore::new(store.clone(), clocks.clone()));
                let bank = HttpBank::over_transport(core.transport(gate.clone()), held);
                (Arc::new(bank), NodeScheduler::Core(core.clone(), gate.clone()))
            }
        };
        let clock = self.bank_clock(Some(&gate), clocks.clone());
        let places = ResourceAddresses::new("https://bank.example", "https://bank.example/open-banking");
        let readable =
            Version::ALL.iter().flat_map(|version| ResourceType::ALL.iter().map(|kind| (*kind, *version))).collect();
        let context = Context {
            store,
            bank,
            outbox: Outbox::new(ResourceAddresses { readable, ..places }, ids.clone(), clocks.clone()),
            ids,
            clocks,
            alias_key: Arc::from(*b"the same key on every node"),
            call: Arc::default(),
            payments: PaymentSettings { file_batch: FILE_BATCH, file_quota: UNLIMITED, ..PaymentSettings::default() },
        };
        Ok(Node { context, accounts, scheduler, clock, market, gate })
    }

    /// Enters the runtime that provides threads and time limits, until the guard is dropped.
    pub(crate) fn threads(&self) -> EnterGuard<'_> {
        self.threads.enter()
    }

    /// Lets time pass.
    pub(crate) fn wait(&self, by: SignedDuration) {
        self.wall.advance(by);
    }

    /// Moves the bank's clock, but not the wall clock. Nodes learn of the move when they read the clock.
    ///
    /// # Errors
    /// The clock cannot show the time, or storage fails.
    pub(crate) fn move_bank_clock(&self, by: SignedDuration) -> Result<(), ControlError> {
        let clock = self.bank_clock(None, self.clocks.clone());
        block_on(clock.move_to(ClockMove::By(by))).map(drop)
    }

    /// The bank's clock as a node follows it. The node's calls pass this gate.
    fn bank_clock(&self, gate: Option<&FaultGate>, clocks: Clocks) -> BankClock {
        match &self.place {
            PlacedCore::Inside(joint) => {
                let joint = joint.clone();
                BankClock::new(gate.map_or_else(|| joint.clone(), |gate| gated(joint.clone(), gate.clone())), clocks)
            }
            PlacedCore::Apart(core) => {
                let store = self.store.clone();
                let store = gate.map_or_else(|| store.clone(), |gate| gated(store.clone(), gate.clone()));
                BankClock::new(FollowedClock::new(core.controls(), store), clocks)
            }
        }
    }

    /// The core, if it has its own database.
    pub(crate) fn core_apart(&self) -> Option<&SimulatedCore> {
        match &self.place {
            PlacedCore::Inside(_) => None,
            PlacedCore::Apart(core) => Some(core),
        }
    }

    fn fill(&self) -> Result<(), StoreError> {
        let now = self.clocks.bank_now();
        block_on(self.bank.write(move |tx| {
            let customer = |psu: &&str| Customer {
                psu: PsuId::from(*psu),
                name: (*psu).to_owned(),
                about: String::new(),
                party: None,
            };
            tx.customers_insert(&CUSTOMERS.iter().map(customer).collect::<Vec<_>>())?;
            for account in &ACCOUNTS {
                tx.bank_account_insert(&account.record(now))?;
                let outside = BankAccountId::new(format!("opening/{}", account.currency));
                tx.ledger_accounts_open(&[(outside.clone(), account.currency)])?;
                tx.journals_post(&[account.opening(outside, now)])?;
                tx.entries_insert(&[account.first_entry(now)])?;
            }
            Ok(())
        }))
    }
}

impl WorldAccount {
    fn record(&self, now: Timestamp) -> BankAccountRecord {
        BankAccountRecord {
            account: Account {
                status_changed_at: now,
                currency: self.currency,
                identifications: vec![numbered(self.number)],
                ..sample_account(self.id)
            },
            holders: self.holders.iter().map(|psu| PsuId::from(*psu)).collect(),
            eligible: true,
            credit_limit: self.credit_limit,
            authorisers: self.authorisers,
        }
    }

    fn opening(&self, outside: BankAccountId, now: Timestamp) -> Journal {
        let posting = |account: BankAccountId, minor: i64| Posting {
            account,
            minor,
            currency: self.currency,
            layer: BalanceLayer::Booked,
            entry: None,
        };
        let cause = format!("opening/{}", self.id);
        let postings = vec![posting(self.id.into(), self.opening), posting(outside, self.opening.saturating_neg())];
        Journal { id: cause.as_str().into(), cause, booked_at: now, postings }
    }

    fn first_entry(&self, now: Timestamp) -> Entry {
        Entry {
            account: self.id.into(),
            id: format!("opening-{}", self.id).into(),
            reference: None,
            statement_references: Vec::new(),
            sum: SignedAmount::from_minor(self.opening, self.currency),
            status: EntryStatus::Booked,
            mutability: Mutability::Immutable,
            booked_at: now,
            value_at: None,
            information: None,
            address_line: None,
            charge: None,
            exchange: None,
            bank_code: None,
            proprietary_code: None,
            balance: None,
            merchant: None,
            other_party: None,
            card: None,
            payment: None,
        }
    }
}
