//! The announcement of a payment file. Source: `OBWriteFileConsent3`, `OBWriteFile2`, table 1.3.

use crate::parse::schema::{one_of, text};
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use crate::payments::forms::PaymentForms;
use crate::payments::international::DomesticAgent;
use crate::payments::names::file_type;
use crate::payments::number::Number;
use crate::payments::parties::UltimateParty;
use crate::payments::parts::{DebtorAccount, SupplementaryData, references};
use crate::payments::requested::RequestedPayment;
use crate::payments::values::{LondonDay, RailText};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use lombard_domain::grant::Digest;
use lombard_domain::payment::file::{FileInitiation, FileType};
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::{Instrument, TransferDetails};
use lombard_domain::refusal::{FaultCode, FileField};
use serde_json::{Value, json};

object! {
    /// The file type neither requires nor forbids any of the optional members. Source: FILE-017, `OBWriteFile2/Data/Initiation`.
    struct Initiation<V: PaymentForms>: Closed {
        required kind: V::FileKind = "FileType",
        required hash: FileHash = "FileHash",
        optional reference: RailText<1, 40> = "FileReference",
        optional count: NumberOfTransactions = "NumberOfTransactions",
        optional sum: Number = "ControlSum",
        optional execute_on: LondonDay = "RequestedExecutionDateTime",
        optional instrument: Instrument = "LocalInstrument",
        optional agent: V::Only4<DomesticAgent<V>> = "CreditorAgent",
        optional debtor: DebtorAccount<V> = "DebtorAccount",
        optional ultimate_debtor: V::Only4<UltimateParty<V>> = "UltimateDebtor",
        optional remittance: V::Remittance = "RemittanceInformation",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl<V: PaymentForms> From<Initiation<V>> for FileInitiation {
    fn from(it: Initiation<V>) -> Self {
        Self {
            kind: it.kind.into(),
            hash: it.hash.0,
            reference: it.reference.map(|text| text.0),
            count: it.count.map(|count| count.0),
            sum: it.sum.map(|sum| sum.0),
            execute_on: it.execute_on.map(|day| day.0),
            instrument: it.instrument,
            debtor: it.debtor.map(Into::into),
            references: references(None, None, it.remittance),
            details: TransferDetails {
                agent: it.agent.and_then(Into::into).map(|agent| agent.payee_agent),
                ultimate_debtor: it.ultimate_debtor.and_then(Into::into).map(Into::into),
                ..TransferDetails::default()
            }
            .boxed(),
        }
    }
}

impl<V: PaymentForms> From<Initiation<V>> for RequestedPayment {
    fn from(it: Initiation<V>) -> Self {
        let terms = FileInitiation::from(it);
        Self { debtor: terms.debtor.clone(), instruction: Instruction::File(Box::new(terms)), legacy_frequency: false }
    }
}

/// The path of a member of the announcement, the same in both versions. Source: RW-124.
pub const fn file_field_path(field: FileField) -> &'static str {
    match field {
        FileField::Hash => "Data.Initiation.FileHash",
        FileField::Count => "Data.Initiation.NumberOfTransactions",
        FileField::ControlSum => "Data.Initiation.ControlSum",
        FileField::DebtorAccount => "Data.Initiation.DebtorAccount",
        FileField::RequestedExecution => "Data.Initiation.RequestedExecutionDateTime",
        FileField::LocalInstrument => "Data.Initiation.LocalInstrument",
    }
}

/// The media types accepted for a file type; the first one is used for a download if the media type of the upload is not stored.
/// Source: FILE-007.
pub const fn file_media_types(kind: FileType) -> &'static [&'static str] {
    match kind {
        FileType::Pain001 => &["text/xml", "application/xml"],
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => &["application/json"],
    }
}

impl FromJson for FileType {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        one_of(Self::ALL.map(file_type))
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let kind = Self::ALL.into_iter().find(|kind| file_type(*kind) == text);
        if kind.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Files of this type are not taken.");
        }
        kind
    }
}

/// A SHA-256 digest in Base64, with or without padding. Source: FILE-003, FILE-004.
#[derive(Debug)]
pub(crate) struct FileHash(pub(crate) Digest);

impl FromJson for FileHash {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        json!({ "type": "string", "minLength": 43, "maxLength": 44 })
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        const EITHER: GeneralPurposeConfig =
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, EITHER);
        // The digest has 32 bytes, so a longer text is not decoded.
        let bytes = Some(text).filter(|text| text.len() <= 44).and_then(|text| BASE64.decode(text).ok());
        let hash = bytes.and_then(|bytes| bytes.try_into().ok()).map(|bytes| Self(Digest(bytes)));
        if hash.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must be the Base64 of a SHA-256 digest.");
        }
        hash
    }
}

/// The number of transactions: a string of 1 to 15 digits. Source: `OBFile2/NumberOfTransactions`.
#[derive(Debug)]
pub(crate) struct NumberOfTransactions(pub(crate) u64);

impl FromJson for NumberOfTransactions {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text("^[0-9]{1,15}$")
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let plain = (1..=15).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
        let count = text.parse().ok().filter(|_| plain).map(Self);
        if count.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must have 1 to 15 digits.");
        }
        count
    }
}
