//! The people and organisations behind accounts. Their telephone numbers are from the range that is reserved for drama.

use super::super::habit::PersonRow;
use lombard_domain::account::LegalStructure;

const fn person(
    name: &'static str,
    full_legal_name: &'static str,
    email: &'static str,
    mobile: &'static str,
    address: [&'static str; 5],
) -> PersonRow {
    let legal_structure = LegalStructure::Individual;
    PersonRow { name, full_legal_name, legal_structure, lei: "", email, phone: "", mobile, address }
}

pub(super) const AMELIA: PersonRow = person(
    "Amelia Hart",
    "Amelia Rose Hart",
    "amelia.hart@mail.example",
    "+44-7700900142",
    ["Flat 2, 18", "Ravenslea Crescent", "London", "SW12 8RX", "Greater London"],
);

pub(super) const BASHIR: PersonRow = person(
    "Bashir Rahman",
    "Bashir Ahmed Rahman",
    "bashir@kiteandcompass.example",
    "+44-7700900311",
    ["44", "Cumberland Terrace", "Bristol", "BS1 6XJ", "City of Bristol"],
);

pub(super) const CHLOE: PersonRow = person(
    "Chloe Whitmore",
    "Chloe Anne Whitmore",
    "chloe@kiteandcompass.example",
    "+44-7700900312",
    ["9", "Ambra Vale", "Bristol", "BS8 4RE", "City of Bristol"],
);

pub(super) const STUDIO: PersonRow = PersonRow {
    name: "Kite & Compass Design",
    full_legal_name: "Kite & Compass Design Ltd",
    legal_structure: LegalStructure::PrivateLimitedCompany,
    lei: "9845KITE00CMPSSD0290",
    email: "accounts@kiteandcompass.example",
    phone: "+44-1174960177",
    mobile: "",
    address: ["Unit 7", "Brunel Yard", "Bristol", "BS1 6QH", "City of Bristol"],
};

pub(super) const DEEPAK: PersonRow = person(
    "Deepak Mistry",
    "Deepak Kumar Mistry",
    "d.mistry@mail.example",
    "+44-7700900528",
    ["71", "Fosse Road North", "Leicester", "LE3 5EJ", "Leicestershire"],
);

pub(super) const ESTHER: PersonRow = person(
    "Esther Okafor",
    "Esther Ngozi Okafor",
    "esther.okafor@mail.example",
    "+44-7700900764",
    ["3", "Larchwood Close", "Cardiff", "CF14 9QD", "South Glamorgan"],
);

/// Esther's husband, who owns the house with her and has his accounts at another bank.
pub(super) const DANIEL: PersonRow = person(
    "Daniel Okafor",
    "Daniel Chidi Okafor",
    "",
    "+44-7700900765",
    ["3", "Larchwood Close", "Cardiff", "CF14 9QD", "South Glamorgan"],
);
