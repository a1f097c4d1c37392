//! Orders that do not move: counted for the metric, and asked about at the bank.

use super::*;
use jiff::Timestamp;
use lombard_domain::code::StoredCode;
use lombard_domain::payment::order::UnsettledStage;

/// The age bands of stalled orders, from the youngest: the label, and the age since the expected end from which a band begins.
const AGE_BANDS: [(&str, SignedDuration); 3] = [
    ("1h", SignedDuration::from_hours(1)),
    ("1d", SignedDuration::from_hours(24)),
    ("7d", SignedDuration::from_hours(168)),
];

/// How long after its expected end the bank is asked about an order (bank clock). Status updates usually come within seconds.
const ASKED_AFTER: SignedDuration = SignedDuration::from_mins(2);
/// The number of orders that one activation asks about.
const ASKED_TOGETHER: u32 = 100;

/// Sets the gauges of orders that should have ended and have not. The caller runs this periodically.
///
/// # Errors
/// Storage's failure.
pub async fn measure_stalled_orders(context: &Context) -> Result<(), Failure> {
    let now = context.clocks.bank_now();
    let times: Vec<_> = AGE_BANDS.iter().map(|(_, age)| now.saturating_sub(*age).unwrap_or(Timestamp::MIN)).collect();
    let counts = context.store.read(move |tx| tx.orders_unsettled_counts(&times)).await?;
    for ((age, _), counts) in AGE_BANDS.iter().zip(counts) {
        for stage in UnsettledStage::ALL {
            let count = counts.iter().find(|(counted, _)| *counted == stage).map_or(0, |(_, count)| *count);
            let gauge = metrics::gauge!("lombard_orders_stalled", "state" => stage.code(), "age" => *age);
            gauge.set(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }
    Ok(())
}

/// Asks the bank about orders that should have ended, some at each activation, and takes over what was lost. An order that was
/// placed again after a restore therefore continues without an operator.
#[derive(Debug)]
pub struct FollowUp {
    reconciler: Reconciler,
    position: parking_lot::Mutex<Option<OrderPosition>>,
}

impl FollowUp {
    /// Begins with the order that was due first.
    pub fn new(context: &Context) -> Self {
        Self { reconciler: Reconciler::from(context), position: parking_lot::Mutex::default() }
    }

    /// Asks about the next orders. After the last one, the next activation begins with the first again. A bank that does not say how
    /// orders stand is not asked.
    ///
    /// # Errors
    /// The bank's failure or storage's.
    pub async fn ask_about_overdue_orders(&self) -> Result<(), Failure> {
        let reconciler = &self.reconciler;
        let until = reconciler.clocks.bank_now().saturating_sub(ASKED_AFTER).unwrap_or(Timestamp::MIN);
        let begin = || OrderPosition { at: Timestamp::MIN, id: OrderId::new("") };
        let after = self.position.lock().take().unwrap_or_else(begin);
        let page = reconciler.store.read(move |tx| tx.orders_unsettled(&after, until, ASKED_TOGETHER)).await?;
        if page.orders.is_empty() {
            return Ok(());
        }
        match reconciler.compare_orders(page.orders, false).await {
            Ok(_) => {}
            Err(failure) if is_unknown_method(&failure) => return Ok(()),
            Err(failure) => return Err(failure),
        }
        *self.position.lock() = page.next;
        Ok(())
    }
}
