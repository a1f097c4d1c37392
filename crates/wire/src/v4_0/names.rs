//! The enumerations of v4.0, one exhaustive table each; unchanged ones are re-exported from v3.1.

pub use crate::v3_1::names::{account_scheme, account_status, credit_debit, credit_line_type, switch_status};

/// `AccountCategory`: the values of v3.1 under another member name. Source: AIS-100, `OBInternalAccountType1Code`.
pub use crate::v3_1::names::account_type as account_category;

use lombard_domain::account::{
    AccountSubType, AddressType, ArrangementStatus, BalanceType, DirectDebitFrequency, EntryStatus,
};
use lombard_domain::consent::EffectiveConsentStatus;

macro_rules! names {
    ($($(#[$doc:meta])* $table:ident($type:ident) { $($pattern:pat => $name:literal,)* })*) => {$(
        $(#[$doc])*
        pub const fn $table(value: $type) -> &'static str {
            match value { $($pattern => $name,)* }
        }
    )*

    /// The names of each table, for schemas.
    pub(crate) mod listed {$(
        $(#[$doc])*
        pub(crate) fn $table() -> Vec<&'static str> {
            $crate::describe::each_once(vec![$($name),*])
        }
    )*
        pub(crate) use crate::v3_1::names::listed::account_type as account_category;
    }};
}

names! {
    /// The status of an account-access consent, which is never consumed. Source: T8, RW-018, CON-32.
    consent_status(EffectiveConsentStatus) {
        EffectiveConsentStatus::AwaitingAuthorisation => "AWAU",
        EffectiveConsentStatus::Authorised | EffectiveConsentStatus::Consumed => "AUTH",
        EffectiveConsentStatus::Rejected => "RJCT",
        EffectiveConsentStatus::Revoked(_) => "CANC",
        EffectiveConsentStatus::Expired => "EXPD",
    }
    /// Three kinds of card share one code; electronic money is coded as a wallet. Source: AIS-100,
    /// `OBExternalCashAccountType1Code`.
    account_type_code(AccountSubType) {
        AccountSubType::ChargeCard => "CARD",
        AccountSubType::CreditCard => "CARD",
        AccountSubType::CurrentAccount => "CACC",
        AccountSubType::EMoney => "WALT",
        AccountSubType::Loan => "LOAN",
        AccountSubType::Mortgage => "MORT",
        AccountSubType::PrePaidCard => "CARD",
        AccountSubType::Savings => "SVGS",
    }
    /// Source: V4-005, `OBAddressType2Code`.
    address_type(AddressType) {
        AddressType::Business => "BIZZ",
        AddressType::Correspondence => "CORR",
        AddressType::DeliveryTo => "DLVY",
        AddressType::MailTo => "MLTO",
        AddressType::PoBox => "PBOX",
        AddressType::Postal => "ADDR",
        AddressType::Residential => "HOME",
        AddressType::Statement => "STAT",
    }
    /// Source: AIS-111, CON-34, `OBBalanceType1Code`.
    balance_type(BalanceType) {
        BalanceType::ClosingAvailable => "CLAV",
        BalanceType::ClosingBooked => "CLBD",
        BalanceType::Expected => "XPCD",
        BalanceType::ForwardAvailable => "FWAV",
        BalanceType::Information => "INFO",
        BalanceType::InterimAvailable => "ITAV",
        BalanceType::InterimBooked => "ITBD",
        BalanceType::OpeningAvailable => "OPAV",
        BalanceType::OpeningBooked => "OPBD",
        BalanceType::PreviouslyClosedBooked => "PRCD",
    }
    /// Source: AIS-121, AIS-135, `ExternalEntryStatus1Code`.
    entry_status(EntryStatus) {
        EntryStatus::Booked => "BOOK",
        EntryStatus::Pending => "PDNG",
        EntryStatus::Rejected => "RJCT",
        EntryStatus::Future => "FUTR",
        EntryStatus::Information => "INFO",
    }
    /// Source: AIS-170, AIS-171, `ExternalMandateStatus1Code`.
    mandate_status(ArrangementStatus) {
        ArrangementStatus::Active => "ACTV",
        ArrangementStatus::Inactive => "CANC",
        ArrangementStatus::Expired => "EXPI",
        ArrangementStatus::Suspended => "SUSP",
    }
}

/// Source: AIS-175, `OBFrequency6Code`.
pub const fn direct_debit_frequency(value: DirectDebitFrequency) -> &'static str {
    match value {
        DirectDebitFrequency::Annual => "YEAR",
        DirectDebitFrequency::Daily => "DAIL",
        DirectDebitFrequency::Fortnightly => "FRTN",
        DirectDebitFrequency::HalfYearly => "MIAN",
        DirectDebitFrequency::Monthly => "MNTH",
        DirectDebitFrequency::NotKnown => "NONE",
        DirectDebitFrequency::Quarterly => "QURT",
        DirectDebitFrequency::Weekly => "WEEK",
    }
}

/// Sets of codes that the bank stores and shows as they are.
pub mod code_sets {
    /// Source: `ExternalProxyAccountType1Code`.
    pub const PROXY_TYPES: &[&str] = &[
        "BIID", "CCPT", "CINC", "COID", "COTX", "CUST", "DNAM", "DRLC", "EIDN", "EMAL", "EWAL", "LEIC", "MBNO", "NIDN",
        "PVTX", "SHID", "SOSE", "TELE", "TOKN", "UBIL", "VIPN",
    ];

    /// Source: `ExternalCategoryPurpose1Code`.
    pub const CATEGORY_PURPOSES: &[&str] = &[
        "BONU", "CASH", "CBLK", "CCRD", "CGWV", "CIPC", "CONC", "CORT", "DCRD", "DIVI", "DVPM", "EPAY", "FCDT", "FCIN",
        "FCOL", "GOVT", "GP2P", "HEDG", "ICCP", "IDCP", "INTC", "INTE", "LBOX", "LOAN", "MP2B", "MP2P", "OTHR", "PENS",
        "RPRE", "RRCT", "RVPM", "SALA", "SECU", "SSBE", "SUPP", "SWEP", "TAXS", "TOPG", "TRAD", "TREA", "VATX", "VOST",
        "WHLD", "ZABA",
    ];

    /// Source: `OBExternalMandateClassification1Code`.
    pub const MANDATE_CLASSIFICATIONS: &[&str] = &["FIXE", "USGB", "VARI"];

    /// Source: AIS-132, `OBIntermediaryAgent/ProcessingStatus`.
    pub const AGENT_STATUSES: &[&str] = &["ACSC", "ACSP", "CANC", "PDNG", "RCVD", "RJCT", "UNKN"];

    /// Source: AIS-100, `OBFrequency2`.
    pub const STATEMENT_FREQUENCIES: &[&str] =
        &["DAIL", "INDA", "MIAN", "MNTH", "MOVE", "NONE", "QURT", "SLCT", "TEND", "WEEK", "YEAR"];

    /// Source: AIS-100, `OBCommunicationMethod`.
    pub const STATEMENT_MEDIA: &[&str] = &["EMAL", "FAXI", "FILE", "ONLI", "POST"];

    /// Source: AIS-100, `OBFileFormat`.
    pub const FILE_FORMATS: &[&str] = &["DCSV", "DPDF", "DXML", "SDSH", "WORD", "XSLT"];
}
