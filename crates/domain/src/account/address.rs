//! Postal addresses. Source: `OBPostalAddress6`.

/// What an address is for. Source: `OBAddressTypeCode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressType {
    /// A place of business.
    Business,
    /// Letters about business.
    Correspondence,
    /// Deliveries.
    DeliveryTo,
    /// Mail.
    MailTo,
    /// A box at a post office.
    PoBox,
    /// The complete postal address.
    Postal,
    /// A home.
    Residential,
    /// Statements.
    Statement,
}

/// A postal address; at least one part is present.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostalAddress {
    /// What it is for.
    pub kind: Option<AddressType>,
    /// A department, at most 70 characters.
    pub department: Option<String>,
    /// A part of a department, at most 70 characters.
    pub sub_department: Option<String>,
    /// The street, at most 70 characters.
    pub street: Option<String>,
    /// The number in the street, at most 16 characters.
    pub building: Option<String>,
    /// The post code, at most 16 characters.
    pub post_code: Option<String>,
    /// The town, at most 35 characters.
    pub town: Option<String>,
    /// The county, at most 35 characters.
    pub county: Option<String>,
    /// The country, two letters of ISO 3166.
    pub country: Option<String>,
    /// The address as free lines of at most 70 characters: 7 for an agent, 5 for a party.
    pub lines: Vec<String>,
}
