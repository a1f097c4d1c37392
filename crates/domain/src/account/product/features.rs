//! The features of a product: its customer segments and terms. Source: `ProductDetails`.

use super::{OtherCode, Sum, TermLength};
use serde::{Deserialize, Serialize};

/// A segment of personal customers. Source: `OBPCAData1/ProductDetails/Segment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonalSegment {
    /// Customers who need a basic account.
    Basic,
    /// Customers interested in benefits and rewards.
    BenefitAndReward,
    /// Customers interested in credit interest.
    CreditInterest,
    /// Customers interested in cashback.
    Cashback,
    /// All customers.
    General,
    /// Graduates.
    Graduate,
    /// Another segment.
    Other,
    /// Customers interested in an overdraft.
    Overdraft,
    /// Customers of a packaged account.
    Packaged,
    /// Customers of a premium account.
    Premium,
    /// Customers interested in rewards.
    Reward,
    /// Students.
    Student,
    /// Young adults.
    YoungAdult,
    /// Young people.
    Youth,
}

/// A segment of business customers. Source: `OBBCAData1/ProductDetails/Segment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BusinessSegment {
    /// Businesses that hold client money.
    ClientAccount,
    /// All businesses.
    Standard,
    /// Charities, clubs and societies.
    Charity,
    /// Public authorities.
    PublicAuthority,
    /// Religious organisations.
    Religious,
    /// Businesses of one sector.
    SectorSpecific,
    /// Start-ups.
    Startup,
    /// Businesses that switch from another bank.
    Switcher,
}

/// A segment of borrowers. Source: `OtherProductType/ProductDetails/Segment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LendingSegment {
    /// Farmers.
    Agriculture,
    /// Businesses.
    Business,
    /// Businesses interested in a flexible loan.
    FlexibleBusinessLoan,
    /// Groups interested in fixed terms.
    FixedGroup,
    /// Borrowers under a government scheme.
    GovernmentScheme,
}

/// A segment of a product other than a current account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Segment {
    /// A segment of personal customers.
    Personal(PersonalSegment),
    /// A segment of business customers.
    Business(BusinessSegment),
    /// A segment of borrowers.
    Lending(LendingSegment),
}

/// The features of a personal current account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalFeatures {
    /// The segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<PersonalSegment>,
    /// The monthly maximum of charges for an unarranged overdraft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_charge_max: Option<Sum>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The features of a business current account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessFeatures {
    /// The segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<BusinessSegment>,
    /// The fee-free period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_free: Option<TermLength>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The features of another product.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherFeatures {
    /// The segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
    /// A segment that the enumerations lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_segment: Option<OtherCode>,
    /// The fee-free period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_free: Option<TermLength>,
    /// The monthly maximum of charges for an unarranged overdraft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_charge_max: Option<Sum>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
