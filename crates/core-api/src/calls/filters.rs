//! The forms of list filters, positions, windows and versions.

use crate::form::schema::MemberList;
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm, ObjectOf};
use crate::form::values::{AsciiKey, BoundedText, NumberAsText};
use crate::form::words::words;
use crate::objects;
use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::money::CreditDebit;
use lombard_domain::page::{Direction, ListWindow, Position};
use lombard_ports::bank::{EntryFilter, ListVersion, OrdersReceived, StatementFilter, StatementFormat, TimeRange};

objects! {
    EntryFilter as "EntryFilter" {
        /// The accounts.
        accounts: list(AsciiKey<40>, "AccountId");
        /// The earliest booking time that the consent covers, included.
        from: optional(FormOf<Timestamp>, "CoveredFromDateTime");
        /// The latest booking time that the consent covers, included.
        to: optional(FormOf<Timestamp>, "CoveredToDateTime");
        /// Only entries of this direction.
        direction: optional(FormOf<CreditDebit>, "CreditDebitIndicator");
        /// Only entries of this statement.
        statement: optional(AsciiKey<40>, "StatementId");
    }

    StatementFilter as "StatementFilter" {
        /// The accounts.
        accounts: list(AsciiKey<40>, "AccountId");
        /// The earliest start that the consent covers, included.
        from: optional(FormOf<Timestamp>, "CoveredFromDateTime");
        /// The latest end that the consent covers, included.
        to: optional(FormOf<Timestamp>, "CoveredToDateTime");
    }

    TimeRange as "TimeRange" {
        /// The first instant that the caller asks for, included.
        from: optional(FormOf<Timestamp>, "FromDateTime");
        /// The last instant that the caller asks for, included.
        to: optional(FormOf<Timestamp>, "ToDateTime");
    }
}

objects! {
    OrdersReceived as "OrdersReceived" {
        /// The first instant, included, by the bank's clock.
        from: required(FormOf<Timestamp>, "FromDateTime");
        /// Of the orders received exactly at that instant, only those after this id are asked for.
        after: optional(AsciiKey<128>, "AfterOrderId");
        /// The largest number of orders in the answer; at most 500.
        limit: required(FormOf<u32>, "Limit");
    }
}

words! {
    StatementFormat { Pdf = "PDF" Csv = "CSV" }
    Direction { Next = "Next" Prev = "Previous" }
}

impl ObjectForm for Position {
    type Value = Self;

    const ABOUT: &'static str = "A position in a list. Only the core that made it reads it; it comes back unchanged.";

    fn name() -> String {
        "Position".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.optional::<FormOf<Timestamp>>(
            "DateTime",
            "The time by which the list is sorted; 1970-01-01T00:00:00Z if absent.",
        );
        list.required::<BoundedText<512>>(
            "Id",
            "The id that breaks ties, or any text that the core finds its place by.",
        );
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let at = members.optional::<Timestamp, FormOf<Timestamp>>("DateTime");
        let id = members.required::<String, BoundedText<512>>("Id");
        Some(Self { at: at?.unwrap_or(Timestamp::UNIX_EPOCH), id: id? })
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        let at = Some(value.at).filter(|at| *at != Timestamp::UNIX_EPOCH);
        object.optional::<_, FormOf<Timestamp>>("DateTime", &at);
        object.required::<_, BoundedText<512>>("Id", &value.id);
    }
}

impl ObjectForm for ListWindow {
    type Value = Self;

    fn name() -> String {
        "ListWindow".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about = "The part of the list to answer: the records after the position, or before it, in the order of the list. Without \
                     both members the part begins with the first record.";
        list.both::<FormOf<Direction>, FormOf<Position>>("Direction", "Position", about);
        let about = "The number of the list's state in the first page; records that came later are left out.";
        list.optional::<FormOf<i64>>("AsOf", about);
        list.required::<FormOf<u32>>("PageSize", "The largest number of records in the answer.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let from = members.both::<(Direction, Position), FormOf<Direction>, FormOf<Position>>("Direction", "Position");
        let as_of = members.optional::<i64, FormOf<i64>>("AsOf");
        let size = members.required::<u32, FormOf<u32>>("PageSize");
        Some(Self { from: from?, as_of: as_of?, size: usize::try_from(size?).unwrap_or(usize::MAX) })
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.both::<(Direction, Position), FormOf<Direction>, FormOf<Position>>("Direction", "Position", &value.from);
        object.optional::<_, FormOf<i64>>("AsOf", &value.as_of);
        object.required::<_, FormOf<u32>>("PageSize", &u32::try_from(value.size).unwrap_or(u32::MAX));
    }
}

/// The version of the entries of some accounts.
impl ObjectForm for ListVersion {
    type Value = Self;

    const ABOUT: &'static str = "The version of the entries of accounts.";

    fn name() -> String {
        "EntriesVersion".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about = "The accounts that are accessible, in the order in which they were named, each with the version of its entries.";
        list.list::<ObjectOf<AccountVersion>>("Account", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        members.list::<_, ObjectOf<AccountVersion>>("Account").map(Self::of_accounts)
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.list::<_, ObjectOf<AccountVersion>>("Account", &value.accounts().to_vec());
    }
}

/// The version of one account's entries.
struct AccountVersion;

impl ObjectForm for AccountVersion {
    type Value = (BankAccountId, i64);

    fn name() -> String {
        "AccountVersion".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<AsciiKey<40>>("AccountId", "The account.");
        let about = "A whole number as text, which is replaced whenever the entries change and is not used again.";
        list.required::<NumberAsText>("Number", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<(BankAccountId, i64)> {
        let account = members.required::<BankAccountId, AsciiKey<40>>("AccountId");
        let number = members.required::<i64, NumberAsText>("Number");
        Some((account?, number?))
    }

    fn write_members(value: &(BankAccountId, i64), object: &mut MemberWriter) {
        object.required::<_, AsciiKey<40>>("AccountId", &value.0);
        object.required::<_, NumberAsText>("Number", &value.1);
    }
}

/// The last update of an order that the server has applied.
pub(super) struct Acknowledged;

impl ObjectForm for Acknowledged {
    type Value = (OrderId, u32);

    fn name() -> String {
        "Acknowledged".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<AsciiKey<128>>("OrderId", "The order.");
        list.required::<FormOf<u32>>("Number", "The number of the last update that was applied.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<(OrderId, u32)> {
        let order = members.required::<OrderId, AsciiKey<128>>("OrderId");
        let number = members.required::<u32, FormOf<u32>>("Number");
        Some((order?, number?))
    }

    fn write_members(value: &(OrderId, u32), object: &mut MemberWriter) {
        object.required::<_, AsciiKey<128>>("OrderId", &value.0);
        object.required::<_, FormOf<u32>>("Number", &value.1);
    }
}
