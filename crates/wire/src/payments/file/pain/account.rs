//! The accounts and banks of the message. Source: `CashAccount24`, `BranchAndFinancialInstitutionIdentification5`.

use super::element::{Faulty, LocatedElement};
use crate::payments::names::read_account_scheme;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::payment::file::UnpayableReason;

/// The clearing system code whose member ids are sort codes.
const SORT_CODES: &str = "GBDSC";

/// A bank, with the identification needed for an account.
pub(super) struct PainAgent {
    sort_code: Option<String>,
}

impl PainAgent {
    pub(super) fn read(agent: &LocatedElement<'_, '_>) -> Faulty<Self> {
        agent.members(&["FinInstnId", "BrnchId"])?;
        let institution = agent.need("FinInstnId")?;
        institution.members(&["BICFI", "ClrSysMmbId", "Nm", "PstlAdr", "Othr"])?;
        let Some(member) = institution.one("ClrSysMmbId")? else { return Ok(Self { sort_code: None }) };
        member.members(&["ClrSysId", "MmbId"])?;
        let number = member.need("MmbId")?.text(35)?;
        let Some(system) = member.one("ClrSysId")? else { return Ok(Self { sort_code: None }) };
        system.members(&["Cd", "Prtry"])?;
        let is_british = system.one("Cd")?.map(|code| code.token()).transpose()? == Some(SORT_CODES);
        let sort_code = (is_british && is_digits(number, 6)).then(|| number.to_owned());
        Ok(Self { sort_code })
    }
}

/// The account without its holder's name: an IBAN, or another number with its scheme. A British account number is
/// combined with the sort code of its bank, or contains it.
pub(super) fn read(
    account: &LocatedElement<'_, '_>,
    agent: Option<&PainAgent>,
) -> Faulty<Result<AccountIdentification, UnpayableReason>> {
    account.members(&["Id", "Tp", "Ccy", "Nm"])?;
    let id = account.need("Id")?;
    id.members(&["IBAN", "Othr"])?;
    let known = |scheme, number: String| AccountIdentification::new(scheme, number);
    match (id.one("IBAN")?, id.one("Othr")?) {
        (Some(iban), None) => Ok(Ok(known(AccountScheme::Iban, iban.token()?.to_owned()))),
        (None, Some(other)) => {
            other.members(&["Id", "SchmeNm", "Issr"])?;
            let number = other.need("Id")?.text(34)?.to_owned();
            let scheme = other.one("SchmeNm")?.map(|scheme| named_scheme(&scheme)).transpose()?;
            Ok(numbered(number, scheme, agent)
                .map(|(scheme, number)| known(scheme, number))
                .ok_or(UnpayableReason::Account))
        }
        (Some(_), Some(_)) | (None, None) => Err(id.fault("An account has one number.")),
    }
}

/// The account scheme of a scheme name; `None` for an unknown one.
fn named_scheme(scheme: &LocatedElement<'_, '_>) -> Faulty<Option<AccountScheme>> {
    scheme.members(&["Cd", "Prtry"])?;
    match (scheme.one("Cd")?, scheme.one("Prtry")?) {
        (Some(code), None) => Ok((code.token()? == "BBAN").then_some(AccountScheme::Bban)),
        (None, Some(name)) => Ok(read_account_scheme(name.token()?)),
        (Some(_), Some(_)) | (None, None) => Err(scheme.fault("A scheme has one name.")),
    }
}

/// The scheme and number of an account without an IBAN.
fn numbered(
    number: String,
    scheme: Option<Option<AccountScheme>>,
    agent: Option<&PainAgent>,
) -> Option<(AccountScheme, String)> {
    const BRITISH: AccountScheme = AccountScheme::SortCodeAccountNumber;
    let sort_code = agent.and_then(|agent| agent.sort_code.as_deref());
    match (scheme, sort_code) {
        (None | Some(Some(AccountScheme::Bban | BRITISH)), Some(sort_code)) if is_digits(&number, 8) => {
            Some((BRITISH, [sort_code, &number].concat()))
        }
        (None, _) if is_digits(&number, 14) => Some((BRITISH, number)),
        (Some(Some(scheme)), _) => Some((scheme, number)),
        (None | Some(None), _) => None,
    }
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|it| it.is_ascii_digit())
}
