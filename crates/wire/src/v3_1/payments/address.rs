//! The delivery addresses and address types of payment requests in v3.1.

use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use crate::payments::values::{Country, RailText, UpTo, read_codes};
use crate::v3_1::names::listed::address_type;
use lombard_domain::account::AddressType;
use lombard_domain::refusal::FaultCode;

object! {
    /// Unknown members are accepted (PIS-157). Source: PIS-147.
    struct DeliveryAddress: Open {
        optional _lines: UpTo<RailText<1, 70>, 2> = "AddressLine",
        optional _street: RailText<1, 70> = "StreetName",
        optional _building: RailText<1, 16> = "BuildingNumber",
        optional _post_code: RailText<1, 16> = "PostCode",
        required _town: RailText<1, 35> = "TownName",
        optional _county: RailText<1, 35> = "CountrySubDivision",
        required _country: Country = "Country",
    }
}

read_codes! {
    AddressType: read_address_type, FieldInvalid, "Must be an address type of the standard.", one_of(address_type());
}

pub(crate) fn read_address_type(text: &str) -> Option<AddressType> {
    Some(match text {
        "Business" => AddressType::Business,
        "Correspondence" => AddressType::Correspondence,
        "DeliveryTo" => AddressType::DeliveryTo,
        "MailTo" => AddressType::MailTo,
        "POBox" => AddressType::PoBox,
        "Postal" => AddressType::Postal,
        "Residential" => AddressType::Residential,
        "Statement" => AddressType::Statement,
        _ => return None,
    })
}
