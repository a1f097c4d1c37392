//! What a batch of payments has in common. Source: `PaymentInstruction22`.

use super::Announced;
use super::account::{self, Agent};
use super::parts::{instrument, requested_day};
use super::spot::{Faulty, Spot};
use jiff::civil::Date;
use lombard_domain::account::Identification;
use lombard_domain::file::Unpayable;
use lombard_domain::order::Instrument;

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

/// The head of a batch.
pub(super) struct Batch {
    pub(super) announced: Announced,
    pub(super) debtor: Identification,
    pub(super) execute_on: Date,
    pub(super) instrument: Result<Option<Instrument>, Unpayable>,
}

impl Batch {
    pub(super) fn read(head: &Spot<'_, '_>) -> Faulty<Self> {
        head.members(MEMBERS)?;
        head.need("PmtInfId")?.text(35)?;
        let method = head.need("PmtMtd")?;
        if !matches!(method.token()?, "TRF" | "TRA") {
            return Err(method.fault("Payments must be transfers."));
        }
        let payer = head.need("Dbtr")?;
        let agent = head.need("DbtrAgt")?;
        let agent = Agent::read(&agent)?;
        let account = head.need("DbtrAcct")?;
        let Ok(mut debtor) = account::read(&account, Some(&agent))? else {
            return Err(account.fault("This account cannot be paid from."));
        };
        debtor.name = payer.text_of("Nm", 140)?;
        let day = head.need("ReqdExctnDt")?;
        let kind = head.one("PmtTpInf")?;
        Ok(Self {
            announced: Announced::read(head)?,
            debtor,
            execute_on: requested_day(&day)?,
            instrument: kind.map_or(Ok(Ok(None)), |kind| instrument(&kind))?,
        })
    }
}
