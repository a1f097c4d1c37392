//! The common members of a batch of payments. Source: `PaymentInstruction22`.

use super::account::{self, PainAgent};
use super::announced::AnnouncedTotals;
use super::element::{Faulty, LocatedElement};
use super::parts::{instrument, requested_day};
use super::simple_types::read_boolean;
use jiff::civil::Date;
use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::file::UnpayableReason;
use lombard_domain::payment::transfer::Instrument;

/// The members of a batch before its payments, in the order of the schema.
const MEMBERS: &[&str] = &[
    "PmtInfId",
    "PmtMtd",
    "BtchBookg",
    "NbOfTxs",
    "CtrlSum",
    "PmtTpInf",
    "ReqdExctnDt",
    "PoolgAdjstmntDt",
    "Dbtr",
    "DbtrAcct",
    "DbtrAgt",
    "DbtrAgtAcct",
    "InstrForDbtrAgt",
    "UltmtDbtr",
    "ChrgBr",
    "ChrgsAcct",
    "ChrgsAcctAgt",
];

/// The common members of a batch.
pub(super) struct PainBatch {
    pub(super) announced: AnnouncedTotals,
    pub(super) debtor: AccountIdentification,
    pub(super) execute_on: Date,
    pub(super) instrument: Result<Option<Instrument>, UnpayableReason>,
}

impl PainBatch {
    pub(super) fn read(head: &LocatedElement<'_, '_>) -> Faulty<Self> {
        head.members(MEMBERS)?;
        head.need("PmtInfId")?.text(35)?;
        let method = head.need("PmtMtd")?;
        if !matches!(method.token()?, "TRF" | "TRA") {
            return Err(method.fault("Payments must be transfers."));
        }
        if let Some(booking) = head.one("BtchBookg")?
            && read_boolean(booking.token()?).is_none()
        {
            return Err(booking.fault("Must be true or false, or 1 or 0."));
        }
        let payer = head.need("Dbtr")?;
        let agent = head.need("DbtrAgt")?;
        let agent = PainAgent::read(&agent)?;
        let account = head.need("DbtrAcct")?;
        let Ok(mut debtor) = account::read(&account, Some(&agent))? else {
            return Err(account.fault("This account cannot be paid from."));
        };
        debtor.name = payer.text_of("Nm", 140)?;
        let day = head.need("ReqdExctnDt")?;
        let kind = head.one("PmtTpInf")?;
        Ok(Self {
            announced: AnnouncedTotals::read(head)?,
            debtor,
            execute_on: requested_day(&day)?,
            instrument: kind.map_or(Ok(Ok(None)), |kind| instrument(&kind))?,
        })
    }
}
