//! Builds a statement from the entries of a period. The same entries always give the same statement.

use super::account_terms::AccountTerms;
use super::names;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_domain::account::{
    Account, AccountSubType, FeeFrequency, InterestFrequency, InterestRateType, Statement, StatementAmountType,
    StatementBenefit, StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest,
    StatementInterestType, StatementRateType, StatementType, StatementValueType, Transaction,
};
use lombard_domain::calendar::working_day_from;
use lombard_domain::money::SignedAmount;
use rust_decimal::Decimal;

/// The minimum payment of a card's balance: a rate in hundredths of a per cent, and a minimum in minor units.
const MINIMUM_PER_10K: i64 = 250;
const MINIMUM_LEAST: i64 = 500;

/// The additional annual interest on cash withdrawn by card, in hundredths of a per cent.
const CASH_ON_TOP_PER_10K: i64 = 600;

/// The last second of the month of a day. Periods are whole months in UTC.
pub fn end_of_month(day: Date) -> Timestamp {
    let next = day.last_of_month().saturating_add(1.day());
    let midnight = next.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |midnight| midnight.timestamp());
    midnight.saturating_sub(SignedDuration::from_secs(1)).unwrap_or(midnight)
}

/// The instant after a period's end, when the next period begins and the statement is available. Source: AIS-142.
pub fn next_period_start(ends_at: Timestamp) -> Timestamp {
    ends_at.saturating_add(SignedDuration::from_secs(1)).unwrap_or(ends_at)
}

/// The interest of one month, a twelfth of a year's interest, rounded towards zero. Balance and interest are in minor units.
pub fn month_of_interest(balance: i64, per_10k_a_year: i64) -> i64 {
    balance.saturating_mul(per_10k_a_year).checked_div(120_000).unwrap_or(0)
}

/// The cashback on a month's card purchases, rounded towards zero. Spending and cashback are in minor units.
pub fn cashback(spent: i64, per_10k: i64) -> i64 {
    spent.saturating_mul(per_10k).checked_div(10_000).unwrap_or(0)
}

/// The card spending less refunds among these entries, in minor units; at least zero.
pub fn spent_with_card(entries: &[Transaction]) -> i64 {
    let bought = entries.iter().filter(|entry| entry.merchant.is_some());
    bought.fold(0_i64, |sum, entry| sum.saturating_sub(entry.sum.minor())).max(0)
}

/// Whether the debit balance at the start of a period was repaid within it.
pub fn paid_off(opening: i64, entries: &[Transaction]) -> bool {
    let paid = entries.iter().filter(|entry| entry.merchant.is_none()).map(|entry| entry.sum.minor().max(0));
    paid.fold(opening, i64::saturating_add) >= 0
}

/// A statement period of an account, with the entries that were booked in it.
#[derive(Debug)]
pub struct StatementPeriod<'a> {
    /// The account.
    pub account: &'a Account,
    /// The arranged overdraft or credit limit in minor units.
    pub credit_limit: i64,
    /// The account's interest and cashback terms.
    pub terms: &'a AccountTerms,
    /// The last instant of the period.
    pub ends_at: Timestamp,
    /// The entries that were booked in the period, oldest first.
    pub entries: &'a [Transaction],
}

impl StatementPeriod<'_> {
    /// Builds the statement of the period.
    pub fn build_statement(&self) -> Statement {
        let starts_at = Timestamp::from_microsecond(self.terms.starts_at).unwrap_or(self.ends_at);
        let created_at = next_period_start(self.ends_at);
        let closing = self.sum(self.closing_balance());
        let month = self.ends_at.to_zoned(TimeZone::UTC).strftime("%Y%m").to_string();
        Statement {
            id: names::derive_id(&format!("statement/{}/{month}", self.account.id), created_at).into(),
            account: self.account.id.clone(),
            reference: Some(format!("{month}-{:03}", self.terms.next_statement_number)),
            kind: StatementType::RegularPeriodic,
            starts_at,
            ends_at: self.ends_at,
            created_at,
            descriptions: self.descriptions(),
            benefits: self.benefits(),
            fees: self.fees(),
            interest: self.interest(),
            amounts: self.amounts(),
            dates: self.dates(starts_at),
            rates: self.rates(),
            values: self.values(),
            total: Some(closing.amount()),
        }
    }

    /// The booked balance at the end of the period in minor units.
    pub fn closing_balance(&self) -> i64 {
        self.entries.iter().fold(self.terms.opening, |sum, entry| sum.saturating_add(entry.sum.minor()))
    }

    const fn is_card(&self) -> bool {
        matches!(self.account.sub_type, AccountSubType::CreditCard | AccountSubType::ChargeCard)
    }

    const fn sum(&self, minor: i64) -> SignedAmount {
        SignedAmount::from_minor(minor, self.account.currency)
    }

    /// The sum of the entries that satisfy a condition.
    fn total(&self, of: impl Fn(&Transaction) -> bool) -> i64 {
        let found = self.entries.iter().filter(|entry| of(entry));
        found.fold(0_i64, |sum, entry| sum.saturating_add(entry.sum.minor()))
    }

    fn descriptions(&self) -> Vec<String> {
        let name = self.account.description.as_deref().unwrap_or("account");
        vec![format!("Statement number {} of your {name}", self.terms.next_statement_number)]
    }

    fn benefits(&self) -> Vec<StatementBenefit> {
        let earned = self.sum(self.total(|entry| has_code(entry, "CBK")));
        let benefit = StatementBenefit { kind: StatementBenefitType::Cashback, amount: earned.amount() };
        (earned.minor() > 0).then_some(benefit).into_iter().collect()
    }

    /// Returns every fee and the total; the foreign transaction fees are one item.
    fn fees(&self) -> Vec<StatementFee> {
        let mut fees: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| has_code(entry, "CHG"))
            .map(|entry| {
                let (kind, frequency) = kind_of_fee(entry.information.as_deref().unwrap_or_default());
                let description = entry.information.clone();
                StatementFee { description, kind, rate: None, frequency: Some(frequency), sum: entry.sum }
            })
            .collect();
        let charged = self.entries.iter().filter_map(|entry| entry.charge);
        let international = charged.fold(0_i64, |sum, charge| sum.saturating_sub_unsigned(charge.minor()));
        if international != 0 {
            fees.push(StatementFee {
                description: Some("Foreign transaction fees, part of the purchases".to_owned()),
                kind: StatementFeeType::ForeignTransaction,
                rate: None,
                frequency: Some(FeeFrequency::PerTransactionPercentage),
                sum: self.sum(international),
            });
        }
        if !fees.is_empty() {
            let all = fees.iter().fold(0_i64, |sum, fee| sum.saturating_add(fee.sum.minor()));
            let kind = StatementFeeType::Total;
            fees.push(StatementFee { description: None, kind, rate: None, frequency: None, sum: self.sum(all) });
        }
        fees
    }

    fn interest(&self) -> Vec<StatementInterest> {
        let interest = self.total(|entry| has_code(entry, "INTR"));
        if interest == 0 {
            return Vec::new();
        }
        let (per_10k, tied_to, text) = if interest > 0 {
            (self.terms.credit_interest_per_10k, InterestRateType::Gross, "Interest earned")
        } else {
            (self.terms.debit_interest_per_10k, InterestRateType::FixedRate, "Interest charged")
        };
        let kinds: &[StatementInterestType] = if self.is_card() {
            &[StatementInterestType::Purchase, StatementInterestType::Total]
        } else {
            &[StatementInterestType::Total]
        };
        let line = |kind: &StatementInterestType| StatementInterest {
            description: Some(text.to_owned()),
            kind: *kind,
            rate: Some((Decimal::new(per_10k, 2), tied_to)),
            frequency: Some(InterestFrequency::Monthly),
            sum: self.sum(interest),
        };
        kinds.iter().map(line).collect()
    }

    fn amounts(&self) -> Vec<(StatementAmountType, SignedAmount)> {
        use StatementAmountType as A;
        let closing = self.closing_balance();
        let credits = self.total(|entry| entry.sum.minor() >= 0);
        let debits = self.total(|entry| entry.sum.minor() < 0);
        let charges = self.total(|entry| entry.sum.minor() < 0 && (has_code(entry, "CHG") || has_code(entry, "INTR")));
        let mut amounts = vec![
            (A::PreviousClosingBalance, self.terms.opening),
            (A::StartingBalance, self.terms.opening),
            (A::TotalCredits, credits),
            (A::TotalDebits, debits),
            (A::TotalCharges, charges),
            (A::ClosingBalance, closing),
            (A::AvailableBalance, closing.saturating_add(self.credit_limit)),
        ];
        if self.is_card() {
            let purchases = self.total(|entry| entry.merchant.is_some() && entry.sum.minor() < 0);
            let cash = self.total(|entry| has_code(entry, "ATM"));
            amounts.extend([
                (A::TotalPurchases, purchases),
                (A::TotalCashAdvances, cash),
                (A::CurrentPayment, self.total(|entry| has_code(entry, "DD"))),
                (A::CreditLimit, self.credit_limit),
                (A::MinimumPaymentDue, minimum_payment(closing).saturating_neg()),
            ]);
            if self.terms.collected_on.is_some() {
                amounts.push((A::DirectDebitPaymentDue, closing.min(0)));
            }
        } else if self.credit_limit > 0 {
            amounts.push((A::CreditLimit, self.credit_limit));
        }
        amounts.into_iter().map(|(kind, minor)| (kind, self.sum(minor))).collect()
    }

    fn dates(&self, starts_at: Timestamp) -> Vec<(StatementDateType, Timestamp)> {
        let created_at = next_period_start(self.ends_at);
        let following = next_period_start(end_of_month(created_at.to_zoned(TimeZone::UTC).date()));
        let mut dates = vec![
            (StatementDateType::LastStatement, starts_at),
            (StatementDateType::StatementAvailable, created_at),
            (StatementDateType::NextStatement, following),
        ];
        if let Some(due) = self.payment_due(created_at) {
            dates.extend([(StatementDateType::PaymentDue, due), (StatementDateType::DirectDebitDue, due)]);
        }
        dates
    }

    /// The day after the period on which the bank collects a card's balance.
    fn payment_due(&self, created_at: Timestamp) -> Option<Timestamp> {
        let month = created_at.to_zoned(TimeZone::UTC).date();
        let day = month.with().day(self.terms.collected_on?).build().unwrap_or_else(|_| month.last_of_month());
        working_day_from(day).to_zoned(TimeZone::UTC).ok().map(|midnight| midnight.timestamp())
    }

    fn rates(&self) -> Vec<(StatementRateType, Decimal)> {
        if !self.is_card() {
            return Vec::new();
        }
        let purchases = self.terms.debit_interest_per_10k;
        let cash = purchases.saturating_add(CASH_ON_TOP_PER_10K);
        let monthly = |per_10k: i64| Decimal::new(per_10k.saturating_mul(100).checked_div(12).unwrap_or(0), 4);
        vec![
            (StatementRateType::AnnualPurchase, Decimal::new(purchases, 2)),
            (StatementRateType::AnnualCash, Decimal::new(cash, 2)),
            (StatementRateType::MonthlyPurchase, monthly(purchases)),
            (StatementRateType::MonthlyCash, monthly(cash)),
        ]
    }

    fn values(&self) -> Vec<(StatementValueType, String)> {
        let count = |of: fn(&Transaction) -> bool| self.entries.iter().filter(|entry| of(entry)).count().to_string();
        vec![
            (StatementValueType::Credits, count(|entry| entry.sum.minor() >= 0)),
            (StatementValueType::Debits, count(|entry| entry.sum.minor() < 0)),
        ]
    }
}

/// The minimum payment in minor units: zero or more, and at most the balance owed.
fn minimum_payment(balance: i64) -> i64 {
    let owed = balance.min(0).saturating_neg();
    let part = owed.saturating_mul(MINIMUM_PER_10K).checked_div(10_000).unwrap_or(0);
    part.max(MINIMUM_LEAST).min(owed)
}

fn has_code(entry: &Transaction, code: &str) -> bool {
    entry.proprietary_code.as_ref().is_some_and(|own| own.code == code)
}

/// The type and frequency of a fee, by the text of its entry.
fn kind_of_fee(text: &str) -> (StatementFeeType, FeeFrequency) {
    if text.starts_with("Annual") {
        (StatementFeeType::Annual, FeeFrequency::ChargingPeriod)
    } else if text.starts_with("Overdraft") {
        (StatementFeeType::Overlimit, FeeFrequency::ChargingPeriod)
    } else {
        (StatementFeeType::Monthly, FeeFrequency::StatementMonthly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interest_and_cashback_are_whole_minor_units_towards_zero() {
        assert_eq!(month_of_interest(120_000, 425), 425);
        assert_eq!((month_of_interest(100, 425), month_of_interest(-100_000, 3_990)), (0, -3_325));
        assert_eq!((cashback(10_050, 50), cashback(199, 50)), (50, 0));
    }

    #[test]
    fn the_minimum_payment_is_a_part_a_floor_and_never_more_than_the_debt() {
        for (balance, due) in [(0, 0), (500, 0), (-300, 300), (-10_000, 500), (-100_000, 2_500)] {
            assert_eq!(minimum_payment(balance), due, "{balance}");
        }
    }

    #[test]
    fn ais_142_a_period_ends_with_its_month() {
        for (day, end) in [("2024-02-10", "2024-02-29T23:59:59Z"), ("2026-12-31", "2026-12-31T23:59:59Z")] {
            let end: Timestamp = end.parse().unwrap();
            assert_eq!(end_of_month(day.parse().unwrap()), end);
            assert_eq!(next_period_start(end), end + SignedDuration::from_secs(1));
        }
    }
}
