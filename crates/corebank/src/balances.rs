//! Builds the balances that a TPP reads from an account's sums. Source: AIS-110 to AIS-112.

use crate::storage::AccountSums;
use jiff::Timestamp;
use lombard_domain::account::{AccountSubType, Balance, BalanceType, CreditLine, CreditLineType};
use lombard_domain::money::SignedAmount;
use lombard_ports::bank::BankError;

/// The booked balance, and the available balance: booked, less reservations, plus the credit line.
///
/// # Errors
/// [`BankError::Broken`] if a sum exceeds 64 bits.
pub(super) fn of(row: &AccountSums, at: Timestamp) -> Result<[Balance; 2], BankError> {
    let available = row
        .sums
        .booked
        .checked_add(row.sums.pending)
        .and_then(|sum| sum.checked_add(row.credit_limit))
        .ok_or_else(|| BankError::Broken("a balance is out of range".to_owned()))?;
    let balance = |kind, minor, line_included| Balance {
        account: row.id.clone(),
        kind,
        at,
        sum: SignedAmount::from_minor(minor, row.currency),
        credit_lines: credit_line(row, line_included).into_iter().collect(),
    };
    Ok([
        balance(BalanceType::InterimAvailable, available, true),
        balance(BalanceType::InterimBooked, row.sums.booked, false),
    ])
}

/// The whole arranged credit line; the unused part is included in the available balance.
fn credit_line(row: &AccountSums, included: bool) -> Option<CreditLine> {
    let kind = match row.sub_type {
        AccountSubType::CreditCard | AccountSubType::ChargeCard => CreditLineType::Credit,
        AccountSubType::CurrentAccount
        | AccountSubType::EMoney
        | AccountSubType::Loan
        | AccountSubType::Mortgage
        | AccountSubType::PrePaidCard
        | AccountSubType::Savings => CreditLineType::PreAgreed,
    };
    let amount = SignedAmount::from_minor(row.credit_limit, row.currency).amount();
    (row.credit_limit > 0).then_some(CreditLine { included, kind, amount })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::account::AccountStatus;
    use lombard_domain::ledger::LedgerSums;
    use lombard_domain::money::Currency;

    fn row(sub_type: AccountSubType, credit_limit: i64, booked: i64, pending: i64) -> AccountSums {
        AccountSums {
            id: "a".into(),
            currency: Currency::GBP,
            status: AccountStatus::Enabled,
            sub_type,
            eligible: true,
            credit_limit,
            sums: LedgerSums { booked, pending },
        }
    }

    #[test]
    fn ais_110_available_counts_reservations_and_the_credit_line_and_booked_neither() {
        for (sub_type, limit, booked, pending, expected) in [
            (AccountSubType::Savings, 0, 5_000, 0, 5_000),
            (AccountSubType::CurrentAccount, 0, 5_000, -1_200, 3_800),
            (AccountSubType::CurrentAccount, 25_000, -10_000, -1_000, 14_000),
            (AccountSubType::CreditCard, 300_000, -310_000, 0, -10_000),
        ] {
            let [available, interim] = of(&row(sub_type, limit, booked, pending), Timestamp::UNIX_EPOCH).unwrap();
            assert_eq!((available.kind, interim.kind), (BalanceType::InterimAvailable, BalanceType::InterimBooked));
            assert_eq!((available.sum.minor(), interim.sum.minor()), (expected, booked));
        }
        assert!(of(&row(AccountSubType::Savings, 1, i64::MAX, 0), Timestamp::UNIX_EPOCH).is_err());
    }

    #[test]
    fn ais_112_a_credit_line_says_whether_the_balance_counts_it() {
        for (sub_type, kind) in [
            (AccountSubType::CurrentAccount, CreditLineType::PreAgreed),
            (AccountSubType::CreditCard, CreditLineType::Credit),
        ] {
            let balances = of(&row(sub_type, 300_000, -42, 0), Timestamp::UNIX_EPOCH).unwrap();
            let amount = SignedAmount::from_minor(300_000, Currency::GBP).amount();
            assert_eq!(balances[0].credit_lines, [CreditLine { included: true, kind, amount }]);
            assert_eq!(balances[1].credit_lines, [CreditLine { included: false, kind, amount }]);
        }
        let without = of(&row(AccountSubType::Savings, 0, 1, 0), Timestamp::UNIX_EPOCH).unwrap();
        assert!(without.iter().all(|balance| balance.credit_lines.is_empty()));
    }
}
