//! The postal addresses of payment requests. Source: V4-005.

use super::forms::PaymentForms;
use super::values::{Country, RailText, UpTo};
use crate::parse::object;
use lombard_domain::account::PostalAddress;

object! {
    /// Source: `OBPostalAddress6`, `OBPostalAddress7`.
    struct Address<V: PaymentForms>: Closed {
        optional kind: V::AddressKind = "AddressType",
        optional department: RailText<1, 70> = "Department",
        optional sub_department: RailText<1, 70> = "SubDepartment",
        optional street: V::StreetName = "StreetName",
        optional building: RailText<1, 16> = "BuildingNumber",
        optional building_name: V::Only4<RailText<1, 140>> = "BuildingName",
        optional floor: V::Only4<RailText<1, 70>> = "Floor",
        optional unit: V::Only4<RailText<1, 16>> = "UnitNumber",
        optional room: V::Only4<RailText<1, 70>> = "Room",
        optional post_box: V::Only4<RailText<1, 16>> = "PostBox",
        optional town_location: V::Only4<RailText<1, 140>> = "TownLocationName",
        optional district: V::Only4<RailText<1, 140>> = "DistrictName",
        optional care_of: V::Only4<RailText<1, 140>> = "CareOf",
        optional post_code: RailText<1, 16> = "PostCode",
        optional town: V::TownName = "TownName",
        optional county: RailText<1, 35> = "CountrySubDivision",
        optional country: Country = "Country",
        optional lines: UpTo<RailText<1, 70>, 7> = "AddressLine",
    }
}

impl<V: PaymentForms> From<Address<V>> for PostalAddress {
    fn from(it: Address<V>) -> Self {
        Self {
            kind: it.kind.map(Into::into),
            department: it.department.map(|text| text.0),
            sub_department: it.sub_department.map(|text| text.0),
            street: it.street.map(Into::into),
            building: it.building.map(|text| text.0),
            building_name: it.building_name.and_then(Into::into).map(|text| text.0),
            floor: it.floor.and_then(Into::into).map(|text| text.0),
            unit: it.unit.and_then(Into::into).map(|text| text.0),
            room: it.room.and_then(Into::into).map(|text| text.0),
            post_box: it.post_box.and_then(Into::into).map(|text| text.0),
            town_location: it.town_location.and_then(Into::into).map(|text| text.0),
            district: it.district.and_then(Into::into).map(|text| text.0),
            care_of: it.care_of.and_then(Into::into).map(|text| text.0),
            post_code: it.post_code.map(|text| text.0),
            town: it.town.map(Into::into),
            county: it.county.map(|text| text.0),
            country: it.country.map(|country| country.0),
            lines: it.lines.map_or_else(Vec::new, |lines| lines.0.into_iter().map(|line| line.0).collect()),
        }
    }
}
