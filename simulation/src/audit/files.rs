//! Invariants of files. An announced file is stored completely or not at all, and every line is paid once or rejected once.

use super::observed::{Audit, MOST, ObservedOrder};
use super::orders::PaymentAtBank;
use crate::fault_injection::block_on;
use crate::intents::FileSent;
use crate::model::ExpectedState;
use crate::promise::{InvariantViolation, ensure};
use crate::world::World;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::OrderId;
use lombard_domain::payment::file::{FileLine, FileProgress};
use lombard_domain::payment::order::{DetailedStatus, Order, PaymentExecution, PaymentStatus};
use lombard_domain::payment::transfer::{CreditorDetails, Instrument, Timing, Transfer};
use std::sync::Arc;

/// The file that a consent announced.
fn announced<'a>(model: &'a ExpectedState, consent: &Consent) -> Option<&'a Arc<FileSent>> {
    let terms = consent.request.payment()?.terms.instruction.file()?;
    model.files.get(&terms.hash)
}

/// Checks that a consent that no longer awaits its file has the complete announced file: neither a part of it nor another file. Source:
/// FILE-009, FILE-011, FILE-014.
pub(super) fn is_whole(world: &World, model: &ExpectedState, consent: &Consent) -> Result<(), InvariantViolation> {
    let Some(announced) = announced(model, consent) else { return Ok(()) };
    let id = &consent.id;
    let taken = consent.request.payment().and_then(|payment| payment.file.clone());
    let Some(taken) = taken else {
        return ensure(consent.state == ConsentState::Rejected, || {
            format!("consent {id} is {:?} without its file", consent.state)
        });
    };
    ensure(announced.is_sound, || format!("consent {id} took a file that is not what was said of it"))?;
    let upload = taken.id.clone();
    let (bytes, lines) = block_on(world.store.read(move |tx| {
        let mut bytes = Vec::new();
        let mut number = 0_u32;
        while let Some(piece) = tx.upload_piece(&upload, number)? {
            bytes.extend(piece);
            number = number.saturating_add(1);
        }
        Ok::<_, InvariantViolation>((bytes, tx.file_lines(&upload, 0, MOST)?))
    }))?;
    let whole = bytes == announced.bytes && lines == announced.lines;
    let counted = usize::try_from(taken.totals.count).ok() == Some(lines.len());
    let sized = usize::try_from(taken.bytes).ok() == Some(bytes.len());
    ensure(whole && counted && sized, || {
        format!("consent {id} took {} bytes and {} lines of {}", bytes.len(), lines.len(), announced.bytes.len())
    })
}

impl Audit {
    /// Whether an order belongs to a file payment.
    pub(crate) fn is_of_file(&self, order: &OrderId) -> bool {
        self.seen.get(order).is_some_and(|seen| seen.order.product.requires_file())
    }

    /// Checks that an order's payments are those of its file, each once, and that the order's status follows from theirs. Source: FILE-023.
    pub(super) fn is_of_its_file(
        &self,
        model: &ExpectedState,
        consent: &Consent,
        order: &Order,
        executions: &[PaymentExecution],
    ) -> Result<(), InvariantViolation> {
        let id = &order.id;
        let (Some(file), Some(progress)) = (announced(model, consent), order.progress) else {
            return Err(InvariantViolation(format!("order {id} is of no file")));
        };
        let begun = executions.len();
        let mut numbered = executions.iter().zip(&file.lines);
        let same = numbered.all(|(it, line)| (it.number, it.amount) == (line.number, line.amount));
        ensure(same && begun <= file.lines.len(), || format!("order {id} pays {executions:?} of {:?}", file.lines))?;
        let known = |it: &&PaymentExecution| {
            it.status != PaymentStatus::Received && (it.number <= progress.submitted || it.last_update > 0)
        };
        let rejected =
            |it: &&PaymentExecution| it.last_update == 0 || self.made.get(&id.for_line(it.number)) == Some(&false);
        let decided = executions.iter().filter(known);
        let due = FileProgress {
            count: u32::try_from(file.lines.len()).unwrap_or(u32::MAX),
            submitted: progress.submitted,
            decided: u32::try_from(decided.clone().count()).unwrap_or(u32::MAX),
            rejected: u32::try_from(decided.filter(rejected).count()).unwrap_or(u32::MAX),
        };
        let given = usize::try_from(progress.submitted).is_ok_and(|given| given <= begun);
        ensure(progress == due && given, || {
            format!("order {id} has come {progress:?} instead of {due:?}: {executions:?}")
        })?;
        let ended = (due.submitted == due.count && due.decided == due.count).then_some(due.rejected < due.count);
        let shown = match order.detailed_status() {
            DetailedStatus::SetUp => Some(true),
            DetailedStatus::SetUpFailed if begun > 0 => Some(false),
            DetailedStatus::SetUpFailed | DetailedStatus::Payment(_) => None,
        };
        ensure(ended == shown, || format!("order {id} stands at {:?} with {progress:?}", order.detailed_status()))
    }

    /// The transfer of a payment of an order.
    pub(super) fn transfer(
        &self,
        model: &ExpectedState,
        order: &Order,
        number: u32,
        paid: &PaymentAtBank,
    ) -> Option<Transfer> {
        if let Some(transfer) = order.instruction.transfer() {
            return Some(Transfer { amount: paid.amount, ..transfer.clone() });
        }
        let file = announced(model, self.consents.get(&order.consent)?)?;
        let FileLine { payee, references, .. } = file.lines.iter().find(|line| line.number == number)?;
        let payee = payee.as_ref().ok()?;
        let creditor = payee.creditor.clone();
        let instrument = Some(Instrument::FasterPayments);
        let credit = CreditorDetails { instrument, creditor, address: None, references: references.clone() };
        Some(Transfer::domestic(credit, paid.amount, Timing::Immediate))
    }

    /// Checks that every paid line of a file reached the bank, and that no line that was refused before did. Source: FILE-023.
    pub(super) fn lines_at_bank(
        &self,
        world: &World,
        seen: &ObservedOrder,
        agreed: bool,
    ) -> Result<String, InvariantViolation> {
        let id = seen.order.id.clone();
        let payments = seen.payments.len();
        let count = seen.order.progress.map_or(0, |it| it.count);
        let begun = usize::try_from(count).ok() == Some(payments);
        ensure(agreed == begun, || format!("order {id} is agreed to: {agreed}; {payments} of {count} are begun"))?;
        let lines: Vec<_> = (1..=count).map(|number| (number, id.for_line(number))).collect();
        let asked = lines.clone();
        let at_bank = block_on(world.bank.read(move |tx| {
            let found: Result<Vec<_>, _> = asked.iter().map(|(_, line)| tx.bank_order_for_update(line)).collect();
            found
        }))?;
        let executions = block_on(world.store.read(move |tx| tx.executions(&id, 0, MOST)))?;
        for ((number, line), order) in lines.iter().zip(&at_bank) {
            let refused = executions
                .iter()
                .any(|it| it.number == *number && it.last_update == 0 && it.status == PaymentStatus::Rejected);
            ensure(order.is_some() == (agreed && !refused), || {
                format!("{line} is refused: {refused}; at the bank: {order:?}")
            })?;
        }
        Ok(format!("{at_bank:?}"))
    }

    /// Checks that no upload remains that belongs to no consent.
    pub(super) fn nothing_is_abandoned(&self, world: &World) -> Result<(), InvariantViolation> {
        let left = block_on(world.store.read(|tx| tx.uploads_abandoned(Timestamp::MAX, MOST)))?;
        ensure(left.is_empty(), || format!("{left:?} are nobody's"))
    }
}
