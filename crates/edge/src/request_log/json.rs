//! Masks JSON while it is parsed, so that members that are not known to be harmless never become values. An incomplete document results in
//! an incomplete value.

use super::text::{MASKED, address, shown_name, tail, without_secrets};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// A masked document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MaskedDocument {
    /// The masked value, which may be incomplete.
    pub(super) value: Value,
    /// Whether the document was parsed completely.
    pub(super) is_complete: bool,
}

/// Masks a document or the beginning of one.
pub(super) fn mask(document: &[u8]) -> MaskedDocument {
    let mut value = Value::Null;
    let mut reader = serde_json::Deserializer::from_slice(document);
    let masker = Masker { into: &mut value, form: MemberForm::Hidden };
    let is_complete = masker.deserialize(&mut reader).is_ok() && reader.end().is_ok();
    MaskedDocument { value, is_complete }
}

/// The shown part of a scalar member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberForm {
    /// The value, masked word by word.
    Plain,
    /// An address without the values of its parameters.
    Address,
    /// The last digits of a number.
    Tail,
    /// A mask; `true`, `false` and `null` are shown nevertheless.
    Hidden,
}

/// The shown part of a member with this name. Only the listed members are known to contain neither secrets nor personal data; others are
/// hidden.
#[rustfmt::skip]
fn form(name: &str) -> MemberForm {
    match name {
        "Identification" => MemberForm::Tail,
        "Self" | "First" | "Prev" | "Next" | "Last" | "Url" | "redirect_uris" | "error_uri" => MemberForm::Address,
        // Errors.
        "Code" | "ErrorCode" | "Errors" | "Id" | "Message" | "Path" | "error" | "error_description" => MemberForm::Plain,
        // Ids of resources.
        "AccountId" | "BeneficiaryId" | "ConsentId" | "DirectDebitId" | "DomesticPaymentId" | "DomesticScheduledPaymentId"
        | "DomesticStandingOrderId" | "DomesticVRPId" | "FilePaymentId" | "FundsConfirmationId" | "InternationalPaymentId"
        | "InternationalScheduledPaymentId" | "InternationalStandingOrderPaymentId" | "OfferId" | "PaymentTransactionId"
        | "ProductId" | "ScheduledPaymentId" | "StandingOrderId" | "StatementId" | "TransactionId" => MemberForm::Plain,
        // Times.
        "BookingDateTime" | "CompletionDateTime" | "CreationDateTime" | "CutOffDateTime" | "DateTime" | "EndDateTime"
        | "ExpectedExecutionDateTime" | "ExpectedSettlementDateTime" | "ExpirationDateTime" | "FinalPaymentDateTime"
        | "FirstAvailableDateTime" | "FirstPaymentDateTime" | "FundsAvailableDateTime" | "LastAvailableDateTime"
        | "LastPaymentDateTime" | "LastUpdatedDateTime" | "NextPaymentDateTime" | "RecurringPaymentDateTime"
        | "RequestedExecutionDate" | "RequestedExecutionDateTime" | "ScheduledPaymentDateTime" | "StartDateTime"
        | "StatusUpdateDateTime" | "TransactionFromDateTime" | "TransactionToDateTime" | "ValidFromDateTime"
        | "ValidToDateTime" | "ValueDateTime" => MemberForm::Plain,
        // Kinds, states and amounts.
        "AccountCategory" | "AccountSubType" | "AccountType" | "AccountTypeCode" | "Amount" | "AuthorisationType"
        | "CategoryPurposeCode" | "ChargeBearer" | "ControlSum" | "CountPerPeriod" | "CreditDebitIndicator" | "Currency"
        | "CurrencyOfTransfer" | "DestinationCountryCode" | "ExchangeRate" | "FileHash" | "FileType" | "Frequency"
        | "InstructionPriority" | "LocalInstrument" | "MerchantCategoryCode" | "NumberOfPayments" | "NumberOfTransactions"
        | "NumberRequired" | "NumberReceived" | "PSUAuthenticationMethods" | "PSUInteractionType" | "PSUInteractionTypes"
        | "PaymentContextCode" | "PaymentPurposeCode" | "PeriodAlignment" | "PeriodType" | "Permission" | "Permissions"
        | "PointInTime" | "Purpose" | "RateType" | "ReadRefundAccount" | "ScheduledType" | "SchemeName" | "ServicingStatus"
        | "Status" | "StatusCode" | "StatusReason" | "StatusReasonCode" | "StatusReasonDescription" | "SubCode"
        | "SwitchStatus" | "TotalPages" | "Type" | "UnitCurrency" | "VRPType" => MemberForm::Plain,
        // OAuth.
        "active" | "application_type" | "aud" | "client_id" | "client_id_issued_at" | "exp" | "expires_in" | "grant_types"
        | "iat" | "id_token_signed_response_alg" | "interval" | "iss" | "nbf" | "openbanking_intent_id"
        | "request_object_signing_alg" | "response_types" | "scope" | "software_id" | "token_endpoint_auth_method"
        | "token_endpoint_auth_signing_alg" | "token_type" => MemberForm::Plain,
        // Events.
        "ack" | "err" | "maxEvents" | "moreAvailable" | "returnImmediately" => MemberForm::Plain,
        _ => MemberForm::Hidden,
    }
}

/// Parses a value into its masked form.
struct Masker<'a> {
    into: &'a mut Value,
    /// The shown part of the value, if it is a scalar or an array of scalars.
    form: MemberForm,
}

impl Masker<'_> {
    fn text(&mut self, text: &str) {
        *self.into = Value::String(match self.form {
            MemberForm::Plain => without_secrets(text).into_owned(),
            MemberForm::Address => address(text),
            MemberForm::Tail => tail(text),
            MemberForm::Hidden => MASKED.to_owned(),
        });
    }

    fn number(&mut self, number: Value) {
        let is_shown = self.form == MemberForm::Plain && without_secrets(&number.to_string()) == number.to_string();
        *self.into = if is_shown { number } else { Value::String(MASKED.to_owned()) };
    }
}

impl<'de> DeserializeSeed<'de> for Masker<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Masker<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        *self.into = Value::Bool(value);
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        *self.into = Value::Null;
        Ok(())
    }

    fn visit_i64<E: Error>(mut self, value: i64) -> Result<(), E> {
        self.number(value.into());
        Ok(())
    }

    fn visit_u64<E: Error>(mut self, value: u64) -> Result<(), E> {
        self.number(value.into());
        Ok(())
    }

    fn visit_f64<E: Error>(mut self, value: f64) -> Result<(), E> {
        self.number(value.into());
        Ok(())
    }

    fn visit_str<E: Error>(mut self, value: &str) -> Result<(), E> {
        self.text(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        *self.into = Value::Array(Vec::new());
        loop {
            let mut element = Value::Null;
            let read = elements.next_element_seed(Masker { into: &mut element, form: self.form });
            let is_end = matches!(read, Ok(None));
            // The part of an element that was parsed before the document ended is shown.
            let has_begun = read.is_ok() || !element.is_null();
            if let (Value::Array(array), true) = (&mut *self.into, has_begun && !is_end) {
                array.push(element);
            }
            match read {
                Ok(Some(())) => {}
                Ok(None) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        *self.into = Value::Object(Map::new());
        while let Some(name) = members.next_key::<String>()? {
            let mut member = Value::Null;
            let read = members.next_value_seed(Masker { into: &mut member, form: form(&name) });
            if let Value::Object(object) = &mut *self.into {
                object.insert(shown_name(&name).to_owned(), member);
            }
            read?;
        }
        Ok(())
    }
}
