//! Amounts, days, rails and addresses of the message.

use super::element::{Faulty, LocatedElement};
use super::simple_types::{canonical_decimal, read_date};
use crate::payments::names::read_instrument;
use crate::time::read_sent;
use jiff::civil::Date;
use lombard_domain::account::{AddressType, PostalAddress};
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::file::UnpayableReason;
use lombard_domain::payment::transfer::Instrument;

/// The amount, and the currency of transfer if it differs. Source: FILE-015, `AmountType4Choice`.
pub(super) fn amount(spot: &LocatedElement<'_, '_>) -> Faulty<(Amount, Option<Currency>)> {
    spot.members(&["InstdAmt", "EqvtAmt"])?;
    match (spot.one("InstdAmt")?, spot.one("EqvtAmt")?) {
        (Some(instructed), None) => Ok((money(&instructed)?, None)),
        (None, Some(equivalent)) => {
            equivalent.members(&["Amt", "CcyOfTrf"])?;
            let amount = money(&equivalent.need("Amt")?)?;
            let transfer = equivalent.need("CcyOfTrf")?;
            let transfer = currency(&transfer, transfer.token()?)?;
            Ok((amount, Some(transfer).filter(|transfer| *transfer != amount.currency())))
        }
        (Some(_), Some(_)) | (None, None) => Err(spot.fault("A payment has one amount.")),
    }
}

fn money(spot: &LocatedElement<'_, '_>) -> Faulty<Amount> {
    let code = spot.currency().ok_or_else(|| spot.fault("An amount has a currency."))?;
    let currency = currency(spot, code)?;
    let amount = canonical_decimal(spot.token()?).and_then(|text| Amount::parse(&text, currency).ok());
    amount.ok_or_else(|| spot.fault("Must be an amount of 1 to 13 digits with no more decimals than its currency."))
}

fn currency(spot: &LocatedElement<'_, '_>, code: &str) -> Faulty<Currency> {
    code.parse().map_err(|_| spot.fault("Must be a currency code of ISO 4217."))
}

/// The requested execution day of a batch, in London. Source: `DateAndDateTimeChoice`, PIS-154.
pub(super) fn requested_day(spot: &LocatedElement<'_, '_>) -> Faulty<Date> {
    spot.members(&["Dt", "DtTm"])?;
    let day = match (spot.one("Dt")?, spot.one("DtTm")?) {
        (Some(day), None) => read_date(day.token()?),
        (None, Some(time)) => read_sent(time.token()?).map(|sent| london_date(sent.instant)),
        (Some(_), Some(_)) | (None, None) => None,
    };
    day.ok_or_else(|| spot.fault("Must be an ISO 8601 date, or a date-time."))
}

/// The rail that a payment type names, if any: a local instrument by the standard's name, or an ISO code that denotes a
/// rail. Source: PIS-138, `PaymentTypeInformation19`.
pub(super) fn instrument(kind: &LocatedElement<'_, '_>) -> Faulty<Result<Option<Instrument>, UnpayableReason>> {
    kind.members(&["InstrPrty", "SvcLvl", "LclInstrm", "CtgyPurp"])?;
    if let Some(local) = kind.one("LclInstrm")? {
        local.members(&["Cd", "Prtry"])?;
        let code = local.one("Cd")?.map(|code| code.token()).transpose()?;
        let name = local.one("Prtry")?.map(|name| name.token()).transpose()?;
        let known = match (code, name) {
            (Some("INST"), None) => Some(Instrument::SepaInstantCreditTransfer),
            (None, Some(name)) => read_instrument(name),
            _ => None,
        };
        return Ok(known.map(Some).ok_or(UnpayableReason::Instrument));
    }
    let level = kind.one("SvcLvl")?;
    let code = level.as_ref().map(|level| level.one("Cd")).transpose()?.flatten();
    let is_sepa = code.map(|code| code.token()).transpose()? == Some("SEPA");
    Ok(Ok(is_sepa.then_some(Instrument::SepaCreditTransfer)))
}

/// Source: `PostalAddress6`.
pub(super) fn address(spot: &LocatedElement<'_, '_>) -> Faulty<PostalAddress> {
    spot.members(&[
        "AdrTp",
        "Dept",
        "SubDept",
        "StrtNm",
        "BldgNb",
        "PstCd",
        "TwnNm",
        "CtrySubDvsn",
        "Ctry",
        "AdrLine",
    ])?;
    let lines = spot.texts("AdrLine", 70)?;
    if lines.len() > 7 {
        return Err(spot.fault("An address has at most 7 lines."));
    }
    Ok(PostalAddress {
        kind: spot.one("AdrTp")?.map(|kind| address_type(&kind)).transpose()?,
        department: spot.text_of("Dept", 70)?,
        sub_department: spot.text_of("SubDept", 70)?,
        street: spot.text_of("StrtNm", 70)?,
        building: spot.text_of("BldgNb", 16)?,
        post_code: spot.text_of("PstCd", 16)?,
        town: spot.text_of("TwnNm", 35)?,
        county: spot.text_of("CtrySubDvsn", 35)?,
        country: spot.text_of("Ctry", 2)?,
        lines: lines.into_iter().map(str::to_owned).collect(),
        ..PostalAddress::default()
    })
}

/// Source: `AddressType2Code`.
fn address_type(spot: &LocatedElement<'_, '_>) -> Faulty<AddressType> {
    Ok(match spot.token()? {
        "ADDR" => AddressType::Postal,
        "PBOX" => AddressType::PoBox,
        "HOME" => AddressType::Residential,
        "BIZZ" => AddressType::Business,
        "MLTO" => AddressType::MailTo,
        "DLVY" => AddressType::DeliveryTo,
        _ => return Err(spot.fault("Must be an address type of ISO 20022.")),
    })
}
