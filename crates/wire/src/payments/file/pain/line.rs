//! One payment of the message. Source: `CreditTransferTransaction26`.

use super::account::{self, PainAgent};
use super::batch::PainBatch;
use super::element::{Faulty, LocatedElement};
use super::parts::{address, amount, instrument};
use lombard_domain::payment::file::{FileLine, FilePayee, UnpayableReason};
use lombard_domain::payment::transfer::{NamedAccount, References};

/// The members of a payment, in the order of the schema.
const MEMBERS: &[&str] = &[
    "PmtId",
    "PmtTpInf",
    "Amt",
    "XchgRateInf",
    "ChrgBr",
    "ChqInstr",
    "UltmtDbtr",
    "IntrmyAgt1",
    "IntrmyAgt1Acct",
    "IntrmyAgt2",
    "IntrmyAgt2Acct",
    "IntrmyAgt3",
    "IntrmyAgt3Acct",
    "CdtrAgt",
    "CdtrAgtAcct",
    "Cdtr",
    "CdtrAcct",
    "UltmtCdtr",
    "InstrForCdtrAgt",
    "InstrForDbtrAgt",
    "Purp",
    "RgltryRptg",
    "Tax",
    "RltdRmtInf",
    "RmtInf",
    "SplmtryData",
];

/// The maximum length of a remittance message, in characters. Source: PIS-131.
const MESSAGE_CHARS_MAX: usize = 140;

/// Parses a payment of a batch.
pub(super) fn read(spot: &LocatedElement<'_, '_>, batch: &PainBatch, number: u32) -> Faulty<FileLine> {
    spot.members(MEMBERS)?;
    let (amount, transfer) = amount(&spot.need("Amt")?)?;
    let (references, too_much) = references(spot)?;
    let own = spot.one("PmtTpInf")?.map(|kind| instrument(&kind)).transpose()?;
    // A payment type at the payment that names no rail does not override the batch's.
    let instrument = match own {
        Some(Ok(None)) | None => batch.instrument,
        Some(own) => own,
    };
    let exchange = transfer.map_or(Ok(()), |_| Err(UnpayableReason::Exchange));
    let payee = payee(spot)?;
    let payee = instrument.map(|_| ()).and(exchange).and(too_much).and(payee);
    Ok(FileLine {
        number,
        amount,
        references,
        instrument: instrument.ok().flatten(),
        debtor: Some(batch.debtor.clone()),
        execute_on: Some(batch.execute_on),
        payee,
        details: None,
    })
}

/// The payee: the creditor account with the creditor's name.
fn payee(spot: &LocatedElement<'_, '_>) -> Faulty<Result<FilePayee, UnpayableReason>> {
    let agent = spot.one("CdtrAgt")?.map(|agent| PainAgent::read(&agent)).transpose()?;
    let party = spot.one("Cdtr")?;
    let mut name = None;
    let mut postal = None;
    if let Some(party) = &party {
        party.members(&["Nm", "PstlAdr", "Id", "CtryOfRes", "CtctDtls"])?;
        name = party.text_of("Nm", 140)?;
        postal = party.one("PstlAdr")?.map(|it| address(&it)).transpose()?;
    }
    let Some(account) = spot.one("CdtrAcct")? else { return Ok(Err(UnpayableReason::NoAccount)) };
    let holder = account.text_of("Nm", 70)?;
    let account = match account::read(&account, agent.as_ref())? {
        Ok(account) => account,
        Err(why) => return Ok(Err(why)),
    };
    let Some(name) = name.or(holder) else { return Ok(Err(UnpayableReason::NoName)) };
    Ok(Ok(FilePayee { creditor: NamedAccount::under_name(account, name), address: postal }))
}

/// The references, and whether a rail can carry them: at most one reference and one message.
fn references(spot: &LocatedElement<'_, '_>) -> Faulty<(References, Result<(), UnpayableReason>)> {
    let ids = spot.need("PmtId")?;
    ids.members(&["InstrId", "EndToEndId"])?;
    let mut references = References {
        instruction: ids.text_of("InstrId", 35)?,
        end_to_end: Some(ids.need("EndToEndId")?.text(35)?.to_owned()),
        ..References::default()
    };
    let Some(remittance) = spot.one("RmtInf")? else { return Ok((references, Ok(()))) };
    remittance.members(&["Ustrd", "Strd"])?;
    let messages = remittance.texts("Ustrd", MESSAGE_CHARS_MAX)?;
    for structured in remittance.all("Strd") {
        let structured = remittance.of(structured);
        let Some(reference) = structured.one("CdtrRefInf")? else { continue };
        reference.members(&["Tp", "Ref"])?;
        if let Some(text) = reference.text_of("Ref", 35)? {
            if references.reference.is_some() {
                return Ok((references, Err(UnpayableReason::Remittance)));
            }
            references.reference = Some(text);
        }
    }
    let message = messages.join(" ");
    if message.chars().count() > MESSAGE_CHARS_MAX {
        return Ok((references, Err(UnpayableReason::Remittance)));
    }
    references.message = Some(message).filter(|it| !it.is_empty());
    Ok((references, Ok(())))
}
