//! The data file: lists that are named as in the standard's responses. The records are parsed and written one at a time.

use super::records::{CustomerForm, FileAccount, RoutineRecord};
use jiff::{SignedDuration, Timestamp};
use lombard_core_api::form::faults::{FaultList, JsonLocation};
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::schema::{Definitions, HasSchema};
use lombard_core_api::form::shape::{FieldForm, FormOf, FormReader, ObjectOf, SingleForm};
use lombard_core_api::form::values::read_instant;
use lombard_corebank::storage::{Arrangement, Customer};
use lombard_domain::account::{
    AccountParty, AccountProduct, Beneficiary, DirectDebit, Offer, ScheduledPayment, StandingOrder, Statement,
    Transaction,
};
use lombard_ports::store::StoreError;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::error::Category;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The only version of the format.
const VERSION: i64 = 1;

/// Records of one kind, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordList<T> {
    pub(super) records: Vec<T>,
    /// The positions of elements that could not be parsed, in ascending order.
    faulty: Vec<usize>,
}

impl<T> Default for RecordList<T> {
    fn default() -> Self {
        Self { records: Vec::new(), faulty: Vec::new() }
    }
}

impl<T> RecordList<T> {
    /// Whether every element could be parsed.
    pub(super) const fn is_whole(&self) -> bool {
        self.faulty.is_empty()
    }

    /// Each record with its position in the file's list.
    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, &T)> {
        let mut faulty = self.faulty.iter().peekable();
        let mut place = 0_usize;
        self.records.iter().map(move |record| {
            while faulty.next_if(|it| **it == place).is_some() {
                place = place.saturating_add(1);
            }
            let own = place;
            place = place.saturating_add(1);
            (own, record)
        })
    }
}

impl<T> From<Vec<T>> for RecordList<T> {
    fn from(records: Vec<T>) -> Self {
        Self { records, faulty: Vec::new() }
    }
}

/// Removes a byte order mark, which some editors write and which is not part of the JSON. Source: RFC 8259, section 8.1.
fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Declares the lists: their names in the file and here, the types of their records, and the kind of arrangement that the records of a
/// list are.
macro_rules! lists {
    ($($name:literal $field:ident: $record:ty as $form:ty $(= $arrangement:ident)?,)*) => {
        /// The contents of a data file.
        #[derive(Debug, Default, Clone, PartialEq, Eq)]
        pub(super) struct File {
            /// The bank's time when the file was written.
            pub(super) as_of: Option<Timestamp>,
            $(pub(super) $field: RecordList<$record>,)*
        }

        impl File {
            fn read_list<'de, A: MapAccess<'de>>(
                &mut self,
                name: &str,
                json: &mut A,
                reader: &mut FormReader,
            ) -> Result<bool, A::Error> {
                match name {
                    $($name => json.next_value_seed(RecordsVisitor::<$record, $form>::new($name, &mut self.$field, reader))?,)*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn write_lists<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $(if !self.$field.records.is_empty() {
                    map.serialize_entry($name, &RecordWriter::<$record, $form>(&self.$field.records, PhantomData))?;
                })*
                Ok(())
            }

            fn describe_lists(definitions: &mut Definitions) -> Vec<(Cow<'static, str>, JsonNode<'static>)> {
                vec![$((
                    Cow::Borrowed($name),
                    JsonNode::object([("type", JsonNode::text("array")), ("items", <$form as HasSchema>::schema(definitions))]),
                ),)*]
            }

            /// Adds an arrangement to its list.
            ///
            /// # Errors
            /// [`StoreError`] if a routine cannot be described.
            pub(super) fn put(&mut self, arrangement: Arrangement) -> Result<(), StoreError> {
                match arrangement {
                    $($(Arrangement::$arrangement(it) => self.$field.records.push(it),)?)*
                    Arrangement::Routine(it) => self.routines.records.push(RoutineRecord::of(&it)?),
                }
                Ok(())
            }

            /// The arrangements of all lists.
            pub(super) fn arrangements(&self) -> Vec<Arrangement> {
                let mut arrangements = Vec::new();
                $($(arrangements.extend(self.$field.records.iter().cloned().map(Arrangement::$arrangement));)?)*
                arrangements.extend(self.routines.records.iter().map(|it| Arrangement::from(it.kept())));
                arrangements
            }
        }
    };
}

lists! {
    "Customer" customers: Customer as ObjectOf<CustomerForm>,
    "Account" accounts: FileAccount as FormOf<FileAccount>,
    "Party" parties: AccountParty as FormOf<AccountParty> = Party,
    "Product" products: AccountProduct as FormOf<AccountProduct> = Product,
    "Beneficiary" beneficiaries: Beneficiary as FormOf<Beneficiary> = Beneficiary,
    "DirectDebit" direct_debits: DirectDebit as FormOf<DirectDebit> = DirectDebit,
    "StandingOrder" standing_orders: StandingOrder as FormOf<StandingOrder> = StandingOrder,
    "ScheduledPayment" scheduled_payments: ScheduledPayment as FormOf<ScheduledPayment> = ScheduledPayment,
    "Offer" offers: Offer as FormOf<Offer> = Offer,
    "Routine" routines: RoutineRecord as FormOf<RoutineRecord>,
    "Statement" statements: Statement as FormOf<Statement>,
    "Transaction" transactions: Transaction as FormOf<Transaction>,
}

impl File {
    /// Parses a file and moves every time by `shift`. Also returns the faults of form.
    pub(super) fn read(bytes: &[u8], shift: SignedDuration) -> (Self, FaultList) {
        let bytes = without_byte_order_mark(bytes);
        let mut reader = FormReader { shift, ..FormReader::default() };
        let mut file = Self::default();
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let read =
            FileVisitor { file: &mut file, reader: &mut reader }.deserialize(&mut json).and_then(|()| json.end());
        if let Err(error) = read {
            let line = error.line();
            let column = error.column();
            let what = match error.classify() {
                Category::Data => "Here must be an object, or in it a list",
                Category::Syntax | Category::Eof | Category::Io => "This is not JSON",
            };
            reader.faults.record_fault(&JsonLocation::Root, format!("{what} (line {line}, column {column})."));
        }
        (file, reader.faults)
    }

    /// The `AsOf` time of a file; `None` if it cannot be parsed.
    pub(super) fn as_of(bytes: &[u8]) -> Option<Timestamp> {
        #[derive(serde::Deserialize)]
        struct FileHead {
            #[serde(rename = "AsOf")]
            as_of: Option<String>,
        }
        serde_json::from_slice::<FileHead>(without_byte_order_mark(bytes)).ok()?.as_of.as_deref().and_then(read_instant)
    }

    /// Serialises the file. The same records always give the same bytes.
    pub(super) fn write(&self) -> Vec<u8> {
        // Serialising text keys without floats into memory cannot fail.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// The JSON schema of data files.
    pub(super) fn schema() -> Vec<u8> {
        let mut definitions = Definitions::default();
        let mut properties = vec![
            (Cow::Borrowed("$schema"), JsonNode::object([("type", JsonNode::text("string"))])),
            (Cow::Borrowed("Version"), JsonNode::object([("const", JsonNode::Integer(VERSION))])),
            (Cow::Borrowed("AsOf"), Timestamp::schema(&mut definitions)),
        ];
        properties.extend(Self::describe_lists(&mut definitions));
        let definitions =
            definitions.into_schemas().into_iter().map(|(name, schema)| (Cow::Owned(name), schema)).collect();
        let schema = JsonNode::object([
            ("$schema", JsonNode::text("https://json-schema.org/draft/2020-12/schema")),
            ("title", JsonNode::text("Data file of the Lombard sandbox")),
            ("type", JsonNode::text("object")),
            ("required", JsonNode::texts(["Version"])),
            ("additionalProperties", JsonNode::Bool(false)),
            ("properties", JsonNode::Object(properties)),
            ("$defs", JsonNode::Object(definitions)),
        ]);
        serde_json::to_vec_pretty(&schema).unwrap_or_default()
    }
}

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("Version", &VERSION)?;
        if let Some(as_of) = &self.as_of {
            map.serialize_entry("AsOf", &as_of.write())?;
        }
        self.write_lists(&mut map)?;
        map.end()
    }
}

/// Serialises records one at a time.
struct RecordWriter<'a, T, F>(&'a [T], PhantomData<F>);

impl<T, F: FieldForm<T>> Serialize for RecordWriter<'_, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(F::write))
    }
}

/// Parses the whole file.
struct FileVisitor<'r> {
    file: &'r mut File,
    reader: &'r mut FormReader,
}

impl<'de> DeserializeSeed<'de> for FileVisitor<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FileVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut json: A) -> Result<(), A::Error> {
        let Self { file, reader } = self;
        let mut seen: Vec<String> = Vec::new();
        while let Some(name) = json.next_key::<String>()? {
            let at = JsonLocation::Member(&JsonLocation::Root, &name);
            if seen.contains(&name) {
                reader.faults.record_fault(&at, "This member occurs twice.");
                json.next_value::<IgnoredAny>()?;
                continue;
            }
            match name.as_str() {
                "$schema" => drop(json.next_value::<IgnoredAny>()?),
                "Version" => {
                    if json.next_value::<JsonNode>()? != JsonNode::Integer(VERSION) {
                        reader.faults.record_fault(&at, format!("Must be {VERSION}."));
                    }
                }
                "AsOf" => file.as_of = Timestamp::read(json.next_value()?, &at, reader),
                list => {
                    if !file.read_list(list, &mut json, reader)? {
                        reader.faults.record_fault(&at, "There is no such member here.");
                        json.next_value::<IgnoredAny>()?;
                    }
                }
            }
            seen.push(name);
        }
        if !seen.iter().any(|name| name == "Version") {
            reader
                .faults
                .record_fault(&JsonLocation::Member(&JsonLocation::Root, "Version"), "This member is required.");
        }
        Ok(())
    }
}

/// Parses the records of a list, with only one record at a time in memory as JSON.
struct RecordsVisitor<'r, T, F> {
    name: &'static str,
    list: &'r mut RecordList<T>,
    reader: &'r mut FormReader,
    form: PhantomData<F>,
}

impl<'r, T, F> RecordsVisitor<'r, T, F> {
    const fn new(name: &'static str, list: &'r mut RecordList<T>, reader: &'r mut FormReader) -> Self {
        Self { name, list, reader, form: PhantomData }
    }
}

impl<'de, T, F: FieldForm<T>> DeserializeSeed<'de> for RecordsVisitor<'_, T, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de, T, F: FieldForm<T>> Visitor<'de> for RecordsVisitor<'_, T, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut json: A) -> Result<(), A::Error> {
        let parent = JsonLocation::Member(&JsonLocation::Root, self.name);
        let mut index = 0_usize;
        while let Some(node) = json.next_element::<JsonNode>()? {
            match F::read(node, &JsonLocation::Item(&parent, index), self.reader) {
                Some(record) => self.list.records.push(record),
                None => self.list.faulty.push(index),
            }
            index = index.saturating_add(1);
        }
        Ok(())
    }
}
