//! Sets of codes that the bank stores and shows unchanged; only v4.0 has members that contain them.

/// The types of an account's proxy. Source: `ExternalProxyAccountType1Code`.
pub const PROXY_TYPES: &[&str] = &[
    "BIID", "CCPT", "CINC", "COID", "COTX", "CUST", "DNAM", "DRLC", "EIDN", "EMAL", "EWAL", "LEIC", "MBNO", "NIDN",
    "PVTX", "SHID", "SOSE", "TELE", "TOKN", "UBIL", "VIPN",
];

/// The categories of a payment's purpose. Source: `ExternalCategoryPurpose1Code`.
pub const CATEGORY_PURPOSES: &[&str] = &[
    "BONU", "CASH", "CBLK", "CCRD", "CGWV", "CIPC", "CONC", "CORT", "DCRD", "DIVI", "DVPM", "EPAY", "FCDT", "FCIN",
    "FCOL", "GOVT", "GP2P", "HEDG", "ICCP", "IDCP", "INTC", "INTE", "LBOX", "LOAN", "MP2B", "MP2P", "OTHR", "PENS",
    "RPRE", "RRCT", "RVPM", "SALA", "SECU", "SSBE", "SUPP", "SWEP", "TAXS", "TOPG", "TRAD", "TREA", "VATX", "VOST",
    "WHLD", "ZABA",
];

/// The classifications of a mandate. Source: `OBExternalMandateClassification1Code`.
pub const MANDATE_CLASSIFICATIONS: &[&str] = &["FIXE", "USGB", "VARI"];

/// The processing statuses of an intermediary agent. Source: AIS-132, `OBIntermediaryAgent/ProcessingStatus`.
pub const AGENT_STATUSES: &[&str] = &["ACSC", "ACSP", "CANC", "PDNG", "RCVD", "RJCT", "UNKN"];

/// The frequencies of an account's statements. Source: AIS-100, `OBFrequency2`.
pub const STATEMENT_FREQUENCIES: &[&str] =
    &["DAIL", "INDA", "MIAN", "MNTH", "MOVE", "NONE", "QURT", "SLCT", "TEND", "WEEK", "YEAR"];

/// The media by which statements are delivered. Source: AIS-100, `OBCommunicationMethod`.
pub const STATEMENT_MEDIA: &[&str] = &["EMAL", "FAXI", "FILE", "ONLI", "POST"];

/// The file formats of statements. Source: AIS-100, `OBFileFormat`.
pub const FILE_FORMATS: &[&str] = &["DCSV", "DPDF", "DXML", "SDSH", "WORD", "XSLT"];
