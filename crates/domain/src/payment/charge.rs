//! The charges of payments. Source: PIS-100, PIS-101.

use crate::money::Amount;
use serde::{Deserialize, Serialize};

/// The party that bears a charge. Source: PIS-101.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChargeBearer {
    /// The creditor.
    Creditor,
    /// The debtor.
    Debtor,
    /// The bearer that the service level defines.
    ServiceLevel,
    /// Debtor and creditor each bear the charges of their own side.
    Shared,
}

crate::code::document_codes! {
    ChargeBearer {
        Creditor = "creditor", Debtor = "debtor", ServiceLevel = "service-level", Shared = "shared",
    }
}

/// The purpose of a charge. Source: PIS-100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChargeType {
    /// A payment by CHAPS.
    ChapsOut,
    /// A balance transfer.
    BalanceTransferOut,
    /// A money transfer.
    MoneyTransferOut,
    /// A payment through a correspondent bank.
    SwiftOut,
}

crate::code::document_codes! {
    ChargeType {
        ChapsOut = "chaps-out", BalanceTransferOut = "balance-transfer-out", MoneyTransferOut = "money-transfer-out",
        SwiftOut = "swift-out",
    }
}

/// A charge for a payment. Source: PIS-100, `OBCharge2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The party that pays the charge.
    pub bearer: ChargeBearer,
    /// The purpose of the charge.
    pub kind: ChargeType,
    /// The amount of the charge.
    pub amount: Amount,
}
