//! Payment channels and their bank transaction codes. Source: AIS-128.

use lombard_domain::account::{BankTransactionCode, ProprietaryCode};
use lombard_domain::money::CreditDebit;
use serde::{Deserialize, Serialize};

/// The channel of a movement of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Faster Payments.
    FasterPayment,
    /// Bacs.
    Bacs,
    /// CHAPS.
    Chaps,
    /// A transfer from a card to another card or to an account.
    CardTransfer,
    /// A salary paid by Bacs.
    Salary,
    /// A direct debit.
    DirectDebit,
    /// A standing order.
    StandingOrder,
    /// A cross-border payment.
    CrossBorder,
    /// A transfer within the bank.
    Internal,
    /// A debit card transaction.
    DebitCard,
    /// A credit card transaction.
    CreditCard,
    /// A cash machine withdrawal.
    CashMachine,
    /// Interest.
    Interest,
    /// A charge of the bank.
    Fee,
    /// Cashback on purchases.
    Cashback,
}

struct Codes {
    /// The family and sub-family codes of a credit.
    credit: (&'static str, &'static str),
    /// The family and sub-family codes of a debit.
    debit: (&'static str, &'static str),
    /// The bank's own code.
    own: &'static str,
}

impl Channel {
    const fn codes(self) -> Codes {
        let (credit, debit, own) = match self {
            Self::FasterPayment => (
                ("ReceivedRealTimeCreditTransfer", "DomesticCreditTransfer"),
                ("IssuedRealTimeCreditTransfer", "DomesticCreditTransfer"),
                "FPS",
            ),
            Self::Bacs => (
                ("ReceivedCreditTransfers", "DomesticCreditTransfer"),
                ("IssuedCreditTransfers", "DomesticCreditTransfer"),
                "BAC",
            ),
            Self::Chaps => (
                ("ReceivedCreditTransfers", "PriorityCreditTransfer"),
                ("IssuedCreditTransfers", "PriorityCreditTransfer"),
                "CHP",
            ),
            Self::CardTransfer => (
                ("ReceivedCreditTransfers", "CreditTransferWithAgreedCommercialInformation"),
                ("IssuedCreditTransfers", "CreditTransferWithAgreedCommercialInformation"),
                "CTR",
            ),
            Self::Salary => (
                ("ReceivedCreditTransfers", "PayrollSalaryPayment"),
                ("IssuedCreditTransfers", "PayrollSalaryPayment"),
                "SAL",
            ),
            Self::DirectDebit => {
                (("IssuedDirectDebits", "DirectDebitPayment"), ("ReceivedDirectDebits", "DirectDebit"), "DD")
            }
            Self::StandingOrder => {
                (("ReceivedCreditTransfers", "StandingOrder"), ("IssuedCreditTransfers", "StandingOrder"), "SO")
            }
            Self::CrossBorder => (
                ("ReceivedCreditTransfers", "CrossBorderCreditTransfer"),
                ("IssuedCreditTransfers", "CrossBorderCreditTransfer"),
                "INT",
            ),
            Self::Internal => (
                ("ReceivedCreditTransfers", "InternalBookTransfer"),
                ("IssuedCreditTransfers", "InternalBookTransfer"),
                "TFR",
            ),
            Self::DebitCard => (
                ("CustomerCardTransactions", "Reimbursement"),
                ("CustomerCardTransactions", "PointOfSalePOSPaymentDebitCard"),
                "DEB",
            ),
            Self::CreditCard => (
                ("CustomerCardTransactions", "Reimbursement"),
                ("CustomerCardTransactions", "CreditCardPayment"),
                "CRD",
            ),
            Self::CashMachine => {
                (("CustomerCardTransactions", "CashDeposit"), ("CustomerCardTransactions", "CashWithdrawal"), "ATM")
            }
            Self::Interest => {
                (("MiscellaneousCreditOperations", "Interests"), ("MiscellaneousDebitOperations", "Interests"), "INTR")
            }
            Self::Fee => (("MiscellaneousCreditOperations", "Fees"), ("MiscellaneousDebitOperations", "Fees"), "CHG"),
            Self::Cashback => (
                ("MiscellaneousCreditOperations", "Adjustments"),
                ("MiscellaneousDebitOperations", "Adjustments"),
                "CBK",
            ),
        };
        Codes { credit, debit, own }
    }

    /// The ISO bank transaction code of an entry in this direction, as long names.
    pub fn bank_code(self, direction: CreditDebit) -> BankTransactionCode {
        let codes = self.codes();
        let (code, sub_code) = match direction {
            CreditDebit::Credit => codes.credit,
            CreditDebit::Debit => codes.debit,
        };
        BankTransactionCode { code: code.to_owned(), sub_code: sub_code.to_owned() }
    }

    /// The bank's own code.
    pub fn own_code(self) -> ProprietaryCode {
        ProprietaryCode { code: self.codes().own.to_owned(), issuer: Some(super::names::BANK_NAME.to_owned()) }
    }
}
