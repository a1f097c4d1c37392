//! The timing of habits: days of the month, working days, weekdays and random days. All days are UTC.

pub(super) use lombard_domain::calendar::working_day_from;

use super::random::SeededRandom;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use lombard_domain::calendar::is_working_day;

/// The timing of a habit.
#[derive(Debug, Clone, Copy)]
pub(super) enum HabitTiming {
    /// On this day of the month, or on the last day of a shorter month.
    Monthly(i8),
    /// On this day of the month or the next working day; direct debits are collected in this way.
    Collected(i8),
    /// On this day of the month or the previous working day; salaries are paid in this way.
    Paid(i8),
    /// As with [`HabitTiming::Collected`], but only in these months.
    CollectedIn(&'static [i8], i8),
    /// On the last day of the month.
    MonthEnd,
    /// Every week on this day.
    Weekly(Weekday),
    /// Every day.
    Daily,
    /// On random days, on average this many times in thirty days.
    About(u32),
    /// On random working days, on average this many times in a thousand.
    Workday(u32),
}

impl HabitTiming {
    /// The number of occurrences on this day.
    pub(super) fn times(self, day: Date, chance: &mut SeededRandom) -> u32 {
        let happens = match self {
            Self::Monthly(nominal) => day == in_month(day, nominal),
            Self::Collected(nominal) => is_collected(day, nominal, |_| true),
            Self::Paid(nominal) => is_paid(day, nominal),
            Self::CollectedIn(months, nominal) => is_collected(day, nominal, |due| months.contains(&due.month())),
            Self::MonthEnd => day == day.last_of_month(),
            Self::Weekly(weekday) => day.weekday() == weekday,
            Self::Daily => true,
            Self::About(per_thirty_days) => return about(per_thirty_days, chance),
            Self::Workday(per_mille) => chance.per_mille(per_mille) && is_working_day(day),
        };
        u32::from(happens)
    }
}

fn about(per_thirty_days: u32, chance: &mut SeededRandom) -> u32 {
    let sure = per_thirty_days.checked_div(30).unwrap_or(0);
    let rest = per_thirty_days.checked_rem(30).unwrap_or(0);
    sure.saturating_add(u32::from(chance.below(30) < u64::from(rest)))
}

/// The nominal day in the month of `day`, or the last day of a shorter month.
fn in_month(day: Date, nominal: i8) -> Date {
    day.with().day(nominal).build().unwrap_or_else(|_| day.last_of_month())
}

fn is_collected(day: Date, nominal: i8, in_season: impl Fn(Date) -> bool) -> bool {
    // Rolling forward may cross the end of the month, so the date of the previous month is also considered.
    let this = in_month(day, nominal);
    let last = in_month(day.first_of_month().saturating_sub(1.day()), nominal);
    [this, last].into_iter().any(|due| in_season(due) && working_day_from(due) == day)
}

fn is_paid(day: Date, nominal: i8) -> bool {
    let this = in_month(day, nominal);
    let next = in_month(day.last_of_month().saturating_add(1.day()), nominal);
    [this, next].into_iter().any(|due| working_day_until(due) == day)
}

fn working_day_until(mut day: Date) -> Date {
    while !is_working_day(day) && day > Date::MIN {
        day = day.saturating_sub(1.day());
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn days(when: HabitTiming, year: i16) -> Vec<Date> {
        let mut chance = SeededRandom::named(1, "calendar");
        date(year, 1, 1)
            .series(1.day())
            .take_while(|day| day.year() == year)
            .filter(|day| when.times(*day, &mut chance) > 0)
            .collect()
    }

    #[test]
    fn a_day_of_the_month_happens_once_in_every_month() {
        for when in [HabitTiming::Monthly(31), HabitTiming::Collected(28), HabitTiming::Paid(28), HabitTiming::MonthEnd]
        {
            assert_eq!(days(when, 2024).len(), 12, "{when:?}");
        }
        assert!(days(HabitTiming::Monthly(31), 2024).contains(&date(2024, 2, 29)));
        assert_eq!(days(HabitTiming::CollectedIn(&[1, 7], 31), 2026), [date(2026, 2, 2), date(2026, 7, 31)]);
    }

    #[test]
    fn collections_move_forward_and_salaries_back_over_non_working_days() {
        assert!(days(HabitTiming::Collected(1), 2026).contains(&date(2026, 1, 2)));
        assert!(days(HabitTiming::Collected(30), 2026).contains(&date(2026, 6, 1)), "30 May 2026 is a Saturday");
        assert!(days(HabitTiming::Paid(26), 2026).contains(&date(2026, 12, 24)));
        assert!(days(HabitTiming::Paid(1), 2026).contains(&date(2026, 7, 31)), "1 August 2026 is a Saturday");
    }

    #[test]
    fn chance_keeps_to_its_average() {
        let mut chance = SeededRandom::named(2, "average");
        let times: u32 = (0..3_000).map(|_| HabitTiming::About(45).times(date(2025, 5, 5), &mut chance)).sum();
        assert!((4_200..4_800).contains(&times), "{times}");
        assert!(days(HabitTiming::Workday(700), 2025).into_iter().all(is_working_day));
    }
}
