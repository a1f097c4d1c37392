//! What somebody outside decides about an order: the schemes and other banks a sandbox does not have, and the customer in the
//! bank's own channel. Runs the scheduler's steps at once.

use super::case::Case;
use super::dossier::{PaymentInProgress, Standing, Step};
use super::kept::Kept;
use super::shown;
use super::when::When;
use crate::diary;
use crate::market::Market;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_domain::order::Reason;
use lombard_ports::bank::OrderUpdate;
use lombard_ports::clock::Clocks;
use lombard_ports::controls::Outcome;
use lombard_ports::store::StoreError;

/// Why an outcome did not come about.
#[derive(Debug, thiserror::Error)]
pub enum OutcomeError {
    /// The bank has no order of this id.
    #[error("the bank has no such order")]
    Unknown,
    /// It does not follow from where the order stands; the sentence says why.
    #[error("{0}")]
    Impossible(&'static str),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StoreError),
}

/// Lets an order come to an outcome at once: the newest of its payments that is under way, or the order itself while it is
/// held or kept. What is exchanged is exchanged at the market's prices of now.
///
/// # Errors
/// [`OutcomeError`]; nothing has changed then.
pub fn outcome(
    tx: &mut dyn Tables,
    id: &OrderId,
    outcome: Outcome,
    clocks: &Clocks,
    market: &Market,
) -> Result<(), OutcomeError> {
    diary::alone(tx, clocks.wall())?;
    let now = clocks.read_bank_time(tx)?;
    let order = tx.bank_order_for_update(id)?.ok_or(OutcomeError::Unknown)?;
    let mut case = Case::open(order, market)?;
    // From here on somebody else decides.
    case.dossier.trigger = None;
    match case.dossier.standing {
        Standing::Over => return Err(OutcomeError::Impossible("nothing is left to decide about the order")),
        Standing::Taken | Standing::Held => begin(&mut case, tx, outcome, now)?,
        Standing::Open => go(&mut case, tx, outcome, now)?,
    }
    case.end_if_done();
    case.close(tx)?;
    Ok(())
}

/// An order nothing was decided about.
fn begin(case: &mut Case<'_>, tx: &mut dyn Tables, outcome: Outcome, now: Timestamp) -> Result<(), OutcomeError> {
    match outcome {
        Outcome::Rejected(why) => case.reject_order(why, now),
        Outcome::Cancelled if matches!(case.dossier.when, When::Now) => {
            (case.dossier.standing, case.dossier.next) = (Standing::Over, None);
            case.tell(now, OrderUpdate::Cancelled(Reason::CancelledByCustomer));
        }
        Outcome::Settled | Outcome::Credited | Outcome::WithoutPosting | Outcome::Cancelled => {
            // It is as if it came in now: nothing of it is paid on a day that has passed meanwhile.
            case.dossier.taken_at = Kept(now);
            case.decide(tx, now)?;
            // What is to be kept can be taken back once it is, and nothing else before its day (SCH-007).
            let goes_on = matches!(case.dossier.when, When::Now) || outcome == Outcome::Cancelled;
            if case.dossier.standing == Standing::Open && goes_on {
                go(case, tx, outcome, now)?;
            }
        }
    }
    Ok(())
}

/// An order whose payments are made.
fn go(case: &mut Case<'_>, tx: &mut dyn Tables, outcome: Outcome, now: Timestamp) -> Result<(), OutcomeError> {
    let Some(payment) = case.dossier.under_way.pop() else { return kept(case, tx, outcome, now) };
    match (payment.step, outcome) {
        (_, Outcome::Cancelled) => Err(OutcomeError::Impossible("a payment that is under way cannot be taken back")),
        (Step::Debited | Step::Unposted, Outcome::Settled) | (Step::Unposted, Outcome::WithoutPosting) => {
            Err(OutcomeError::Impossible("the payment stands there already, or beyond"))
        }
        (Step::Reserved, Outcome::Rejected(why)) => Ok(case.release(tx, &payment, why, now)?),
        (Step::Reserved, Outcome::Settled) => Ok(case.step(tx, payment, now)?),
        (Step::Reserved, Outcome::Credited | Outcome::WithoutPosting) => {
            case.step(tx, payment, now)?;
            if case.dossier.under_way.last().is_some_and(|it| it.step == Step::Debited) {
                return go(case, tx, outcome, now);
            }
            Ok(())
        }
        (Step::Debited, Outcome::WithoutPosting) => {
            case.leave_unposted(payment, None, now);
            Ok(())
        }
        (Step::Debited, Outcome::Rejected(why)) => {
            case.leave_unposted(payment, None, now);
            let returned = case.dossier.under_way.pop();
            returned.map_or(Ok(()), |it| Ok(case.give_back(tx, it, why, now)?))
        }
        (Step::Debited | Step::Unposted, Outcome::Credited) => credit(case, tx, payment, now),
        (Step::Unposted, Outcome::Rejected(why)) => Ok(case.give_back(tx, payment, why, now)?),
    }
}

fn credit(
    case: &mut Case<'_>,
    tx: &mut dyn Tables,
    payment: PaymentInProgress,
    now: Timestamp,
) -> Result<(), OutcomeError> {
    let to = case.money().whereabouts(tx)?;
    if matches!(to, super::money::PayeeLocation::Unusable) {
        return Err(OutcomeError::Impossible("the payee's account cannot be credited"));
    }
    Ok(case.post(tx, &payment, &to, now)?)
}

/// An order that waits for its day.
fn kept(case: &mut Case<'_>, tx: &mut dyn Tables, outcome: Outcome, now: Timestamp) -> Result<(), OutcomeError> {
    match outcome {
        Outcome::Cancelled => {
            case.dossier.next = None;
            case.tell(now, OrderUpdate::Cancelled(Reason::CancelledByCustomer));
            Ok(shown::end(tx, case)?)
        }
        Outcome::Settled | Outcome::Credited | Outcome::WithoutPosting | Outcome::Rejected(_) => {
            Err(OutcomeError::Impossible("no payment of the order is under way; move the bank's clock to its day"))
        }
    }
}
