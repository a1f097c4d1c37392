//! The file form of the bank's scheduled routines of an account.

use super::super::faults::FileLocation;
use super::super::node::FileNode;
use super::super::shape::{
    Definitions, FieldForm, FileReader, FormOf, HasSchema, MemberList, MemberReader, MemberWriter, ObjectForm,
    SingleForm, objects,
};
use super::super::values::{AsciiKey, BoundedText};
use jiff::Timestamp;
use lombard_corebank::account_terms::AccountTerms;
use lombard_corebank::channel::Channel;
use lombard_corebank::routine_plan::{
    NonWorkingDayRule, OutsideParty, OutsideScheme, Recurrence, RegularPayment, RoutinePlan,
};
use lombard_corebank::storage::ScheduledRoutine;
use lombard_domain::ids::{BankAccountId, RecordId};
use lombard_ports::store::StoreError;

/// A routine with its parsed plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct RoutineRecord {
    pub(in super::super) account: BankAccountId,
    pub(in super::super) id: RecordId,
    pub(in super::super) due_at: Option<Timestamp>,
    pub(in super::super) plan: RoutinePlan,
}

impl RoutineRecord {
    /// The record of a routine.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if its plan cannot be read.
    pub(in super::super) fn of(routine: &ScheduledRoutine) -> Result<Self, StoreError> {
        let plan = RoutinePlan::of(routine)?;
        Ok(Self { account: routine.account.clone(), id: routine.id.clone(), due_at: routine.due_at, plan })
    }

    /// The bank's record of the routine.
    pub(in super::super) fn kept(&self) -> ScheduledRoutine {
        let (id, account) = (self.id.clone(), self.account.clone());
        ScheduledRoutine { id, account, due_at: self.due_at, plan: self.plan.write() }
    }
}

objects! {
    RoutineRecord as "Routine" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "RoutineId");
        due_at: maybe(FormOf<Timestamp>, "NextDateTime");
        plan: flat(RoutinePlan);
    }

    RegularPayment as "Regular" {
        rhythm: needed(FormOf<Recurrence>, "Rhythm");
        between: flat((i64, i64));
        channel: needed(FormOf<Channel>, "Channel");
        counterparty: needed(AsciiKey<200>, "Counterparty");
        party: maybe(FormOf<OutsideParty>, "OtherParty");
        text: needed(BoundedText<140>, "Text");
        mandate: maybe(AsciiKey<40>, "DirectDebitId");
        overdrawn_only: needed(FormOf<bool>, "OverdrawnOnly");
        keep: maybe(FormOf<i64>, "KeepMinor");
    }

    OutsideParty as "RoutineParty" {
        name: needed(BoundedText<350>, "Name");
        scheme: needed(FormOf<OutsideScheme>, "SchemeName");
        number: needed(BoundedText<34>, "Identification");
        bic: needed(BoundedText<11>, "BIC");
    }

    AccountTerms as "Close" {
        earns_per_10k: needed(FormOf<i64>, "EarnsPer10k");
        owes_per_10k: needed(FormOf<i64>, "OwesPer10k");
        cashback_per_10k: needed(FormOf<i64>, "CashbackPer10k");
        collected_on: maybe(FormOf<i8>, "CollectedOnDay");
        starts_at: needed(Micros, "PeriodStartDateTime");
        opening: needed(FormOf<i64>, "OpeningMinor");
        number: needed(FormOf<u32>, "StatementNumber");
    }

    CardRepayment as "PayCard" {
        rhythm: needed(FormOf<Recurrence>, "Rhythm");
        card: needed(AsciiKey<40>, "CardAccountId");
        mandate: needed(AsciiKey<40>, "DirectDebitId");
    }

    Monthly as "Monthly" {
        day: needed(FormOf<i8>, "Day");
        months: list(FormOf<i8>, "Month");
        roll: needed(FormOf<NonWorkingDayRule>, "Roll");
        hour: needed(FormOf<i8>, "Hour");
        year: needed(FormOf<i16>, "NextYear");
        month: needed(FormOf<i8>, "NextMonth");
    }
}

/// A periodic collection of a card's balance.
#[derive(Debug, Clone)]
struct CardRepayment {
    rhythm: Recurrence,
    card: BankAccountId,
    mandate: RecordId,
}

/// A monthly recurrence and its present position.
#[derive(Debug, Clone)]
struct Monthly {
    day: i8,
    months: Vec<i8>,
    roll: NonWorkingDayRule,
    hour: i8,
    year: i16,
    month: i8,
}

/// An object with exactly one kind of plan.
impl ObjectForm for RoutinePlan {
    fn name() -> String {
        "Plan".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.maybe::<FormOf<RegularPayment>>("Regular");
        list.maybe::<FormOf<CardRepayment>>("PayCard");
        list.maybe::<FormOf<AccountTerms>>("Close");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let regular = members.maybe::<RegularPayment, FormOf<RegularPayment>>("Regular");
        let card = members.maybe::<CardRepayment, FormOf<CardRepayment>>("PayCard");
        let close = members.maybe::<AccountTerms, FormOf<AccountTerms>>("Close");
        match (regular?, card?, close?) {
            (Some(regular), None, None) => Some(Self::Regular(regular)),
            (None, Some(CardRepayment { rhythm, card, mandate }), None) => {
                Some(Self::PayCard { rhythm, card, mandate })
            }
            (None, None, Some(terms)) => Some(Self::Close(terms)),
            _ => members.reader.fault(members.at, "Must have exactly one of Regular, PayCard and Close."),
        }
    }

    fn put(&self, object: &mut MemberWriter) {
        match self {
            Self::Regular(regular) => object.needed::<_, FormOf<RegularPayment>>("Regular", regular),
            Self::PayCard { rhythm, card, mandate } => {
                let it = CardRepayment { rhythm: rhythm.clone(), card: card.clone(), mandate: mandate.clone() };
                object.needed::<_, FormOf<CardRepayment>>("PayCard", &it);
            }
            Self::Close(terms) => object.needed::<_, FormOf<AccountTerms>>("Close", terms),
        }
    }
}

/// The text `Weekly`, or an object with a day and months.
impl SingleForm for Recurrence {
    fn schema(definitions: &mut Definitions) -> FileNode {
        let weekly = FileNode::object([("const", FileNode::text("Weekly"))]);
        FileNode::object([("anyOf", FileNode::List(vec![weekly, Monthly::schema(definitions)]))])
    }

    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<Self> {
        if let FileNode::Text(text) = &node {
            let sentence = "Must be Weekly, or an object that says which day of which months.";
            return if text == "Weekly" { Some(Self::Weekly) } else { reader.fault(at, sentence) };
        }
        let Monthly { day, months, roll, hour, year, month } = Monthly::read(node, at, reader)?;
        let in_range = |month: &i8| (1..=12).contains(month);
        let is_right = (1..=31).contains(&day) && (0..=23).contains(&hour) && in_range(&month);
        if !is_right || !months.iter().all(in_range) {
            return reader.fault(at, "Days are 1 to 31, months 1 to 12, hours 0 to 23.");
        }
        Some(Self::Monthly { day, months, roll, hour, year, month })
    }

    fn write(&self) -> FileNode {
        match self {
            Self::Weekly => FileNode::text("Weekly"),
            Self::Monthly { day, months, roll, hour, year, month } => {
                let (months, roll) = (months.clone(), *roll);
                Monthly { day: *day, months, roll, hour: *hour, year: *year, month: *month }.write()
            }
        }
    }
}

/// A range of amounts in minor units, positive in the holder's favour.
impl ObjectForm for (i64, i64) {
    fn name() -> String {
        "MinorRange".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.needed::<FormOf<i64>>("FromMinor");
        list.needed::<FormOf<i64>>("ToMinor");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let least = members.needed::<i64, FormOf<i64>>("FromMinor");
        let most = members.needed::<i64, FormOf<i64>>("ToMinor");
        Some((least?, most?))
    }

    fn put(&self, object: &mut MemberWriter) {
        object.needed::<_, FormOf<i64>>("FromMinor", &self.0);
        object.needed::<_, FormOf<i64>>("ToMinor", &self.1);
    }
}

/// A time that the bank stores as microseconds since 1970.
struct Micros;

impl HasSchema for Micros {
    fn schema(definitions: &mut Definitions) -> FileNode {
        Timestamp::schema(definitions)
    }
}

impl FieldForm<i64> for Micros {
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<i64> {
        <Timestamp as SingleForm>::read(node, at, reader).map(Timestamp::as_microsecond)
    }

    fn write(value: &i64) -> FileNode {
        Timestamp::from_microsecond(*value).map_or(FileNode::Null, |at| at.write())
    }
}
