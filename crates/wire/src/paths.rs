//! Where the fields that domain rules speak of stand in a body. Source: RW-124.

use lombard_domain::refusal::Field;
use lombard_domain::version::Version;

/// The path of a field. No field has moved between the versions yet.
pub const fn path(version: Version, field: Field) -> &'static str {
    match (version, field) {
        (Version::V3_1 | Version::V4_0, Field::Permissions) => "Data.Permissions",
        (Version::V3_1 | Version::V4_0, Field::ConsentExpiration) => "Data.ExpirationDateTime",
        (Version::V3_1 | Version::V4_0, Field::TransactionFrom) => "Data.TransactionFromDateTime",
        (Version::V3_1 | Version::V4_0, Field::TransactionTo) => "Data.TransactionToDateTime",
    }
}
