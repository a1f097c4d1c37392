//! Whom a product is for. Source: `ProductDetails`.

use super::{OtherCode, Sum, TermLength};
use serde::{Deserialize, Serialize};

/// For which persons. Source: `OBPCAData1/ProductDetails/Segment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonalSegment {
    /// Who need a basic account.
    Basic,
    /// Who like benefits and rewards.
    BenefitAndReward,
    /// Who like interest on credit.
    CreditInterest,
    /// Who like cash back.
    Cashback,
    /// Everybody.
    General,
    /// Graduates.
    Graduate,
    /// Others.
    Other,
    /// Who like an overdraft.
    Overdraft,
    /// Who like a package.
    Packaged,
    /// Who pay for more.
    Premium,
    /// Who like rewards.
    Reward,
    /// Students.
    Student,
    /// Young adults.
    YoungAdult,
    /// The young.
    Youth,
}

/// For which businesses. Source: `OBBCAData1/ProductDetails/Segment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BusinessSegment {
    /// Who hold their clients' money.
    ClientAccount,
    /// All.
    Standard,
    /// Charities, clubs and societies.
    Charity,
    /// Public authorities.
    PublicAuthority,
    /// Religious organisations.
    Religious,
    /// Those of one sector.
    SectorSpecific,
    /// Those that start.
    Startup,
    /// Those that come from another bank.
    Switcher,
}

/// For which borrowers. Source: `OtherProductType/ProductDetails/Segment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LendingSegment {
    /// Farmers.
    Agriculture,
    /// Businesses.
    Business,
    /// Businesses that like to be flexible.
    FlexibleBusinessLoan,
    /// Groups that like what is fixed.
    FixedGroup,
    /// Those that a government supports.
    GovernmentScheme,
}

/// For whom a product that is no current account is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Segment {
    /// For persons.
    Personal(PersonalSegment),
    /// For businesses.
    Business(BusinessSegment),
    /// For borrowers.
    Lending(LendingSegment),
}

/// What a personal current account is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalFeatures {
    /// For whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<PersonalSegment>,
    /// The most that an overdraft that was not arranged can cost in a month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_charge_max: Option<Sum>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a business current account is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessFeatures {
    /// For whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<BusinessSegment>,
    /// How long it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_free: Option<TermLength>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What another product is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherFeatures {
    /// For whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
    /// For whom else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_segment: Option<OtherCode>,
    /// How long it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_free: Option<TermLength>,
    /// The most that an overdraft that was not arranged can cost in a month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_charge_max: Option<Sum>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
