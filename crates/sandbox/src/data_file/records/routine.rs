//! What the bank does by itself on an account, in the file's words.

use super::super::faults::At;
use super::super::node::Node;
use super::super::shape::{
    Definitions, Described, Form, MemberList, Members, Object, Reader, Shape, The, Written, objects,
};
use super::super::values::{Key, Text};
use jiff::Timestamp;
use lombard_corebank::channel::Channel;
use lombard_corebank::plan::{Payee, Plan, Regular, Rhythm, Roll, Scheme, Terms};
use lombard_corebank::storage::Routine;
use lombard_domain::ids::{BankAccountId, RecordId};
use lombard_ports::store::StoreError;

/// A routine with its plan read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct RoutineRecord {
    pub(in super::super) account: BankAccountId,
    pub(in super::super) id: RecordId,
    pub(in super::super) due_at: Option<Timestamp>,
    pub(in super::super) plan: Plan,
}

impl RoutineRecord {
    /// The record of a routine.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if its plan cannot be read.
    pub(in super::super) fn of(routine: &Routine) -> Result<Self, StoreError> {
        let plan = Plan::of(routine)?;
        Ok(Self { account: routine.account.clone(), id: routine.id.clone(), due_at: routine.due_at, plan })
    }

    /// The routine as the bank keeps it.
    pub(in super::super) fn kept(&self) -> Routine {
        let (id, account) = (self.id.clone(), self.account.clone());
        Routine { id, account, due_at: self.due_at, plan: self.plan.write() }
    }
}

objects! {
    RoutineRecord as "Routine" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "RoutineId");
        due_at: maybe(The<Timestamp>, "NextDateTime");
        plan: flat(Plan);
    }

    Regular as "Regular" {
        rhythm: needed(The<Rhythm>, "Rhythm");
        between: flat((i64, i64));
        channel: needed(The<Channel>, "Channel");
        counterparty: needed(Key<200>, "Counterparty");
        party: maybe(The<Payee>, "OtherParty");
        text: needed(Text<140>, "Text");
        mandate: maybe(Key<40>, "DirectDebitId");
        overdrawn_only: needed(The<bool>, "OverdrawnOnly");
        keep: maybe(The<i64>, "KeepMinor");
    }

    Payee as "RoutineParty" {
        name: needed(Text<350>, "Name");
        scheme: needed(The<Scheme>, "SchemeName");
        number: needed(Text<34>, "Identification");
        bic: needed(Text<11>, "BIC");
    }

    Terms as "Close" {
        earns_per_10k: needed(The<i64>, "EarnsPer10k");
        owes_per_10k: needed(The<i64>, "OwesPer10k");
        cashback_per_10k: needed(The<i64>, "CashbackPer10k");
        collected_on: maybe(The<i8>, "CollectedOnDay");
        starts_at: needed(Micros, "PeriodStartDateTime");
        opening: needed(The<i64>, "OpeningMinor");
        number: needed(The<u32>, "StatementNumber");
    }

    PayCard as "PayCard" {
        rhythm: needed(The<Rhythm>, "Rhythm");
        card: needed(Key<40>, "CardAccountId");
        mandate: needed(Key<40>, "DirectDebitId");
    }

    Monthly as "Monthly" {
        day: needed(The<i8>, "Day");
        months: list(The<i8>, "Month");
        roll: needed(The<Roll>, "Roll");
        hour: needed(The<i8>, "Hour");
        year: needed(The<i16>, "NextYear");
        month: needed(The<i8>, "NextMonth");
    }
}

/// The debt of a card that is collected on a rhythm.
#[derive(Debug, Clone)]
struct PayCard {
    rhythm: Rhythm,
    card: BankAccountId,
    mandate: RecordId,
}

/// A rhythm of months, and where in it the routine is.
#[derive(Debug, Clone)]
struct Monthly {
    day: i8,
    months: Vec<i8>,
    roll: Roll,
    hour: i8,
    year: i16,
    month: i8,
}

/// Exactly one of what the bank can do.
impl Object for Plan {
    fn name() -> String {
        "Plan".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.maybe::<The<Regular>>("Regular");
        list.maybe::<The<PayCard>>("PayCard");
        list.maybe::<The<Terms>>("Close");
    }

    fn take(members: &mut Members<'_, '_>) -> Option<Self> {
        let regular = members.maybe::<Regular, The<Regular>>("Regular");
        let card = members.maybe::<PayCard, The<PayCard>>("PayCard");
        let close = members.maybe::<Terms, The<Terms>>("Close");
        match (regular?, card?, close?) {
            (Some(regular), None, None) => Some(Self::Regular(regular)),
            (None, Some(PayCard { rhythm, card, mandate }), None) => Some(Self::PayCard { rhythm, card, mandate }),
            (None, None, Some(terms)) => Some(Self::Close(terms)),
            _ => members.reader.fault(members.at, "Must have exactly one of Regular, PayCard and Close."),
        }
    }

    fn put(&self, object: &mut Written) {
        match self {
            Self::Regular(regular) => object.needed::<_, The<Regular>>("Regular", regular),
            Self::PayCard { rhythm, card, mandate } => {
                let it = PayCard { rhythm: rhythm.clone(), card: card.clone(), mandate: mandate.clone() };
                object.needed::<_, The<PayCard>>("PayCard", &it);
            }
            Self::Close(terms) => object.needed::<_, The<Terms>>("Close", terms),
        }
    }
}

/// The word `Weekly`, or an object that says which day of which months.
impl Shape for Rhythm {
    fn schema(definitions: &mut Definitions) -> Node {
        let weekly = Node::object([("const", Node::text("Weekly"))]);
        Node::object([("anyOf", Node::List(vec![weekly, Monthly::schema(definitions)]))])
    }

    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Self> {
        if let Node::Text(text) = &node {
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

    fn write(&self) -> Node {
        match self {
            Self::Weekly => Node::text("Weekly"),
            Self::Monthly { day, months, roll, hour, year, month } => {
                let (months, roll) = (months.clone(), *roll);
                Monthly { day: *day, months, roll, hour: *hour, year: *year, month: *month }.write()
            }
        }
    }
}

/// From how much to how much, minor units, positive in the holder's favour.
impl Object for (i64, i64) {
    fn name() -> String {
        "MinorRange".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.needed::<The<i64>>("FromMinor");
        list.needed::<The<i64>>("ToMinor");
    }

    fn take(members: &mut Members<'_, '_>) -> Option<Self> {
        let least = members.needed::<i64, The<i64>>("FromMinor");
        let most = members.needed::<i64, The<i64>>("ToMinor");
        Some((least?, most?))
    }

    fn put(&self, object: &mut Written) {
        object.needed::<_, The<i64>>("FromMinor", &self.0);
        object.needed::<_, The<i64>>("ToMinor", &self.1);
    }
}

/// A time that the bank keeps as microseconds since 1970.
struct Micros;

impl Described for Micros {
    fn schema(definitions: &mut Definitions) -> Node {
        Timestamp::schema(definitions)
    }
}

impl Form<i64> for Micros {
    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<i64> {
        <Timestamp as Shape>::read(node, at, reader).map(Timestamp::as_microsecond)
    }

    fn write(value: &i64) -> Node {
        Timestamp::from_microsecond(*value).map_or(Node::Null, |at| at.write())
    }
}
