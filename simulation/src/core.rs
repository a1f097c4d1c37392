//! A core with its own database, which nodes reach by messages of the core API. A message may be lost, arrive twice or arrive after later
//! ones. Its response may be lost, and the core may crash during its work.

use crate::fault_injection::{CallOutcome, FaultGate, FaultRates};
use crate::ports::gated;
use crate::promise::InvariantViolation;
use crate::random::SeededRandom;
use async_trait::async_trait;
use lombard_connector::CoreTransport;
use lombard_core_api::calls::{AnswerBody, Method};
use lombard_corebank::market::ExchangeMarket;
use lombard_corebank::storage::BankStore;
use lombard_corebank::{BankScheduler, BuiltInBank};
use lombard_ops::core_api::{CallFailure, answer_call};
use lombard_ports::bank::{BankError, CallContext};
use lombard_ports::clock::Clocks;
use lombard_ports::controls::BankControls;
use lombard_ports::store::StoreError;
use lombard_sandbox::controls::{BankClock, BuiltInBankControls};
use parking_lot::Mutex;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// The number of the random stream of the core's first run. The streams of nodes have small numbers.
const FIRST_RUN: u64 = 1 << 32;
/// The fault rate of messages, as a multiple of the fault rate of a node's calls.
const MESSAGES_PER_MISHAP: usize = 4;

/// What happens to a message, independent of the node that sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessageFate {
    /// The message arrives once.
    OnTime,
    /// The message arrives twice; the node receives the second response.
    Twice,
    /// The message arrives after later ones, and nobody waits for its response.
    Late,
    /// The message arrives, and arrives again after later ones.
    Again,
}

/// A message that has not arrived yet.
#[derive(Debug)]
struct LateMessage {
    method: &'static Method,
    body: Vec<u8>,
}

/// The core between a start and a crash.
#[derive(Debug, Clone)]
struct CoreRun {
    bank: BuiltInBank,
    scheduler: BankScheduler,
    gate: FaultGate,
}

/// The counts of message faults and core crashes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CoreCounts {
    /// The number of messages that arrived late or more than once.
    pub(crate) odd_messages: usize,
    /// The number of crashes of the core.
    pub(crate) crashes: usize,
}

struct CoreState {
    run: CoreRun,
    /// The number of this run's random stream.
    stream: u64,
    odds: FaultRates,
    chance: SeededRandom,
    late: Vec<LateMessage>,
    counts: CoreCounts,
}

/// The simulated core. Clones share it.
#[derive(Clone)]
pub(crate) struct SimulatedCore {
    store: BankStore,
    clocks: Clocks,
    market: ExchangeMarket,
    seed: u64,
    state: Arc<Mutex<CoreState>>,
}

impl fmt::Debug for SimulatedCore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimulatedCore").field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl SimulatedCore {
    /// A core on this store with its own clocks.
    pub(crate) fn new(store: BankStore, clocks: Clocks, market: ExchangeMarket, seed: u64, odds: FaultRates) -> Self {
        let run = start(&store, &clocks, &market, FaultGate::new(SeededRandom::new(seed, FIRST_RUN), odds));
        let chance = SeededRandom::new(seed, FIRST_RUN.saturating_sub(1));
        let counts = CoreCounts::default();
        let state = CoreState { run, stream: FIRST_RUN, odds, chance, late: Vec::new(), counts };
        Self { store, clocks, market, seed, state: Arc::new(Mutex::new(state)) }
    }

    /// The bank's side of the sandbox's controls.
    pub(crate) fn controls(&self) -> Arc<dyn BankControls> {
        let clock = BankClock::new(self.store.clone(), self.clocks.clone());
        Arc::new(BuiltInBankControls::new(self.store.clone(), clock, self.seed))
    }

    /// The transport by which nodes reach the core. Failures are recorded at the node's gate.
    pub(crate) fn transport(&self, gate: FaultGate) -> Arc<dyn CoreTransport> {
        Arc::new(Messages { core: self.clone(), gate })
    }

    /// Stops all faults from now on.
    pub(crate) fn calm(&self) {
        let mut state = self.state.lock();
        state.odds = FaultRates::CALM;
        state.run.gate.calm();
    }

    /// The counts so far.
    pub(crate) fn counts(&self) -> CoreCounts {
        self.state.lock().counts
    }

    /// Delivers one late message and returns its method; `None` if there is none.
    ///
    /// # Errors
    /// [`InvariantViolation`] if the core reports that it is broken.
    pub(crate) fn deliver_late(&self) -> Result<Option<&'static str>, InvariantViolation> {
        let message = {
            let mut state = self.state.lock();
            let count = state.late.len();
            if count == 0 {
                return Ok(None);
            }
            let at = state.chance.below(count);
            state.late.swap_remove(at)
        };
        match self.answer(message.method, &message.body) {
            Err(error @ (BankError::Broken(_) | BankError::UnknownMethod(_))) => {
                Err(InvariantViolation(format!("a late {} broke: {error}", message.method.name)))
            }
            Ok(_) | Err(BankError::Unavailable(_) | BankError::Busy { .. }) => Ok(Some(message.method.name)),
        }
    }

    /// Runs a batch of the core's own due work.
    ///
    /// # Errors
    /// A failure of the core's storage, or a crash.
    pub(crate) fn run_due(&self) -> Result<u32, StoreError> {
        let run = self.run();
        let done = self.work(&run, run.scheduler.run_due());
        done.unwrap_or_else(|| Err(StoreError::Unavailable("the core has crashed".into())))
    }

    /// Answers a message that arrives now.
    fn answer(&self, method: &'static Method, body: &[u8]) -> Result<Option<Vec<u8>>, BankError> {
        let run = self.run();
        match self.work(&run, answer_call(&run.bank, method.name, body)) {
            None => Err(unavailable("the core has crashed")),
            Some(Ok(AnswerBody::Json(body) | AnswerBody::File(body))) => Ok(Some(body)),
            Some(Ok(AnswerBody::Nothing)) => Ok(None),
            Some(Err(CallFailure::Unavailable(..))) => Err(unavailable("the core says so")),
            Some(Err(CallFailure::Broken(cause))) => Err(BankError::Broken(cause)),
            Some(Err(CallFailure::Error(error))) => Err(BankError::Broken(format!("{}: {error:?}", method.name))),
        }
    }

    /// Runs work without interruption to its end. If the core crashes, the result is `None`, and the core is restarted.
    fn work<F: Future>(&self, run: &CoreRun, work: F) -> Option<F::Output> {
        let mut work = pin!(work);
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            // The work stops only at its own gate, which continues it at once.
            match work.as_mut().poll(&mut cx) {
                Poll::Ready(output) => return Some(output),
                Poll::Pending if run.gate.is_dead() => break,
                Poll::Pending => {}
            }
        }
        let mut state = self.state.lock();
        state.stream = state.stream.saturating_add(1);
        state.counts.crashes = state.counts.crashes.saturating_add(1);
        let gate = FaultGate::new(SeededRandom::new(self.seed, state.stream), state.odds);
        state.run = start(&self.store, &self.clocks, &self.market, gate);
        None
    }

    fn run(&self) -> CoreRun {
        self.state.lock().run.clone()
    }

    fn draw(&self) -> MessageFate {
        let mut state = self.state.lock();
        let rate = state.odds.mishaps_per_mille.saturating_mul(MESSAGES_PER_MISHAP);
        if !state.chance.per_mille(rate) {
            return MessageFate::OnTime;
        }
        state.counts.odd_messages = state.counts.odd_messages.saturating_add(1);
        match state.chance.below(3) {
            0 => MessageFate::Twice,
            1 => MessageFate::Late,
            _ => MessageFate::Again,
        }
    }

    fn delay(&self, method: &'static Method, body: Vec<u8>) {
        self.state.lock().late.push(LateMessage { method, body });
    }
}

fn start(store: &BankStore, clocks: &Clocks, market: &ExchangeMarket, gate: FaultGate) -> CoreRun {
    let bank = BuiltInBank::new(gated(store.clone(), gate.clone()), clocks.clone());
    let bank = bank.with_market(Arc::new(market.clone()));
    CoreRun { scheduler: bank.scheduler(), bank, gate }
}

fn unavailable(why: &'static str) -> BankError {
    BankError::Unavailable(why.into())
}

/// The transport of a node's messages.
#[derive(Debug)]
struct Messages {
    core: SimulatedCore,
    gate: FaultGate,
}

impl Messages {
    /// Delivers a message now and returns its response. A failure is counted as a fault of the call.
    fn answer(&self, method: &'static Method, body: &[u8]) -> Result<Option<Vec<u8>>, BankError> {
        let answer = self.core.answer(method, body);
        self.gate.wrote();
        if matches!(answer, Err(BankError::Unavailable(_))) {
            self.gate.note_mishap();
        }
        answer
    }
}

#[async_trait]
impl CoreTransport for Messages {
    async fn exchange(
        &self,
        method: &'static Method,
        _: &CallContext,
        body: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, BankError> {
        let fate = self.gate.pass().await;
        if fate == CallOutcome::FailsBefore {
            return Err(unavailable("the simulation says so"));
        }
        let answer = match self.core.draw() {
            MessageFate::OnTime => self.answer(method, &body),
            MessageFate::Twice => self.answer(method, &body).and_then(|_| self.answer(method, &body)),
            MessageFate::Late => {
                self.core.delay(method, body);
                self.gate.note_mishap();
                Err(unavailable("the answer is late"))
            }
            MessageFate::Again => {
                let answer = self.answer(method, &body);
                self.core.delay(method, body);
                answer
            }
        };
        self.gate.end(fate).await;
        if fate == CallOutcome::FailsAfter { Err(unavailable("the simulation says so")) } else { answer }
    }
}
