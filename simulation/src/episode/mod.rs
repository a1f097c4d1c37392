//! An episode: a world in which concurrent actions advance step by step. The seed determines the order.

mod choices;

use crate::actions::{self, ActionResult, RunningAction, WorkerKind};
use crate::audit::{Audit, is_all_in_quarantine};
use crate::core::{CoreCounts, SimulatedCore};
use crate::fault_injection::{FaultRates, advance_to_next_call, block_on};
use crate::intents::EpisodeTheme;
use crate::model::{ExpectedState, RequestFacts};
use crate::promise::{InvariantViolation, ensure};
use crate::random::SeededRandom;
use crate::world::{CorePlace, Node, World};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::order::{ApprovalStatus, Order};
use lombard_ports::clock::read_bank_offset_micros;
use lombard_ports::store::StoreError;
use lombard_service::Failure;
use std::collections::{BTreeMap, VecDeque};

/// The number of nodes.
const NODES: usize = 2;
/// The largest number of concurrent actions.
const AT_ONCE: usize = 6;
/// The number of last steps reported when an invariant is violated.
const REMEMBERED: usize = 60;
/// The maximum number of rounds at the end of an episode in which all work must finish.
const CALM_ROUNDS: usize = 2_000;
/// A late message reaches the core in one of this many steps.
const LATE_EVERY: usize = 12;

/// A violated invariant, with the steps that led to it.
#[derive(Debug)]
pub(crate) struct BrokenRun {
    pub(crate) seed: u64,
    pub(crate) step: usize,
    pub(crate) what: String,
    pub(crate) before: Vec<String>,
}

/// The counts of an episode.
#[derive(Debug, Default)]
pub(crate) struct EpisodeCounts {
    pub(crate) steps: usize,
    pub(crate) consents: usize,
    pub(crate) mishaps: usize,
    pub(crate) crashes: usize,
    /// The counts of message faults and core crashes, if the core has its own database.
    pub(crate) core: CoreCounts,
    /// The outcomes of orders, and of the payments of orders with several payments.
    pub(crate) ends: BTreeMap<String, usize>,
}

/// An action in progress.
struct Task {
    name: String,
    node: usize,
    mishaps: usize,
    /// The index of the request that the action sends, if it sends one.
    sent: Option<usize>,
    /// The earliest and the latest time of the bank's clock, on any node, during the action.
    between: (Timestamp, Timestamp),
    consent: Option<Consent>,
    doing: RunningAction,
}

struct Episode {
    world: World,
    nodes: Vec<Node>,
    /// The number of starts of nodes, which is also the number of the last node's random stream.
    starts: u64,
    odds: FaultRates,
    chance: SeededRandom,
    theme: EpisodeTheme,
    tasks: Vec<Task>,
    model: ExpectedState,
    audit: Audit,
    tally: EpisodeCounts,
    before: VecDeque<String>,
    /// The latest time that the bank's clock ever showed.
    latest: Timestamp,
}

/// Runs an episode to its end.
///
/// # Errors
/// The violated invariant.
pub(crate) fn play(
    seed: u64,
    steps: usize,
    odds: FaultRates,
    place: CorePlace,
) -> Result<EpisodeCounts, Box<BrokenRun>> {
    let found = |step, before: &VecDeque<String>, broken: InvariantViolation| {
        Box::new(BrokenRun { seed, step, what: broken.0, before: before.iter().cloned().collect() })
    };
    let world = World::new(seed, place, odds).map_err(|error| found(0, &VecDeque::new(), error.into()))?;
    let mut episode = Episode::new(world, seed, odds).map_err(|error| found(0, &VecDeque::new(), error.into()))?;
    for step in 1..=steps {
        episode.tally.steps = step;
        episode.step().map_err(|broken| found(step, &episode.before, broken))?;
    }
    episode.come_to_rest().map_err(|broken| found(steps, &episode.before, broken))?;
    episode.tally.consents = episode.model.consents.len();
    episode.tally.ends = episode.audit.ends();
    episode.tally.core = episode.world.core_apart().map(SimulatedCore::counts).unwrap_or_default();
    Ok(episode.tally)
}

impl Episode {
    fn new(world: World, seed: u64, odds: FaultRates) -> Result<Self, StoreError> {
        let mut chance = SeededRandom::new(seed, 0);
        let theme = chance.pick(&EpisodeTheme::ALL).copied().unwrap_or(EpisodeTheme::Domestic);
        let mut episode = Self {
            latest: world.clocks.bank_now(),
            world,
            nodes: Vec::new(),
            starts: 1,
            odds,
            chance,
            theme,
            tasks: Vec::new(),
            model: ExpectedState::default(),
            audit: Audit::default(),
            tally: EpisodeCounts::default(),
            before: VecDeque::new(),
        };
        for _ in 0..NODES {
            let node = episode.start_node()?;
            episode.nodes.push(node);
        }
        Ok(episode)
    }

    /// Starts a node on the same database.
    fn start_node(&mut self) -> Result<Node, StoreError> {
        self.starts = self.starts.saturating_add(1);
        self.world.node(self.starts, self.odds)
    }

    fn note(&mut self, text: String) {
        if self.before.len() >= REMEMBERED {
            self.before.pop_front();
        }
        self.before.push_back(text);
    }

    fn step(&mut self) -> Result<(), InvariantViolation> {
        if self.world.core_apart().is_some() && self.chance.one_in(LATE_EVERY) {
            self.deliver_late()?;
        }
        match self.chance.below(100) {
            0..42 if self.tasks.len() < AT_ONCE => self.begin(),
            0..94 => {
                let chosen = self.chance.below(self.tasks.len());
                self.go_on(chosen)
            }
            _ => self.let_time_pass(),
        }
    }

    /// Delivers a late message to the core. Returns whether there was one.
    fn deliver_late(&mut self) -> Result<bool, InvariantViolation> {
        let Some(method) = self.world.core_apart().map(SimulatedCore::deliver_late).transpose()?.flatten() else {
            return Ok(false);
        };
        self.note(format!("a late {method} reaches the core"));
        let doubtful: Vec<_> = self.tasks.iter().filter_map(|task| task.sent).collect();
        self.audit.check_step(&self.world, &self.model, &doubtful)?;
        Ok(true)
    }

    fn let_time_pass(&mut self) -> Result<(), InvariantViolation> {
        let amount = i64::try_from(self.chance.below(2_000)).unwrap_or(0);
        let (leaps, by) = match self.chance.below(100) {
            0..65 => (false, SignedDuration::from_millis(amount)),
            65..85 => (false, SignedDuration::from_millis(amount.saturating_mul(45))),
            85..93 => (true, SignedDuration::from_mins(amount)),
            93..97 => (true, -SignedDuration::from_mins(amount)),
            97 => (true, -SignedDuration::from_mins(amount.saturating_mul(15))),
            _ => (true, SignedDuration::from_mins(amount.saturating_mul(30))),
        };
        if leaps {
            self.world.move_bank_clock(by)?;
        } else {
            self.world.wait(by);
        }
        self.note(format!("{by:#} go by at the bank{}", if leaps { " alone" } else { "" }));
        self.look_at_the_clock()?;
        Ok(())
    }

    /// Records the present time of the bank's clock, and the time that the server's database implies. Requests are checked against both,
    /// because a node that read the clock before a move stores the old time when it continues.
    fn look_at_the_clock(&mut self) -> Result<(), StoreError> {
        let now = self.world.clocks.bank_now();
        let stored = self.stored_time()?;
        self.latest = self.latest.max(now);
        for task in &mut self.tasks {
            task.between = widened(widened(task.between, now), stored);
        }
        Ok(())
    }

    /// The bank's time according to the server's database.
    fn stored_time(&self) -> Result<Timestamp, StoreError> {
        let offset = block_on(self.world.store.read(|tx| read_bank_offset_micros(tx)))?;
        let wall = self.world.clocks.wall_now();
        Ok(wall.saturating_add(SignedDuration::from_micros(offset)).unwrap_or(wall))
    }

    /// Starts a random action.
    fn begin(&mut self) -> Result<(), InvariantViolation> {
        let at = self.chance.below(self.nodes.len());
        let Some(node) = self.nodes.get(at).cloned() else { return Ok(()) };
        let chosen = self.choose(&node)?;
        let Some((name, sent, consent, doing)) = chosen else { return Ok(()) };
        // The node may not have read the new offset of the clock yet.
        let mishaps = node.gate.mishaps();
        let shown = node.context.clocks.bank_now();
        let between = widened(widened((shown, shown), self.stored_time()?), self.world.clocks.bank_now());
        self.note(format!("node {at} begins: {name}"));
        self.tasks.push(Task { name, node: at, mishaps, sent, between, consent, doing });
        Ok(())
    }

    /// Continues an action up to its next port call or its end.
    fn go_on(&mut self, chosen: usize) -> Result<(), InvariantViolation> {
        let Some(task) = self.tasks.get_mut(chosen) else { return Ok(()) };
        let at = task.node;
        let Some(node) = self.nodes.get(at).cloned() else { return Ok(()) };
        let commits = node.gate.commits();
        let name = task.name.clone();
        let threads = self.world.threads();
        let gone_on = advance_to_next_call(task.doing.as_mut(), &node.gate, &node.context.payments.file_threads);
        drop(threads);
        self.look_at_the_clock()?;
        let done = gone_on.map_err(|_| InvariantViolation(format!("{name} waits for what never comes")))?;
        let doubtful: Vec<_> = self.tasks.iter().filter_map(|task| task.sent).collect();
        if let Some(done) = done {
            let task = self.tasks.swap_remove(chosen);
            self.note(format!("node {at} ends: {name}: {}", short(&done)));
            self.check_result(&node, task, &done)?;
        } else if node.gate.is_dead() {
            self.note(format!("node {at} crashes in: {name}"));
            self.tally.mishaps = self.tally.mishaps.saturating_add(node.gate.mishaps());
            self.tally.crashes = self.tally.crashes.saturating_add(1);
            self.tasks.retain(|task| task.node != at);
            let started = self.start_node()?;
            if let Some(place) = self.nodes.get_mut(at) {
                *place = started;
            }
        } else {
            self.note(format!("node {at} goes on: {name}"));
        }
        if node.gate.commits() == commits { Ok(()) } else { self.audit.check_step(&self.world, &self.model, &doubtful) }
    }

    fn check_result(&mut self, node: &Node, task: Task, done: &ActionResult) -> Result<(), InvariantViolation> {
        match done.failure() {
            Some(Failure::Broken(why)) => return Err(InvariantViolation(format!("{} is broken: {why:?}", task.name))),
            Some(Failure::Unavailable(why)) => {
                let excused = node.gate.mishaps() > task.mishaps;
                ensure(excused, || format!("{} is unavailable for nothing: {why:?}", task.name))?;
            }
            Some(Failure::Refused(_)) | None => {}
        }
        self.is_kept(done)?;
        let Some(sent) = task.sent else { return Ok(()) };
        let after = match &task.consent {
            Some(consent) => self.consent(&consent.id)?,
            None => None,
        };
        let between = widened(task.between, node.context.clocks.bank_now());
        let payments = after.as_ref().map(|consent| self.audit.payments_of(&consent.id)).unwrap_or_default();
        let facts = RequestFacts { between, consent: (task.consent, after), payments };
        self.model.check_response(node, sent, done, &facts)
    }

    /// Checks that a change reported to a customer is stored, and that later changes came after it.
    fn is_kept(&self, done: &ActionResult) -> Result<(), InvariantViolation> {
        match done {
            ActionResult::Decided(Ok(Some(decided))) => {
                let was = decided.state;
                let is = self.consent(&decided.id)?.map(|it| it.state);
                let follows = match (was, is) {
                    (
                        ConsentState::Authorised,
                        Some(ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(_)),
                    ) => true,
                    (was, is) => is == Some(was),
                };
                ensure(follows, || format!("a customer decided {was:?} and {} is {is:?}", decided.id))
            }
            ActionResult::Countersigned(Ok(Some(said))) => {
                let id = said.id.clone();
                let stored = block_on(self.world.store.read(move |tx| tx.order_for_update(&id)))?;
                let agreed = |it: &Order| it.approvals.as_ref().map(|it| (it.count(), it.status));
                let decided = |it: &Order| agreed(it).is_some_and(|it| it.1 != ApprovalStatus::Awaiting);
                let follows = stored.as_ref().is_some_and(|it| agreed(it) == agreed(said) || decided(it));
                ensure(follows, || format!("a customer said {:?} and there is {stored:?}", agreed(said)))
            }
            ActionResult::Answered(_)
            | ActionResult::Decided(_)
            | ActionResult::Countersigned(_)
            | ActionResult::Ended(_) => Ok(()),
        }
    }

    /// A consent in its stored state.
    fn consent(&self, id: &ConsentId) -> Result<Option<Consent>, StoreError> {
        let id = id.clone();
        block_on(self.world.store.read(move |tx| tx.consent_any_owner(&id)))
    }

    /// Ends the episode: faults stop, all actions finish, and time passes until no work is left.
    fn come_to_rest(&mut self) -> Result<(), InvariantViolation> {
        // A node may still crash by a fault that was drawn before; its replacement has no faults.
        self.odds = FaultRates::CALM;
        self.nodes.iter().for_each(|node| node.gate.calm());
        self.world.core_apart().into_iter().for_each(SimulatedCore::calm);
        // The actions continue in turn, because one may wait for another.
        let mut turn = 0_usize;
        while let Some(next) = turn.checked_rem(self.tasks.len()) {
            self.go_on(next)?;
            turn = turn.saturating_add(1);
        }
        while self.deliver_late()? {}
        let Some(node) = self.nodes.first().cloned() else { return Ok(()) };
        self.world.move_bank_clock(self.latest.duration_since(self.world.clocks.bank_now()))?;
        for days in [0, 0, 3, 3, 7, 20, 10] {
            self.world.move_bank_clock(SignedDuration::from_hours(24 * days))?;
            // The time is longer than any lease and any delay.
            self.world.wait(SignedDuration::from_hours(1));
            let mut rounds = 0_usize;
            while self.work_once(&node)? {
                rounds = rounds.saturating_add(1);
                ensure(rounds < CALM_ROUNDS, || "workers never come to an end".to_owned())?;
            }
        }
        self.tally.mishaps =
            self.nodes.iter().fold(self.tally.mishaps, |sum, it| sum.saturating_add(it.gate.mishaps()));
        is_all_in_quarantine(&self.world)?;
        self.audit.check_final_state(&self.world, &self.model)
    }

    fn work_once(&mut self, node: &Node) -> Result<bool, InvariantViolation> {
        let mut worked = false;
        for work in WorkerKind::ALL {
            let threads = self.world.threads();
            let done = block_on(work.activate(node));
            drop(threads);
            let done =
                done.map_err(|error| InvariantViolation(format!("{work:?} fails when nothing goes wrong: {error:?}")))?;
            worked |= done > 0;
        }
        self.audit.check_step(&self.world, &self.model, &[])?;
        Ok(worked)
    }
}

fn widened((earliest, latest): (Timestamp, Timestamp), now: Timestamp) -> (Timestamp, Timestamp) {
    (earliest.min(now), latest.max(now))
}

fn short(done: &ActionResult) -> String {
    let failure = |failure: &Failure| match failure {
        Failure::Refused(refusal) => {
            format!("refused {:?} {:?}", refusal.kind, refusal.faults.iter().map(|it| it.code).collect::<Vec<_>>())
        }
        Failure::Unavailable(_) => "unavailable".to_owned(),
        Failure::Broken(why) => format!("broken: {why:?}"),
    };
    match done {
        ActionResult::Answered(answer) => match &**answer {
            Ok(actions::MadeResource::Consent(consent)) => format!("consent {} {:?}", consent.id, consent.state),
            Ok(actions::MadeResource::Order(order)) => {
                format!("order {} {:?}", order.id, order.status_history.current().status)
            }
            Ok(actions::MadeResource::File) => "the file is taken".to_owned(),
            Err(error) => failure(error),
        },
        ActionResult::Decided(Ok(Some(consent))) => format!("consent {} {:?}", consent.id, consent.state),
        ActionResult::Countersigned(Ok(Some(order))) => format!("order {} {:?}", order.id, order.detailed_status()),
        ActionResult::Decided(Ok(None)) | ActionResult::Countersigned(Ok(None)) | ActionResult::Ended(Ok(())) => {
            "well".to_owned()
        }
        ActionResult::Decided(Err(error))
        | ActionResult::Countersigned(Err(error))
        | ActionResult::Ended(Err(error)) => failure(error),
    }
}
