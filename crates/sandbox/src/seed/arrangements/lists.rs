//! Creates the arrangements that come only from the tables: payees, cancelled mandates, scheduled payments and offers.

use super::super::calendar::working_day_from;
use super::super::channel::Channel;
use super::super::habit::HabitAction;
use super::super::span;
use super::{ArrangementWriter, mandate_reference, own_recipient, recipient};
use jiff::ToSpan;
use lombard_corebank::storage::Arrangement;
use lombard_domain::account::{
    Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency, Offer, ScheduledPayment,
};
use lombard_domain::money::Amount;
use std::collections::BTreeSet;

impl ArrangementWriter<'_> {
    /// Creates a beneficiary for each party to which an account makes payments.
    pub(super) fn payees(&mut self) {
        let mut known = BTreeSet::new();
        for (index, habit) in self.life.habits.iter().enumerate() {
            let Some(own) = self.account(habit.on) else { continue };
            let (by, text, recipient) = match habit.what {
                HabitAction::Pay { to, by, text, .. } | HabitAction::PayRest { to, by, text, .. } => {
                    (by, text, recipient(to))
                }
                HabitAction::Move { to, by, text, .. } => match self.account(to).and_then(own_recipient) {
                    Some(recipient) => (by, text, recipient),
                    None => continue,
                },
                HabitAction::Receive { .. }
                | HabitAction::Buy { .. }
                | HabitAction::Refused { .. }
                | HabitAction::CardCheck { .. }
                | HabitAction::Refund { .. }
                | HabitAction::Withdraw { .. }
                | HabitAction::SaveChange { .. }
                | HabitAction::PayCard { .. }
                | HabitAction::Sell { .. }
                | HabitAction::EarnInterest { .. }
                | HabitAction::OweInterest { .. }
                | HabitAction::Cashback { .. }
                | HabitAction::Fee { .. }
                | HabitAction::OverdraftFee { .. } => continue,
            };
            let (agent, payee) = recipient;
            if by == Channel::DirectDebit || !known.insert((own.role, payee.number.clone())) {
                continue;
            }
            let trusted = matches!(by, Channel::StandingOrder | Channel::Salary | Channel::Internal);
            let kind = if trusted { BeneficiaryType::Trusted } else { BeneficiaryType::Ordinary };
            self.done.push(Arrangement::Beneficiary(Beneficiary {
                id: self.chance("beneficiary", index).id().into(),
                account: own.id().clone(),
                kind: Some(kind),
                reference: Some(text.replace('#', "").trim().to_owned()),
                agent,
                payee,
            }));
        }
    }

    /// Creates the mandates that were cancelled, suspended or expired before the history began.
    pub(super) fn cancelled(&mut self) {
        for (index, row) in self.life.cancelled.iter().enumerate() {
            let Some(own) = self.account(row.on) else { continue };
            let mut chance = self.chance("cancelled", index);
            let day = self.span.first_day().saturating_sub(row.months_before.months()).saturating_add(11.days());
            let amount = Amount::from_minor(row.minor.unsigned_abs(), own.currency());
            self.done.push(Arrangement::DirectDebit(DirectDebit {
                id: chance.id().into(),
                account: own.id().clone(),
                mandate: mandate_reference(row.name, &mut chance),
                status: row.status,
                name: row.name.to_owned(),
                frequency: DirectDebitFrequency::Monthly,
                previous: Some((span::midnight(working_day_from(day)), amount)),
                terms: None,
            }));
        }
    }

    pub(super) fn scheduled(&mut self) {
        for (index, row) in self.life.scheduled.iter().enumerate() {
            let Some(own) = self.account(row.on) else { continue };
            let day = working_day_from(span::day_of(self.span.present()).saturating_add(row.days_ahead.days()));
            let (agent, payee) = recipient(row.to);
            self.done.push(Arrangement::ScheduledPayment(ScheduledPayment {
                id: self.chance("scheduled-payment", index).id().into(),
                account: own.id().clone(),
                at: span::midnight(day),
                kind: row.kind,
                reference: Some(row.reference.to_owned()),
                debtor_reference: Some(row.own_reference.to_owned()),
                amount: Amount::from_minor(row.minor.unsigned_abs(), own.currency()),
                agent,
                payee,
            }));
        }
    }

    pub(super) fn offers(&mut self) {
        for (index, row) in self.life.offers.iter().enumerate() {
            let Some(own) = self.account(row.on) else { continue };
            let first = self.span.this_month();
            let last = self.span.this_month().saturating_add(3.months());
            let amount = |minor: i64| (minor > 0).then(|| Amount::from_minor(minor.unsigned_abs(), own.currency()));
            self.done.push(Arrangement::Offer(Offer {
                id: self.chance("offer", index).id().into(),
                account: own.id().clone(),
                kind: row.kind,
                description: Some(row.description.to_owned()),
                from: Some(span::midnight(first)),
                until: Some(span::midnight(last)),
                rate: row.rate_per_10k.map(|rate| rust_decimal::Decimal::new(rate, 2)),
                value: row.months,
                term: row.months.map(|months| format!("{months} months from the day it is taken up")),
                url: Some(format!("https://sandbox.lombard.example/offers/{}", row.slug)),
                amount: amount(row.amount),
                fee: amount(row.fee),
            }));
        }
    }
}
