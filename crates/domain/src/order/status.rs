//! How one payment stands, and what it may become: the machine below every order. Source: sections 1.4 and 1.5.
//!
//! Statuses are kept as finely as v4.0 tells them apart; older versions show less of the same.

/// How one payment stands. Source: PIS-092 (the part of it that is not about requests to cancel), V4-003.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaymentStatus {
    /// The bank has it.
    Received,
    /// Some of the customers who must agree have agreed. Only they can move it.
    PartiallyAuthorised,
    /// Authentication and form are right.
    TechnicallyValid,
    /// Something is still to come: a check, or its day.
    Pending,
    /// The customer may pay it.
    CustomerAccepted,
    /// There is money for it.
    FundsChecked,
    /// All checks are passed; the money is reserved and on its way.
    InProcess,
    /// As [`Self::InProcess`], with a change (of its date, say).
    AcceptedWithChange,
    /// The payer's account is debited.
    Settled,
    /// The payee's bank has it and has not posted it.
    WithoutPosting,
    /// The payee's bank has it and holds it back.
    Blocked,
    /// The payee's account is credited. Final.
    Credited,
    /// It was refused. Final.
    Rejected,
    /// It was taken back before it was executed. Final.
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

    /// Whether nothing can change it any more.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Credited | Self::Rejected | Self::Cancelled)
    }

    /// Whether no money has moved and none is reserved for it yet.
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

    /// Whether the payer's account has been debited.
    pub const fn is_debited(self) -> bool {
        matches!(self, Self::Settled | Self::WithoutPosting | Self::Blocked | Self::Credited)
    }

    /// Whether a payment in this status may come to be in the next. Preparation only moves forward and may skip steps;
    /// a rejection may come even after the money has left, for schemes do that (PIS-048).
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
    fn table_1_4_money_moves_after_the_preparation_and_before_the_debit_is_told() {
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
