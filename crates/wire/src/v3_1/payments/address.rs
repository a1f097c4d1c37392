//! The addresses of payment requests in v3.1.

use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use crate::payments::values::{Country, RailText, UpTo, read_codes};
use crate::v3_1::names::listed::address_type;
use lombard_domain::account::{AddressType, PostalAddress};
use lombard_domain::refusal::FaultCode;

object! {
    /// Source: `OBPostalAddress6`.
    struct Address: Closed {
        optional kind: AddressType = "AddressType",
        optional department: RailText<1, 70> = "Department",
        optional sub_department: RailText<1, 70> = "SubDepartment",
        optional street: RailText<1, 70> = "StreetName",
        optional building: RailText<1, 16> = "BuildingNumber",
        optional post_code: RailText<1, 16> = "PostCode",
        optional town: RailText<1, 35> = "TownName",
        optional county: RailText<1, 35> = "CountrySubDivision",
        optional country: Country = "Country",
        optional lines: UpTo<RailText<1, 70>, 7> = "AddressLine",
    }
}

impl From<Address> for PostalAddress {
    fn from(it: Address) -> Self {
        Self {
            kind: it.kind,
            department: it.department.map(|text| text.0),
            sub_department: it.sub_department.map(|text| text.0),
            street: it.street.map(|text| text.0),
            building: it.building.map(|text| text.0),
            post_code: it.post_code.map(|text| text.0),
            town: it.town.map(|text| text.0),
            county: it.county.map(|text| text.0),
            country: it.country.map(|country| country.0),
            lines: it.lines.map_or_else(Vec::new, |lines| lines.0.into_iter().map(|line| line.0).collect()),
            ..Self::default()
        }
    }
}

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
