//! What is said of a file beforehand, and what was found in it.

use super::credit::ReferencesRecord;
use jiff::civil::Date;
use lombard_database::records::{AmountRecord, IdentificationRecord, read_amount, write_amount};
use lombard_domain::code::Word;
use lombard_domain::file::{Agreement, ControlSum, FileInitiation, FileType, Totals, UploadedFile};
use lombard_domain::grant::Digest;
use lombard_domain::order::Instrument;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// What is said of a file beforehand. The sum is a decimal text.
#[derive(Serialize, Deserialize)]
pub(crate) struct FileRecord {
    kind: Word<FileType>,
    /// Its bytes.
    hash: [u8; 32],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    execute_on: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Word<Instrument>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debtor: Option<IdentificationRecord>,
    #[serde(default, skip_serializing_if = "ReferencesRecord::is_empty")]
    references: ReferencesRecord,
}

impl FileRecord {
    pub(super) fn of(it: &FileInitiation) -> Self {
        Self {
            kind: Word(it.kind),
            hash: it.hash.0,
            reference: it.reference.clone(),
            count: it.count,
            sum: it.sum.map(|sum| sum.to_string()),
            execute_on: it.execute_on.map(|day| day.to_string()),
            instrument: it.instrument.map(Word),
            debtor: it.debtor.as_ref().map(IdentificationRecord::of),
            references: ReferencesRecord::of(&it.references),
        }
    }

    pub(super) fn into_domain(self) -> Result<FileInitiation, Source> {
        Ok(FileInitiation {
            kind: self.kind.0,
            hash: Digest(self.hash),
            reference: self.reference,
            count: self.count,
            sum: self.sum.map(|sum| sum.parse()).transpose()?,
            execute_on: self.execute_on.map(|day| day.parse()).transpose()?,
            instrument: self.instrument.map(|word| word.0),
            debtor: self.debtor.map(IdentificationRecord::into_domain),
            references: self.references.into_domain(),
        })
    }
}

/// The file that came.
#[derive(Serialize, Deserialize)]
pub(super) struct UploadedFileRecord {
    id: String,
    media_type: String,
    bytes: u64,
    totals: TotalsRecord,
}

impl UploadedFileRecord {
    pub(super) fn of(it: &UploadedFile) -> Self {
        Self {
            id: it.id.to_string(),
            media_type: it.media_type.clone(),
            bytes: it.bytes,
            totals: TotalsRecord::of(&it.totals),
        }
    }

    pub(super) fn into_domain(self) -> Result<UploadedFile, Source> {
        let Self { id, media_type, bytes, totals } = self;
        Ok(UploadedFile { id: id.into(), media_type, bytes, totals: totals.into_domain()? })
    }
}

/// What the lines come to. The sum over all currencies is that of the sums of each, and not written.
#[derive(Serialize, Deserialize)]
struct TotalsRecord {
    count: u32,
    by_currency: Vec<AmountRecord>,
    largest: Vec<AmountRecord>,
    #[serde(default)]
    unpayable: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    days: Option<(String, String)>,
    #[serde(default, skip_serializing_if = "AgreementRecord::is_silent")]
    execute_on: AgreementRecord<String>,
    #[serde(default, skip_serializing_if = "AgreementRecord::is_silent")]
    debtor: AgreementRecord<IdentificationRecord>,
    #[serde(default, skip_serializing_if = "AgreementRecord::is_silent")]
    instrument: AgreementRecord<Word<Instrument>>,
}

impl TotalsRecord {
    fn of(it: &Totals) -> Self {
        Self {
            count: it.count,
            by_currency: it.by_currency.iter().copied().map(write_amount).collect(),
            largest: it.largest.iter().copied().map(write_amount).collect(),
            unpayable: it.unpayable,
            days: it.days.map(|(first, last)| (first.to_string(), last.to_string())),
            execute_on: AgreementRecord::of(&it.execute_on, Date::to_string),
            debtor: AgreementRecord::of(&it.debtor, IdentificationRecord::of),
            instrument: AgreementRecord::of(&it.instrument, |rail| Word(*rail)),
        }
    }

    fn into_domain(self) -> Result<Totals, Source> {
        let by_currency: Vec<_> = self.by_currency.into_iter().map(read_amount).collect();
        let day = |(first, last): (String, String)| Ok::<_, Source>((first.parse()?, last.parse()?));
        Ok(Totals {
            count: self.count,
            sum: by_currency.iter().try_fold(ControlSum::default(), |sum, amount| sum.plus(*amount))?,
            by_currency,
            largest: self.largest.into_iter().map(read_amount).collect(),
            unpayable: self.unpayable,
            days: self.days.map(day).transpose()?,
            execute_on: self.execute_on.into_domain(|day| Ok(day.parse()?))?,
            debtor: self.debtor.into_domain(|debtor| Ok(debtor.into_domain()))?,
            instrument: self.instrument.into_domain(|word| Ok(word.0))?,
        })
    }
}

/// What the lines say of one thing; nothing where it is not written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AgreementRecord<T> {
    #[default]
    Silent,
    Named(T),
    Mixed,
}

impl<T> AgreementRecord<T> {
    const fn is_silent(&self) -> bool {
        matches!(self, Self::Silent)
    }

    fn of<D>(it: &Agreement<D>, write: impl Fn(&D) -> T) -> Self {
        match it {
            Agreement::Silent => Self::Silent,
            Agreement::Named(named) => Self::Named(write(named)),
            Agreement::Mixed => Self::Mixed,
        }
    }

    fn into_domain<D>(self, read: impl Fn(T) -> Result<D, Source>) -> Result<Agreement<D>, Source> {
        Ok(match self {
            Self::Silent => Agreement::Silent,
            Self::Named(named) => Agreement::Named(read(named)?),
            Self::Mixed => Agreement::Mixed,
        })
    }
}
