//! Objects of these requests. They say what those of other payments say, but let members through that the standard does
//! not name: those are kept and shown again (PIS-157, VRP-014).

use crate::parse::{At, Read, Reader, object};
use crate::v3_1::payments::values::{DecimalText, Text, amount};
use lombard_domain::account::{AccountScheme, Identification};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::NamedAccount;
use serde::de::MapAccess;
use serde_json::Value;

object! {
    /// Source: PIS-117, `OBCashAccountDebtorWithName`, `OBCashAccountCreditor3`.
    struct Account: Open {
        required scheme: AccountScheme = "SchemeName",
        required number: Text<1, 256> = "Identification",
        required name: Text<1, 350> = "Name",
        optional secondary: Text<1, 34> = "SecondaryIdentification",
    }
}

impl From<Account> for NamedAccount {
    fn from(it: Account) -> Self {
        let secondary = it.secondary.map(|secondary| secondary.0);
        let account = Identification { scheme: it.scheme, number: it.number.0, name: None, secondary };
        Self::named(account, it.name.0)
    }
}

impl From<Account> for Identification {
    fn from(it: Account) -> Self {
        (*NamedAccount::from(it)).clone()
    }
}

object! {
    /// Source: PIS-131, `OBDomesticVRPInitiation/RemittanceInformation`, `OBVRPRemittanceInformation`.
    struct Remittance: Open {
        optional message: Text<1, 140> = "Unstructured",
        optional reference: Text<1, 35> = "Reference",
    }
}

object! {
    /// Source: `OBActiveOrHistoricCurrencyAndAmount`.
    struct MoneyMembers: Open {
        required amount: DecimalText = "Amount",
        required currency: Currency = "Currency",
    }
}

/// An amount in an object that may have other members. Source: PIS-120, PIS-121.
#[derive(Debug)]
pub(crate) struct Money(pub(crate) Amount);

impl Read for Money {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        MoneyMembers::schema()
    }

    fn object<'de, A: MapAccess<'de>>(reader: &Reader, at: &At<'_>, json: A) -> Result<Option<Self>, A::Error> {
        let members = MoneyMembers::object(reader, at, json)?;
        Ok(members.and_then(|it| amount(reader, at, &it.amount, it.currency)).map(Self))
    }
}
