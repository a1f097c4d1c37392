//! JSON documents in columns: records private to the store, so that neither a domain type nor the wire can change
//! what is stored by being renamed. A record's member names never change their meaning; new members are optional.

mod claims;
mod credit;
mod exchange;
mod file;
mod file_line;
mod instruction;
mod international;
mod order;
mod payment;
#[cfg(test)]
mod properties;
mod terms;
#[cfg(test)]
mod tests;
mod timing;
mod vrp;

pub(crate) use claims::ClaimsRecord;
pub(crate) use file_line::FileLineRecord;
pub(crate) use instruction::InstructionRecord;
pub(crate) use order::{ApprovalsRecord, ProgressRecord, StatusChangeRecord};
pub(crate) use payment::ConditionsRecord;
pub(crate) use terms::ConsentRequestRecord;
