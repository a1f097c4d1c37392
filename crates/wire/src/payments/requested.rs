//! The common result of parsing an initiation.

use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::Transfer;

/// A parsed initiation: the instruction and, if named, the debtor account.
#[derive(Debug)]
pub(crate) struct RequestedPayment {
    pub(crate) instruction: Instruction,
    pub(crate) debtor: Option<AccountIdentification>,
    /// Whether a standing order has a frequency pattern of v3.1 where v4.0 has codes. Source: V4-017.
    pub(crate) legacy_frequency: bool,
}

impl RequestedPayment {
    pub(crate) fn paying(transfer: Transfer, debtor: Option<impl Into<AccountIdentification>>) -> Self {
        Self { instruction: transfer.into(), debtor: debtor.map(Into::into), legacy_frequency: false }
    }
}
