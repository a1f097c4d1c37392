//! Codes that payment requests of v4.0 may contain and that the bank only checks and echoes, as sorted tables.

use crate::code_sets::{CATEGORY_PURPOSES, MANDATE_CLASSIFICATIONS};
use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath};
use lombard_domain::account::IsoCode;
use lombard_domain::refusal::FaultCode;
use serde_json::Value;

/// Declares a type for the codes of a sorted table.
macro_rules! checked {
    ($($(#[$doc:meta])* $type:ident: $table:ident, $message:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $type(pub(crate) IsoCode);

        impl From<$type> for IsoCode {
            fn from(code: $type) -> Self {
                code.0
            }
        }

        impl FromJson for $type {
            const WANTED: &'static str = "a string";

            fn schema() -> Value {
                one_of($table.iter().copied())
            }

            fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
                let code = $table.binary_search(&text).ok().and_then(|_| text.parse().ok());
                if code.is_none() {
                    reader.fault(FaultCode::FieldInvalid, at, $message);
                }
                code.map(Self)
            }
        }
    )*

        #[cfg(test)]
        const TABLES: &[&[&str]] = &[$($table),*];
    };
}

impl From<PurposeCode> for Option<IsoCode> {
    fn from(code: PurposeCode) -> Self {
        Some(code.0)
    }
}

checked! {
    /// Source: PIS-144, `ExternalPurpose1Code`.
    PurposeCode: PURPOSES, "Must be a purpose code of ISO 20022.";
    /// Source: PIS-144, `ExternalCategoryPurpose1Code`.
    CategoryPurposeCode: CATEGORY_PURPOSES, "Must be a category purpose code of ISO 20022.";
    /// Source: `ExternalCreditorReferenceType1Code`.
    ReferenceType: REFERENCE_TYPES, "Must be a creditor reference type of ISO 20022.";
    /// Source: `ExternalDocumentType1Code`.
    DocumentType: DOCUMENT_TYPES, "Must be a document type of ISO 20022.";
    /// Source: `ExternalDocumentType1Code` of variable recurring payments.
    VrpDocumentType: VRP_DOCUMENT_TYPES, "Must be a document type of ISO 20022.";
    /// Source: `OBExternalMandateClassification1Code`.
    MandateClassification: MANDATE_CLASSIFICATIONS, "Must be FIXE, USGB or VARI.";
    /// Source: `OBRegulatoryReporting1/DebitCreditReportingIndicator`.
    ReportingIndicator: REPORTING_INDICATORS, "Must be BOTH, CRED or DEBT.";
}

/// The payment purpose codes, with the code for crypto-assets that the standard adds.
const PURPOSES: &[&str] = &[
    "ACCT", "ADCS", "ADMG", "ADVA", "AEMP", "AGRT", "AIRB", "ALLW", "ALMY", "AMEX", "ANNI", "ANTS", "AREN", "AUCO",
    "B112", "BBSC", "BCDM", "BCFG", "BECH", "BENE", "BEXP", "BFWD", "BKDF", "BKFE", "BKFM", "BKIP", "BKPP", "BLDM",
    "BNET", "BOCE", "BOND", "BONU", "BR12", "BUSB", "CABD", "CAEQ", "CAFI", "CASH", "CBCR", "CBFF", "CBFR", "CBLK",
    "CBTV", "CCHD", "CCIR", "CCPC", "CCPM", "CCRD", "CCSM", "CDBL", "CDCB", "CDCD", "CDCS", "CDDP", "CDEP", "CDOC",
    "CDQC", "CFDI", "CFEE", "CGDD", "CHAR", "CLPR", "CMDT", "COLL", "COMC", "COMM", "COMP", "COMT", "CORT", "COST",
    "CPEN", "CPKC", "CPYR", "CRDS", "CRPR", "CRSP", "CRTL", "CRYP", "CSDB", "CSLP", "CVCF", "DBCR", "DBTC", "DCRD",
    "DEBT", "DEPD", "DEPT", "DERI", "DICL", "DIVD", "DMEQ", "DNTS", "DSMT", "DVPM", "ECPG", "ECPR", "ECPU", "EDUC",
    "EFTC", "EFTD", "ELEC", "ENRG", "EPAY", "EQPT", "EQTS", "EQUS", "ESTX", "ETUP", "EXPT", "EXTD", "FACT", "FAND",
    "FCOL", "FCPM", "FEES", "FERB", "FIXI", "FLCR", "FNET", "FORW", "FREX", "FUTR", "FWBC", "FWCC", "FWLV", "FWSB",
    "FWSC", "FXNT", "GAFA", "GAHO", "GAMB", "GASB", "GDDS", "GDSV", "GFRP", "GIFT", "GOVI", "GOVT", "GSCB", "GSTX",
    "GVEA", "GVEB", "GVEC", "GVED", "GWLT", "HEDG", "HLRP", "HLST", "HLTC", "HLTI", "HREC", "HSPC", "HSTX", "ICCP",
    "ICRF", "IDCP", "IHRP", "INPC", "INPR", "INSC", "INSM", "INSU", "INTC", "INTE", "INTP", "INTX", "INVS", "IPAY",
    "IPCA", "IPDO", "IPEA", "IPEC", "IPEW", "IPPS", "IPRT", "IPU2", "IPUW", "IVPT", "LBIN", "LBRI", "LCOL", "LFEE",
    "LICF", "LIFI", "LIMA", "LMEQ", "LMFI", "LMRK", "LOAN", "LOAR", "LOTT", "LREB", "LREV", "LSFL", "LTCF", "MAFC",
    "MARF", "MARG", "MBSB", "MBSC", "MCDM", "MCFG", "MDCS", "MGCC", "MGSC", "MOMA", "MP2B", "MP2P", "MSVC", "MTUP",
    "NETT", "NITX", "NOWS", "NWCH", "NWCM", "OCCC", "OCDM", "OCFG", "OFEE", "OPBC", "OPCC", "OPSB", "OPSC", "OPTN",
    "OTCD", "OTHR", "OTLC", "PADD", "PAYR", "PCOM", "PDEP", "PEFC", "PENO", "PENS", "PHON", "PLDS", "PLRF", "POPE",
    "PPTI", "PRCP", "PRME", "PTSP", "PTXP", "RAPI", "RCKE", "RCPT", "RDTX", "REBT", "REFU", "RELG", "RENT", "REOD",
    "REPO", "RETL", "RHBS", "RIMB", "RINP", "RLWY", "ROYA", "RPBC", "RPCC", "RPNT", "RPSB", "RPSC", "RRBN", "RRCT",
    "RRTP", "RVPM", "RVPO", "SALA", "SASW", "SAVG", "SBSC", "SCIE", "SCIR", "SCRP", "SCVE", "SECU", "SEPI", "SERV",
    "SHBC", "SHCC", "SHSL", "SLEB", "SLOA", "SLPI", "SPLT", "SPSP", "SSBE", "STDY", "SUBS", "SUPP", "SWBC", "SWCC",
    "SWFP", "SWPP", "SWPT", "SWRS", "SWSB", "SWSC", "SWUF", "TAXR", "TAXS", "TBAN", "TBAS", "TBBC", "TBCC", "TBIL",
    "TCSC", "TELI", "TLRF", "TLRR", "TMPG", "TPRI", "TPRP", "TRAD", "TRCP", "TREA", "TRFD", "TRNC", "TRPT", "TRVC",
    "UBIL", "UNIT", "VATX", "VIEW", "WEBI", "WHLD", "WTER",
];

/// Whether a text is a payment purpose code. Source: PIS-144.
pub(crate) fn is_purpose(text: &str) -> bool {
    PURPOSES.binary_search(&text).is_ok()
}

const REFERENCE_TYPES: &[&str] = &["DISP", "FXDR", "PUOR", "RADM", "RPIN", "SCOR"];

const DOCUMENT_TYPES: &[&str] = &[
    "CINV", "CNFA", "CONT", "CREN", "DEBN", "DISP", "DNFA", "HIRI", "INVS", "MSIN", "PROF", "PUOR", "QUOT", "SBIN",
    "SPRR", "TISH",
];

/// The document types, with those that only account information and variable recurring payments have (AIS-174).
const VRP_DOCUMENT_TYPES: &[&str] = &[
    "AROI", "BOLD", "CINV", "CMCN", "CNFA", "CONT", "CREN", "DEBN", "DISP", "DNFA", "HIRI", "INVS", "MSIN", "PROF",
    "PUOR", "QUOT", "SBIN", "SOAC", "SPRR", "TISH", "TSUT", "USAR", "VCHR",
];

const REPORTING_INDICATORS: &[&str] = &["BOTH", "CRED", "DEBT"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pis_144_the_tables_are_sorted_and_have_as_many_codes_as_the_standard() {
        for table in TABLES {
            assert!(table.is_sorted_by(|one, next| one < next), "{table:?}");
        }
        assert_eq!((PURPOSES.len(), CATEGORY_PURPOSES.len()), (329, 44));
        assert!(PURPOSES.contains(&"CRYP"));
    }
}
