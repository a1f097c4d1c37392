//! The addresses of payment requests in v4.0. Source: V4-005.

use super::names::AddressTypeCode;
use crate::parse::object;
use crate::payments::values::{Country, RailText, UpTo};
use lombard_domain::account::PostalAddress;

object! {
    /// Source: `OBPostalAddress7`.
    struct Address: Closed {
        optional kind: AddressTypeCode = "AddressType",
        optional department: RailText<1, 70> = "Department",
        optional sub_department: RailText<1, 70> = "SubDepartment",
        optional street: RailText<1, 140> = "StreetName",
        optional building: RailText<1, 16> = "BuildingNumber",
        optional building_name: RailText<1, 140> = "BuildingName",
        optional floor: RailText<1, 70> = "Floor",
        optional unit: RailText<1, 16> = "UnitNumber",
        optional room: RailText<1, 70> = "Room",
        optional post_box: RailText<1, 16> = "PostBox",
        optional town_location: RailText<1, 140> = "TownLocationName",
        optional district: RailText<1, 140> = "DistrictName",
        optional care_of: RailText<1, 140> = "CareOf",
        optional post_code: RailText<1, 16> = "PostCode",
        optional town: RailText<1, 140> = "TownName",
        optional county: RailText<1, 35> = "CountrySubDivision",
        optional country: Country = "Country",
        optional lines: UpTo<RailText<1, 70>, 7> = "AddressLine",
    }
}

impl From<Address> for PostalAddress {
    fn from(it: Address) -> Self {
        Self {
            kind: it.kind.map(|kind| kind.0),
            department: it.department.map(|text| text.0),
            sub_department: it.sub_department.map(|text| text.0),
            street: it.street.map(|text| text.0),
            care_of: it.care_of.map(|text| text.0),
            building: it.building.map(|text| text.0),
            building_name: it.building_name.map(|text| text.0),
            unit: it.unit.map(|text| text.0),
            floor: it.floor.map(|text| text.0),
            room: it.room.map(|text| text.0),
            post_box: it.post_box.map(|text| text.0),
            town_location: it.town_location.map(|text| text.0),
            district: it.district.map(|text| text.0),
            post_code: it.post_code.map(|text| text.0),
            town: it.town.map(|text| text.0),
            county: it.county.map(|text| text.0),
            country: it.country.map(|country| country.0),
            lines: it.lines.map_or_else(Vec::new, |lines| lines.0.into_iter().map(|line| line.0).collect()),
        }
    }
}
