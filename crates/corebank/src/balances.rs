//! Computes the balances that a TPP reads from an account's ledger sums. Source: AIS-110 to AIS-112.

use crate::storage::AccountSums;
use jiff::Timestamp;
use lombard_domain::account::{AccountSubType, Balance, BalanceType, CreditLine, CreditLineType};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::exchange::ConversionRate;
use lombard_ports::bank::BankError;

/// The currency to which the balances of accounts in other currencies are converted.
pub(super) const LOCAL_CURRENCY: Currency = Currency::GBP;

/// Returns the booked balance and the available balance. The available balance is the booked one, less reservations, plus the credit
/// line. For an account in another currency, `rate` converts one unit of it to pounds.
///
/// # Errors
/// [`BankError::Broken`] if a sum exceeds 64 bits.
pub(super) fn build_balances(
    row: &AccountSums,
    at: Timestamp,
    rate: Option<ConversionRate>,
) -> Result<[Balance; 2], BankError> {
    let available = row
        .sums
        .booked
        .checked_add(row.sums.pending)
        .and_then(|sum| sum.checked_add(row.credit_limit))
        .ok_or_else(|| BankError::Broken("a balance is out of range".to_owned()))?;
    let balance = |kind, minor, line_included| {
        let sum = SignedAmount::from_minor(minor, row.currency);
        let local = rate.and_then(|rate| rate.convert_to_transfer_currency(sum.amount(), LOCAL_CURRENCY).ok());
        let credit_lines = credit_line(row, line_included).into_iter().collect();
        Balance { account: row.id.clone(), kind, at, sum, local, credit_lines }
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
    use lombard_domain::money::Amount;

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
    fn ais_110_available_has_reservations_and_credit_line_and_booked_neither() {
        for (sub_type, limit, booked, pending, expected) in [
            (AccountSubType::Savings, 0, 5_000, 0, 5_000),
            (AccountSubType::CurrentAccount, 0, 5_000, -1_200, 3_800),
            (AccountSubType::CurrentAccount, 25_000, -10_000, -1_000, 14_000),
            (AccountSubType::CreditCard, 300_000, -310_000, 0, -10_000),
        ] {
            let [available, interim] =
                build_balances(&row(sub_type, limit, booked, pending), Timestamp::UNIX_EPOCH, None).unwrap();
            assert_eq!((available.kind, interim.kind), (BalanceType::InterimAvailable, BalanceType::InterimBooked));
            assert_eq!((available.sum.minor(), interim.sum.minor()), (expected, booked));
        }
        assert!(build_balances(&row(AccountSubType::Savings, 1, i64::MAX, 0), Timestamp::UNIX_EPOCH, None).is_err());
    }

    #[test]
    fn ais_112_a_credit_line_says_whether_the_balance_counts_it() {
        for (sub_type, kind) in [
            (AccountSubType::CurrentAccount, CreditLineType::PreAgreed),
            (AccountSubType::CreditCard, CreditLineType::Credit),
        ] {
            let balances = build_balances(&row(sub_type, 300_000, -42, 0), Timestamp::UNIX_EPOCH, None).unwrap();
            let amount = SignedAmount::from_minor(300_000, Currency::GBP).amount();
            assert_eq!(balances[0].credit_lines, [CreditLine { included: true, kind, amount }]);
            assert_eq!(balances[1].credit_lines, [CreditLine { included: false, kind, amount }]);
        }
        let without = build_balances(&row(AccountSubType::Savings, 0, 1, 0), Timestamp::UNIX_EPOCH, None).unwrap();
        assert!(without.iter().all(|balance| balance.credit_lines.is_empty()));
    }

    #[test]
    fn rw_259_an_account_in_another_currency_has_its_value_in_pounds() {
        let dollars = AccountSums { currency: Currency::USD, ..row(AccountSubType::CurrentAccount, 0, -1_000, 0) };
        let rate: ConversionRate = "0.8".parse().unwrap();
        let balances = build_balances(&dollars, Timestamp::UNIX_EPOCH, Some(rate)).unwrap();
        for balance in &balances {
            assert_eq!(balance.local, Some(Amount::from_minor(800, Currency::GBP)), "of the same direction");
        }
        let without = build_balances(&dollars, Timestamp::UNIX_EPOCH, None).unwrap();
        assert!(without.iter().all(|balance| balance.local.is_none()));
    }
}
