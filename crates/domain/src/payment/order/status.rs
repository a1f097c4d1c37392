//! The status of one payment and its transitions, shared by all orders. Source: sections 1.4 and 1.5.
//!
//! Statuses are stored in the detail of v4.0; v3.1 is shown a summary.

/// The status of a payment. Source: PIS-092 (without the statuses of cancellation requests), V4-003.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaymentStatus {
    /// The bank has received the payment.
    Received,
    /// Some of the required PSUs have approved. Only an approval or its failure can change the status.
    PartiallyAuthorised,
    /// Authentication and syntax are valid.
    TechnicallyValid,
    /// A check, or the day of execution, is pending.
    Pending,
    /// The checks of the customer are passed.
    CustomerAccepted,
    /// The funds are sufficient.
    FundsChecked,
    /// All checks are passed; the funds are reserved and the payment is being executed.
    InProcess,
    /// Like [`Self::InProcess`], but with a change, for example of the date.
    AcceptedWithChange,
    /// The debtor account is debited.
    Settled,
    /// The payee's bank has received the payment and not posted it.
    WithoutPosting,
    /// The payee's bank has received the payment and blocked it.
    Blocked,
    /// The creditor account is credited. Final.
    Credited,
    /// The payment was rejected. Final.
    Rejected,
    /// The payment was cancelled before its execution. Final.
    Cancelled,
}

impl PaymentStatus {
    /// Every status.
    pub const ALL: [Self; 14] = [
        Self::Received,
        Self::PartiallyAuthorised,
        Self::TechnicallyValid,
        Self::Pending,
        Self::CustomerAccepted,
        Self::FundsChecked,
        Self::InProcess,
        Self::AcceptedWithChange,
        Self::Settled,
        Self::WithoutPosting,
        Self::Blocked,
        Self::Credited,
        Self::Rejected,
        Self::Cancelled,
    ];

    /// Whether the status is final.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Credited | Self::Rejected | Self::Cancelled)
    }

    /// Whether no money has been moved or reserved yet.
    pub const fn is_preparing(self) -> bool {
        match self {
            Self::Received
            | Self::PartiallyAuthorised
            | Self::TechnicallyValid
            | Self::Pending
            | Self::CustomerAccepted
            | Self::FundsChecked => true,
            Self::InProcess
            | Self::AcceptedWithChange
            | Self::Settled
            | Self::WithoutPosting
            | Self::Blocked
            | Self::Credited
            | Self::Rejected
            | Self::Cancelled => false,
        }
    }

    /// Whether the debtor account has been debited.
    pub const fn is_debited(self) -> bool {
        matches!(self, Self::Settled | Self::WithoutPosting | Self::Blocked | Self::Credited)
    }

    /// Whether the next status may follow this one. Preparation only moves forward and may skip steps; a rejection may
    /// follow even after the debit, because schemes do that (PIS-048).
    pub fn may_become(self, next: Self) -> bool {
        use PaymentStatus as S;
        match self {
            S::PartiallyAuthorised => matches!(next, S::TechnicallyValid | S::Rejected | S::Cancelled),
            S::Received | S::TechnicallyValid | S::Pending | S::CustomerAccepted | S::FundsChecked => {
                (next.is_preparing() && next > self) || matches!(next, S::InProcess | S::Rejected | S::Cancelled)
            }
            S::InProcess => matches!(next, S::AcceptedWithChange | S::Settled | S::Rejected),
            S::AcceptedWithChange => matches!(next, S::Settled | S::Rejected),
            S::Settled => matches!(next, S::WithoutPosting | S::Blocked | S::Credited),
            S::WithoutPosting | S::Blocked => matches!(next, S::Credited | S::Rejected),
            S::Credited | S::Rejected | S::Cancelled => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PaymentStatus as S;

    #[test]
    fn table_1_4_only_final_statuses_have_no_way_on_and_none_has_a_way_back() {
        for from in S::ALL {
            assert_eq!(S::ALL.into_iter().any(|next| from.may_become(next)), !from.is_final(), "{from:?}");
            for to in S::ALL.into_iter().filter(|to| from.may_become(*to)) {
                assert!(!to.may_become(from), "{from:?} and {to:?}");
            }
        }
    }

    #[test]
    fn table_1_4_the_statuses_of_preparation_and_after_the_debit() {
        let those = |has: fn(S) -> bool| S::ALL.into_iter().filter(|it| has(*it)).collect::<Vec<_>>();
        assert_eq!(those(S::is_debited), [S::Settled, S::WithoutPosting, S::Blocked, S::Credited]);
        assert_eq!(
            those(|it| !it.is_preparing() && !it.is_debited()),
            [S::InProcess, S::AcceptedWithChange, S::Rejected, S::Cancelled]
        );
    }

    #[test]
    fn table_1_4_the_edges_of_the_standard_are_there() {
        for (from, to) in [
            (S::Received, S::Pending),
            (S::Pending, S::InProcess),
            (S::Pending, S::Rejected),
            (S::InProcess, S::Settled),
            (S::Settled, S::Credited),
            (S::Settled, S::WithoutPosting),
            (S::WithoutPosting, S::Credited),
            (S::WithoutPosting, S::Rejected),
            (S::InProcess, S::Rejected),
        ] {
            assert!(from.may_become(to), "{from:?} to {to:?}");
        }
        for (from, to) in [
            (S::Pending, S::Settled),
            (S::InProcess, S::Cancelled),
            (S::Settled, S::Rejected),
            (S::PartiallyAuthorised, S::InProcess),
            (S::PartiallyAuthorised, S::Pending),
        ] {
            assert!(!from.may_become(to), "{from:?} to {to:?}");
        }
    }
}
