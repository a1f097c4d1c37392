//! The form of an account's scheduled routines in the file.

use super::words::{ChannelNames, NonWorkingDayRules, OutsideSchemes};
use jiff::Timestamp;
use lombard_core_api::form::choice::take_only;
use lombard_core_api::form::faults::JsonLocation;
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::schema::{Definitions, HasSchema, MemberList};
use lombard_core_api::form::shape::{
    FieldForm, FormOf, FormReader, MemberReader, MemberWriter, ObjectForm, ObjectOf, SingleForm,
};
use lombard_core_api::form::values::{AsciiKey, BoundedText};
use lombard_core_api::form::words::NamedForm;
use lombard_core_api::objects;
use lombard_corebank::account_terms::AccountTerms;
use lombard_corebank::routine_plan::{ExternalParty, NonWorkingDayRule, Recurrence, RegularPayment, RoutinePlan};
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
        let plan = RoutinePlan::parse(routine)?;
        Ok(Self { account: routine.account.clone(), id: routine.id.clone(), due_at: routine.due_at, plan })
    }

    /// The bank's record of the routine.
    pub(in super::super) fn kept(&self) -> ScheduledRoutine {
        let id = self.id.clone();
        let account = self.account.clone();
        ScheduledRoutine { id, account, due_at: self.due_at, plan: self.plan.write() }
    }
}

/// The form of the built-in bank's routine plans.
struct RoutinePlanForm;
struct RegularPaymentForm;
struct OutsidePartyForm;
struct AccountTermsForm;
struct MinorRange;

objects! {
    RoutineRecord as "Routine" {
        account: required(AsciiKey<40>, "AccountId");
        id: required(AsciiKey<40>, "RoutineId");
        due_at: optional(FormOf<Timestamp>, "NextDateTime");
        plan: flat(RoutinePlanForm);
    }

    RegularPaymentForm as "Regular" of RegularPayment {
        recurrence: required(Rhythm, "Rhythm");
        amount_range: flat(MinorRange);
        channel: required(NamedForm<ChannelNames>, "Channel");
        counterparty: required(AsciiKey<200>, "Counterparty");
        party: optional(ObjectOf<OutsidePartyForm>, "OtherParty");
        text: required(BoundedText<140>, "Text");
        mandate: optional(AsciiKey<40>, "DirectDebitId");
        overdrawn_only: required(FormOf<bool>, "OverdrawnOnly");
        keep: optional(FormOf<i64>, "KeepMinor");
    }

    OutsidePartyForm as "RoutineParty" of ExternalParty {
        name: required(BoundedText<350>, "Name");
        scheme: required(NamedForm<OutsideSchemes>, "SchemeName");
        number: required(BoundedText<34>, "Identification");
        bic: required(BoundedText<11>, "BIC");
    }

    AccountTermsForm as "Close" of AccountTerms {
        credit_interest_per_10k: required(FormOf<i64>, "EarnsPer10k");
        debit_interest_per_10k: required(FormOf<i64>, "OwesPer10k");
        cashback_per_10k: required(FormOf<i64>, "CashbackPer10k");
        collected_on: optional(FormOf<i8>, "CollectedOnDay");
        starts_at: required(Micros, "PeriodStartDateTime");
        opening: required(FormOf<i64>, "OpeningMinor");
        next_statement_number: required(FormOf<u32>, "StatementNumber");
    }

    CardRepayment as "PayCard" {
        rhythm: required(Rhythm, "Rhythm");
        card: required(AsciiKey<40>, "CardAccountId");
        mandate: required(AsciiKey<40>, "DirectDebitId");
    }

    Monthly as "Monthly" {
        day: required(FormOf<i8>, "Day");
        months: list(FormOf<i8>, "Month");
        roll: required(NamedForm<NonWorkingDayRules>, "Roll");
        hour: required(FormOf<i8>, "Hour");
        year: required(FormOf<i16>, "NextYear");
        month: required(FormOf<i8>, "NextMonth");
    }
}

/// A periodic collection of the balance of a card.
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

/// The form of a plan: an object with exactly one kind of plan.
impl ObjectForm for RoutinePlanForm {
    type Value = RoutinePlan;

    fn name() -> String {
        "Plan".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.optional::<ObjectOf<RegularPaymentForm>>("Regular", "");
        list.optional::<FormOf<CardRepayment>>("PayCard", "");
        list.optional::<ObjectOf<AccountTermsForm>>("Close", "");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<RoutinePlan> {
        let regular = members.optional::<_, ObjectOf<RegularPaymentForm>>("Regular");
        let card = members.optional::<CardRepayment, FormOf<CardRepayment>>("PayCard");
        let close = members.optional::<_, ObjectOf<AccountTermsForm>>("Close");
        let pay_card = |CardRepayment { rhythm, card, mandate }| RoutinePlan::PayCard { rhythm, card, mandate };
        let read = [
            regular.map(|it| it.map(RoutinePlan::Regular)),
            card.map(|it| it.map(pay_card)),
            close.map(|it| it.map(RoutinePlan::Close)),
        ];
        take_only(members, ["Regular", "PayCard", "Close"], read)
    }

    fn write_members(value: &RoutinePlan, object: &mut MemberWriter) {
        match value {
            RoutinePlan::Regular(regular) => object.required::<_, ObjectOf<RegularPaymentForm>>("Regular", regular),
            RoutinePlan::PayCard { rhythm, card, mandate } => {
                let it = CardRepayment { rhythm: rhythm.clone(), card: card.clone(), mandate: mandate.clone() };
                object.required::<_, FormOf<CardRepayment>>("PayCard", &it);
            }
            RoutinePlan::Close(terms) => object.required::<_, ObjectOf<AccountTermsForm>>("Close", terms),
        }
    }
}

/// The form of a recurrence: the text `Weekly`, or an object with a day and months.
struct Rhythm;

impl HasSchema for Rhythm {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        let weekly = JsonNode::object([("const", JsonNode::text("Weekly"))]);
        JsonNode::object([("anyOf", JsonNode::List(vec![weekly, Monthly::schema(definitions)]))])
    }
}

impl FieldForm<Recurrence> for Rhythm {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Recurrence> {
        if let JsonNode::Text(text) = &node {
            let sentence = "Must be Weekly, or an object that says which day of which months.";
            return if text == "Weekly" { Some(Recurrence::Weekly) } else { reader.fault(at, sentence) };
        }
        let Monthly { day, months, roll, hour, year, month } = Monthly::read(node, at, reader)?;
        let in_range = |month: &i8| (1..=12).contains(month);
        let is_right = (1..=31).contains(&day) && (0..=23).contains(&hour) && in_range(&month);
        if !is_right || !months.iter().all(in_range) {
            return reader.fault(at, "Days are 1 to 31, months 1 to 12, hours 0 to 23.");
        }
        Some(Recurrence::Monthly { day, months, roll, hour, year, month })
    }

    fn write(value: &Recurrence) -> JsonNode<'static> {
        match value {
            Recurrence::Weekly => JsonNode::text("Weekly"),
            Recurrence::Monthly { day, months, roll, hour, year, month } => {
                let months = months.clone();
                let roll = *roll;
                Monthly { day: *day, months, roll, hour: *hour, year: *year, month: *month }.write()
            }
        }
    }
}

/// The form of a range of amounts in minor units, positive in the holder's favour.
impl ObjectForm for MinorRange {
    type Value = (i64, i64);

    fn name() -> String {
        "MinorRange".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<FormOf<i64>>("FromMinor", "");
        list.required::<FormOf<i64>>("ToMinor", "");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<(i64, i64)> {
        let least = members.required::<i64, FormOf<i64>>("FromMinor");
        let most = members.required::<i64, FormOf<i64>>("ToMinor");
        Some((least?, most?))
    }

    fn write_members(value: &(i64, i64), object: &mut MemberWriter) {
        object.required::<_, FormOf<i64>>("FromMinor", &value.0);
        object.required::<_, FormOf<i64>>("ToMinor", &value.1);
    }
}

/// The form of a time that the bank stores as microseconds since 1970.
struct Micros;

impl HasSchema for Micros {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        Timestamp::schema(definitions)
    }
}

impl FieldForm<i64> for Micros {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<i64> {
        <Timestamp as SingleForm>::read(node, at, reader).map(Timestamp::as_microsecond)
    }

    fn write(value: &i64) -> JsonNode<'static> {
        Timestamp::from_microsecond(*value).map_or(JsonNode::Null, |at| at.write())
    }
}
