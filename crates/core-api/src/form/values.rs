//! The forms of simple values (texts, numbers, times, enumerations) and of amounts, which are objects.

use super::faults::JsonLocation;
use super::node::JsonNode;
use super::schema::{Definitions, HasSchema, MemberList, SchemaStyle, array_of};
use super::shape::{
    DocumentKind, FieldForm, FormOf, FormReader, ListForm, MemberPair, MemberReader, MemberWriter, ObjectForm,
    SingleForm,
};
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::account::Instalment;
use lombard_domain::frequency::Frequency;
use lombard_domain::grant::Digest;
use lombard_domain::money::{Amount, BadAmount, CreditDebit, Currency, SignedAmount};
use lombard_wire::v3_1::names;
use rust_decimal::Decimal;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::marker::PhantomData;

fn texts<'a>(node: JsonNode<'a>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Cow<'a, str>> {
    if let JsonNode::Text(text) = node { Some(text) } else { reader.fault(at, "Must be a text.") }
}

fn written_as(pattern: &str) -> JsonNode<'static> {
    JsonNode::object([("type", JsonNode::text("string")), ("pattern", JsonNode::text(pattern))])
}

/// The form of a text of 1 to `MAX` characters without control characters. A message may contain any text of at most `MAX` characters.
#[derive(Debug)]
pub struct BoundedText<const MAX: usize>;

impl<const MAX: usize> HasSchema for BoundedText<MAX> {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([
            ("type", JsonNode::text("string")),
            ("minLength", JsonNode::Integer(1)),
            ("maxLength", JsonNode::Integer(i64::try_from(MAX).unwrap_or(i64::MAX))),
        ])
    }
}

impl<T: From<String> + AsRef<str>, const MAX: usize> FieldForm<T> for BoundedText<MAX> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<T> {
        let text = texts(node, at, reader)?;
        let count = text.chars().count();
        let is_file = reader.kind == DocumentKind::File;
        if count > MAX || (is_file && count == 0) {
            return reader.fault(at, format!("Must have 1 to {MAX} characters."));
        }
        if is_file && text.chars().any(char::is_control) {
            return reader.fault(at, "Must not contain control characters.");
        }
        Some(text.into_owned().into())
    }

    fn write(value: &T) -> JsonNode<'static> {
        JsonNode::text(value.as_ref())
    }
}

/// The form of an id of 1 to `MAX` printable ASCII characters without blanks. In a message, an id has 1 to `MAX` characters of any kind,
/// because a core chooses its own ids.
#[derive(Debug)]
pub struct AsciiKey<const MAX: usize>;

impl<const MAX: usize> HasSchema for AsciiKey<MAX> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        match definitions.style() {
            SchemaStyle::DataFile => written_as(&format!("^[!-~]{{1,{MAX}}}$")),
            SchemaStyle::OpenApi => BoundedText::<MAX>::schema(definitions),
        }
    }
}

impl<T: From<String> + AsRef<str>, const MAX: usize> FieldForm<T> for AsciiKey<MAX> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<T> {
        let text = texts(node, at, reader)?;
        let fits = match reader.kind {
            DocumentKind::File => (1..=MAX).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_graphic()),
            DocumentKind::Message => (1..=MAX).contains(&text.chars().count()),
        };
        if fits {
            Some(text.into_owned().into())
        } else {
            reader.fault(at, format!("Must have 1 to {MAX} letters, digits or signs."))
        }
    }

    fn write(value: &T) -> JsonNode<'static> {
        JsonNode::text(value.as_ref())
    }
}

/// The form of an exact decimal number as text, with at most `WHOLE` digits before the point and `FRACTION` digits after it.
#[derive(Debug)]
pub struct ExactDecimal<const WHOLE: usize, const FRACTION: usize>;

impl<const WHOLE: usize, const FRACTION: usize> HasSchema for ExactDecimal<WHOLE, FRACTION> {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        written_as(&format!(r"^-?\d{{1,{WHOLE}}}(\.\d{{1,{FRACTION}}})?$"))
    }
}

impl<const WHOLE: usize, const FRACTION: usize> FieldForm<Decimal> for ExactDecimal<WHOLE, FRACTION> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Decimal> {
        let text = texts(node, at, reader)?;
        let bare = text.strip_prefix('-').unwrap_or(&text);
        let (whole, fraction) = bare.split_once('.').map_or((bare, None), |(whole, rest)| (whole, Some(rest)));
        let digits = |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_digit());
        let fits = digits(whole, WHOLE) && fraction.is_none_or(|it| digits(it, FRACTION));
        match Decimal::from_str_exact(&text).ok().filter(|_| fits) {
            Some(number) => Some(number),
            None => {
                let sentence = format!("Must be a number as text: at most {WHOLE} digits and {FRACTION} decimals.");
                reader.fault(at, sentence)
            }
        }
    }

    fn write(value: &Decimal) -> JsonNode<'static> {
        JsonNode::text(value.to_string())
    }
}

/// Implements the form of these integer types.
macro_rules! whole_numbers {
    ($($type:ty)*) => {$(
        impl SingleForm for $type {
            fn schema(_: &mut Definitions) -> JsonNode<'static> {
                JsonNode::object([("type", JsonNode::text("integer"))])
            }

            fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
                let number = match node {
                    JsonNode::Integer(number) => Self::try_from(number).ok(),
                    _ => None,
                };
                if number.is_none() {
                    return reader.fault(at, "Must be a whole number in range.");
                }
                number
            }

            fn write(&self) -> JsonNode<'static> {
                JsonNode::Integer(i64::from(*self))
            }
        }
    )*};
}
whole_numbers! { i8 i16 u16 u32 i64 }

impl SingleForm for u64 {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("integer")), ("minimum", JsonNode::Integer(0))])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let number = if let JsonNode::Integer(number) = &node {
            Self::try_from(*number).ok()
        } else if let JsonNode::Number(number) = &node {
            number.as_u64()
        } else {
            None
        };
        if number.is_none() {
            return reader.fault(at, "Must be a whole number in range.");
        }
        number
    }

    fn write(&self) -> JsonNode<'static> {
        i64::try_from(*self).map_or_else(|_| JsonNode::Number((*self).into()), JsonNode::Integer)
    }
}

/// The form of a whole number as text, because many programs round large JSON numbers.
#[derive(Debug)]
pub struct NumberAsText;

impl HasSchema for NumberAsText {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        written_as(r"^-?\d{1,19}$")
    }
}

impl FieldForm<i64> for NumberAsText {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<i64> {
        match texts(node, at, reader)?.parse() {
            Ok(number) => Some(number),
            Err(_) => reader.fault(at, "Must be a whole number as text."),
        }
    }

    fn write(value: &i64) -> JsonNode<'static> {
        JsonNode::text(value.to_string())
    }
}

/// The form of a SHA-256 digest as 64 hexadecimal digits.
#[derive(Debug)]
pub struct HexDigest;

impl HasSchema for HexDigest {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        written_as("^[0-9a-f]{64}$")
    }
}

impl FieldForm<Digest> for HexDigest {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Digest> {
        let text = texts(node, at, reader)?;
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let is_hex = text.bytes().all(|it| it.is_ascii_hexdigit());
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        match bytes.filter(|_| is_hex).and_then(|bytes| bytes.try_into().ok()) {
            Some(bytes) => Some(Digest(bytes)),
            None => reader.fault(at, "Must be 64 hexadecimal digits."),
        }
    }

    fn write(value: &Digest) -> JsonNode<'static> {
        JsonNode::text(value.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

/// The form of a set of values, as a list.
#[derive(Debug)]
pub struct SetOf<F>(PhantomData<F>);

impl<F: HasSchema> HasSchema for SetOf<F> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        array_of(F::schema(definitions))
    }
}

impl<T: Ord + Clone, F: FieldForm<T>> FieldForm<BTreeSet<T>> for SetOf<F> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<BTreeSet<T>> {
        ListForm::<F>::read(node, at, reader).map(|items: Vec<T>| items.into_iter().collect())
    }

    fn write(value: &BTreeSet<T>) -> JsonNode<'static> {
        JsonNode::List(value.iter().map(F::write).collect())
    }
}

impl SingleForm for bool {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("boolean"))])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        if let JsonNode::Bool(flag) = node { Some(flag) } else { reader.fault(at, "Must be true or false.") }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::Bool(*self)
    }
}

/// The first day that RFC 3339 can express. An earlier time in a TPP's request is replaced by the beginning of this day.
const FIRST_DAY: Date = Date::constant(0, 1, 1);
/// The beginning of `FIRST_DAY`.
const FIRST_INSTANT: Timestamp = Timestamp::constant(-62_167_219_200, 0);

/// Parses an RFC 3339 time, and truncates it to microseconds, in which times are stored.
pub fn read_instant(text: &str) -> Option<Timestamp> {
    text.parse().ok().map(lombard_domain::instant::truncate_to_micros)
}

impl SingleForm for Timestamp {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("string")), ("format", JsonNode::text("date-time"))])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let time = read_instant(&texts(node, at, reader)?);
        match time.and_then(|time| time.checked_add(reader.shift).ok()) {
            Some(time) => Some(time),
            None => reader.fault(at, "Must be a time with its offset, as 2026-01-31T09:00:00Z."),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::text(self.max(&FIRST_INSTANT).to_string())
    }
}

impl SingleForm for Date {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("string")), ("format", JsonNode::text("date"))])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let text = texts(node, at, reader)?;
        let day: Option<Self> = text.parse().ok().filter(|_| text.len() == 10);
        match day.and_then(|day| day.checked_add(reader.shift).ok()) {
            Some(day) => Some(day),
            None => reader.fault(at, "Must be a day, as 2026-01-31."),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::text(self.max(&FIRST_DAY).to_string())
    }
}

impl SingleForm for Currency {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        written_as("^[A-Z]{3}$")
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        match texts(node, at, reader)?.parse() {
            Ok(currency) => Some(currency),
            Err(_) => reader.fault(at, "Must be a currency of ISO 4217, as GBP."),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::text(self.code())
    }
}

impl SingleForm for Frequency {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        let pattern = r"^(NotKnown|EvryDay|EvryWorkgDay|IntrvlDay:\d{2}|IntrvlWkDay:\d{2}:\d{2}|WkInMnthDay:\d{2}:\d{2}|IntrvlMnthDay:\d{2}:-?\d{2}|QtrDay:(ENGLISH|SCOTTISH|RECEIVED))$";
        written_as(pattern)
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let text = texts(node, at, reader)?;
        let known = if text == "NotKnown" { Some(Self::NotKnown) } else { names::read_frequency(&text) };
        match known {
            Some(frequency) => Some(frequency),
            None => reader.fault(at, "Must be a frequency of the standard, as IntrvlMnthDay:01:28."),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::text(names::frequency(*self))
    }
}

/// The form of an amount's digits; the currency is a separate member.
struct AmountText;

impl HasSchema for AmountText {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        written_as(r"^\d{1,13}(\.\d{1,5})?$")
    }
}

impl FieldForm<String> for AmountText {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<String> {
        texts(node, at, reader).map(Cow::into_owned)
    }

    fn write(value: &String) -> JsonNode<'static> {
        JsonNode::text(value)
    }
}

/// The form of an amount. Source: `OBActiveOrHistoricCurrencyAndAmount`.
impl ObjectForm for Amount {
    type Value = Self;

    fn name() -> String {
        "Amount".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<AmountText>("Amount", "The amount as decimal text, with at most the currency's decimals.");
        list.required::<FormOf<Currency>>("Currency", "The currency, by its code of ISO 4217.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let digits = members.required::<String, AmountText>("Amount");
        let currency = members.required::<Currency, FormOf<Currency>>("Currency");
        let sentence = match Self::parse(&digits?, currency?) {
            Ok(amount) => return Some(amount),
            Err(BadAmount::Form) => "Must be an amount as text: 1 to 13 digits and at most 5 decimals, no sign.",
            Err(BadAmount::Precision) => "Has more decimals than the currency.",
        };
        members.reader.fault(&JsonLocation::Member(members.at, "Amount"), sentence)
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.required::<_, AmountText>("Amount", &value.decimal());
        object.required::<_, FormOf<Currency>>("Currency", &value.currency());
    }
}

/// The form of a signed amount, with the members `CreditDebitIndicator` and `Amount`.
impl ObjectForm for SignedAmount {
    type Value = Self;

    fn name() -> String {
        "SignedAmount".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about = "Whether the amount is in the holder's favour; zero is a credit.";
        list.required::<FormOf<CreditDebit>>("CreditDebitIndicator", about);
        list.required::<FormOf<Amount>>("Amount", "The amount without its sign.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let direction = members.required::<CreditDebit, FormOf<CreditDebit>>("CreditDebitIndicator");
        let amount = members.required::<Amount, FormOf<Amount>>("Amount");
        let direction = direction?;
        let amount = amount?;
        // An amount has at most 17 digits, so it fits the type.
        let minor = i64::try_from(amount.minor()).unwrap_or(i64::MAX);
        let minor = match direction {
            CreditDebit::Credit => minor,
            CreditDebit::Debit => minor.saturating_neg(),
        };
        Some(Self::from_minor(minor, amount.currency()))
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.required::<_, FormOf<CreditDebit>>("CreditDebitIndicator", &value.direction());
        object.required::<_, FormOf<Amount>>("Amount", &value.amount());
    }
}

impl MemberPair for Instalment {
    type A = Timestamp;
    type B = Amount;

    fn join(at: Timestamp, amount: Amount) -> Self {
        Self { at, amount }
    }

    fn split(&self) -> (Timestamp, Amount) {
        (self.at, self.amount)
    }
}

impl<A: Clone, B: Clone> MemberPair for (A, B) {
    type A = A;
    type B = B;

    fn join(a: A, b: B) -> Self {
        (a, b)
    }

    fn split(&self) -> Self {
        self.clone()
    }
}
