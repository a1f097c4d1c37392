//! Single values of payment requests.

use super::names;
use crate::names::listed::account_scheme;
use crate::parse::schema::{one_of, text};
use crate::parse::{
    ArraySource, FaultCollector, FromJson, JsonMember, JsonPath, ObjectSource, Stopped, array_of, kind_of_notation,
    object, read_elements,
};
use crate::time::SentInstant;
use jiff::civil::Date;
use lombard_domain::account::{AccountScheme, IsoCode};
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, BadAmount, Currency};
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::order::{AppliedAuthenticationApproach, RequestedAuthorisationType, ScaExemption};
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::refusal::FaultCode;
use serde_json::{Value, json};

/// A text of `MIN` to `MAX` characters, without the characters that no rail can carry (PIS-135).
#[derive(Debug)]
pub(crate) struct RailText<const MIN: usize, const MAX: usize>(pub(crate) String);

impl<const MIN: usize, const MAX: usize> FromJson for RailText<MIN, MAX> {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        json!({ "type": "string", "minLength": MIN, "maxLength": MAX })
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let fits = (MIN..=MAX).contains(&text.chars().count());
        if !fits {
            reader.fault(FaultCode::FieldInvalid, at, format!("Must have {MIN} to {MAX} characters."));
        }
        let printable = !text.chars().any(char::is_control);
        if !printable {
            reader.fault(FaultCode::FieldInvalid, at, "Must not hold control characters.");
        }
        (fits && printable).then(|| Self(text.to_owned()))
    }
}

impl<const MIN: usize, const MAX: usize> From<RailText<MIN, MAX>> for String {
    fn from(text: RailText<MIN, MAX>) -> Self {
        text.0
    }
}

/// The text as a code of ISO 20022, if it is one.
impl<const MIN: usize, const MAX: usize> From<RailText<MIN, MAX>> for Option<IsoCode> {
    fn from(text: RailText<MIN, MAX>) -> Self {
        text.0.parse().ok()
    }
}

/// An array of the standard's cardinality `0..MAX`.
#[derive(Debug)]
pub(crate) struct UpTo<T, const MAX: usize>(pub(crate) Vec<T>);

impl<T: FromJson, const MAX: usize> FromJson for UpTo<T, MAX> {
    const WANTED: &'static str = "an array";

    fn schema() -> Value {
        let array = array_of::<T>();
        if MAX == usize::MAX { array } else { with_most(array, MAX) }
    }

    fn array(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        elements: &mut dyn ArraySource,
    ) -> Result<Option<Self>, Stopped> {
        let (values, count) = read_elements(reader, at, elements, MAX)?;
        if count > MAX {
            reader.fault(FaultCode::FieldInvalid, at, format!("Must have at most {MAX} elements."));
        }
        Ok((values.len() == count).then_some(Self(values)))
    }
}

fn with_most(mut array: Value, items_max: usize) -> Value {
    if let Some(array) = array.as_object_mut() {
        array.insert("maxItems".to_owned(), items_max.into());
    }
    array
}

/// Parses a code, reports the given fault for an unknown one, and states the schema.
macro_rules! read_codes {
    ($($type:ty: $reader:path, $code:ident, $message:literal $(, $schema:expr)?;)*) => {$(
        impl FromJson for $type {
            const WANTED: &'static str = "a string";

            $(fn schema() -> serde_json::Value {
                $schema
            }

            fn codes_count() -> Option<usize> {
                $crate::parse::schema::listed_count(&$schema)
            })?

            fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
                let code = $reader(text);
                if code.is_none() {
                    reader.fault(FaultCode::$code, at, $message);
                }
                code
            }
        }
    )*};
}
pub(crate) use read_codes;

read_codes! {
    AccountScheme: names::read_account_scheme, UnsupportedScheme, "Must be a scheme of the standard.", one_of(account_scheme());
    Instrument: names::read_instrument, UnsupportedLocalInstrument, "Must be a local instrument of the standard.", listed::<Self>();
    RequestedAuthorisationType: names::read_authorisation_type, FieldInvalid, "Must be Any or Single.", listed::<Self>();
    ScaExemption: names::read_exemption, FieldInvalid, "Must be an exemption of the standard.", listed::<Self>();
    AppliedAuthenticationApproach: names::read_applied_approach, FieldInvalid, "Must be CA or SCA.", listed::<Self>();
    PaymentContext: names::read_payment_context, FieldInvalid, "Must be a payment context of the standard.", listed::<Self>();
    Currency: currency, FieldInvalid, "Must be a currency code of ISO 4217.", text("^[A-Z]{3}$");
    Create: create, FieldInvalid, "Must be Create.", one_of(["Create"]);
    YesNo: yes_no, FieldInvalid, "Must be Yes or No.", one_of(["Yes", "No"]);
    DecimalText: decimal, FieldInvalid, "Must have 1 to 13 digits, and at most 5 after a point.",
        text(r"^\d{1,13}$|^\d{1,13}\.\d{1,5}$");
    Country: country, FieldInvalid, "Must be two capital letters.", text("^[A-Z]{2}$");
}

/// The names of a table, as schema.
pub(crate) fn listed<T: names::Listed>() -> Value {
    one_of(T::NAMES.iter().copied())
}

/// The permission of consents that have one. Source: PIS-028.
#[derive(Debug)]
pub(crate) struct Create;

fn create(text: &str) -> Option<Create> {
    (text == "Create").then_some(Create)
}

/// A `Yes` or `No`. Source: PIS-096, `OBReadRefundAccount1Code`.
#[derive(Debug)]
pub(crate) struct YesNo(pub(crate) bool);

fn yes_no(text: &str) -> Option<YesNo> {
    match text {
        "Yes" => Some(YesNo(true)),
        "No" => Some(YesNo(false)),
        _ => None,
    }
}

/// A country, checked by its form only, because the official examples say `UK`. Source: PIS-147, `CountryCode`.
#[derive(Debug)]
pub(crate) struct Country(pub(crate) String);

fn country(text: &str) -> Option<Country> {
    (text.len() == 2 && text.bytes().all(|it| it.is_ascii_uppercase())).then(|| Country(text.to_owned()))
}

fn currency(text: &str) -> Option<Currency> {
    text.parse().ok()
}

/// A decimal number in a string. Source: PIS-120, `OBActiveCurrencyAndAmount_SimpleType`.
#[derive(Debug)]
pub(crate) struct DecimalText(pub(crate) String);

fn decimal(text: &str) -> Option<DecimalText> {
    (Amount::parse(text, Currency::GBP) != Err(BadAmount::Form)).then(|| DecimalText(text.to_owned()))
}

/// An amount that is written as a string or as a number, in the same notation. Source: `ReferredDocumentAmount`, which is
/// a number in the standard's specification and a string in its examples.
#[derive(Debug)]
pub(crate) struct WrittenDecimal(pub(crate) String);

impl FromJson for WrittenDecimal {
    const WANTED: &'static str = "a string or a number";

    const IS_NOTATION: bool = true;

    fn schema() -> Value {
        json!({ "anyOf": [DecimalText::schema(), { "type": "number" }] })
    }

    fn notation(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> JsonMember<Self> {
        if text == "null" {
            return JsonMember::Null;
        }
        let plain = match serde_json::from_str(text) {
            Ok(Value::String(plain)) => plain,
            Ok(Value::Number(_)) => text.to_owned(),
            Ok(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | Err(_) => {
                reader.wrong_type(at, Self::WANTED, kind_of_notation(text));
                return JsonMember::Faulty;
            }
        };
        match DecimalText::text(reader, at, &plain) {
            Some(DecimalText(decimal)) => JsonMember::Value(Self(decimal)),
            None => JsonMember::Faulty,
        }
    }
}

object! {
    /// Source: `OBActiveOrHistoricCurrencyAndAmount`.
    struct AmountReader: Closed {
        required amount: DecimalText = "Amount",
        required currency: Currency = "Currency",
    }
}

/// Source: PIS-120 to PIS-122.
impl FromJson for Amount {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        AmountReader::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let money = AmountReader::object(reader, at, members)?;
        Ok(money.and_then(|money| amount(reader, at, &money.amount, money.currency)))
    }
}

/// The amount of an object with an amount and a currency. `None` means that a fault was reported. Source: PIS-121.
pub(crate) fn amount(
    reader: &FaultCollector,
    at: &JsonPath<'_>,
    text: &DecimalText,
    currency: Currency,
) -> Option<Amount> {
    let amount = Amount::parse(&text.0, currency).ok();
    if amount.is_none() {
        let message = "The currency has fewer decimals than the amount.";
        reader.fault(FaultCode::FieldInvalid, &at.member("Amount"), message);
    }
    amount
}

/// A date-time that denotes a day in London. Source: PIS-152, PIS-154.
#[derive(Debug)]
pub(crate) struct LondonDay(pub(crate) Date);

impl FromJson for LondonDay {
    const WANTED: &'static str = SentInstant::WANTED;

    fn schema() -> Value {
        SentInstant::schema()
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        SentInstant::text(reader, at, text).map(|sent| Self(london_date(sent.instant)))
    }
}
