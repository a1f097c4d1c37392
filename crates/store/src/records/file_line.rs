//! One payment of a file, beside the column with its number.

use super::credit::ReferencesRecord;
use lombard_database::records::AddressRecord;
use lombard_database::records::{AmountRecord, IdentificationRecord, json, read_amount, write_amount};
use lombard_domain::code::Word;
use lombard_domain::file::{FileLine, Payee, Unpayable};
use lombard_domain::order::Instrument;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct FileLineRecord {
    amount: AmountRecord,
    #[serde(default, skip_serializing_if = "ReferencesRecord::is_empty")]
    references: ReferencesRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Word<Instrument>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debtor: Option<IdentificationRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    execute_on: Option<String>,
    payee: PayeeRecord,
}

/// To whom, or why to nobody.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PayeeRecord {
    To {
        creditor: IdentificationRecord,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<Box<AddressRecord>>,
    },
    Unpayable(Word<Unpayable>),
}

impl FileLineRecord {
    pub(crate) fn write(it: &FileLine) -> String {
        json(&Self {
            amount: write_amount(it.amount),
            references: ReferencesRecord::of(&it.references),
            instrument: it.instrument.map(Word),
            debtor: it.debtor.as_ref().map(IdentificationRecord::of),
            execute_on: it.execute_on.map(|day| day.to_string()),
            payee: match &it.payee {
                Ok(payee) => PayeeRecord::To {
                    creditor: IdentificationRecord::of(&payee.creditor),
                    address: payee.address.as_ref().map(|it| Box::new(AddressRecord::of(it))),
                },
                Err(why) => PayeeRecord::Unpayable(Word(*why)),
            },
        })
    }

    /// The payment of this number.
    pub(crate) fn read(text: &str, number: u32) -> Result<FileLine, Source> {
        let it: Self = serde_json::from_str(text)?;
        Ok(FileLine {
            number,
            amount: read_amount(it.amount),
            references: it.references.into_domain(),
            instrument: it.instrument.map(|word| word.0),
            debtor: it.debtor.map(IdentificationRecord::into_domain),
            execute_on: it.execute_on.map(|day| day.parse()).transpose()?,
            payee: match it.payee {
                PayeeRecord::To { creditor, address } => {
                    Ok(Payee { creditor: creditor.into_named()?, address: address.map(|it| it.into_domain()) })
                }
                PayeeRecord::Unpayable(Word(why)) => Err(why),
            },
        })
    }
}
