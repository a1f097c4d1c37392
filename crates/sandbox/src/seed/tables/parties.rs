//! People, businesses and authorities outside with bank accounts of their own.

use super::super::habit::{Party, Place};

const fn uk(key: &'static str, name: &'static str, number: &'static str, bic: &'static str) -> Party {
    Party { key, name, place: Place::Uk { number, bic } }
}

const fn us(key: &'static str, name: &'static str, number: &'static str) -> Party {
    Party { key, name, place: Place::Bban { number, bic: "HRTGUS33XXX" } }
}

const HARBOUR_BANK: &str = "HRBRGB2LXXX";
const CALDER_BANK: &str = "CALDGB22XXX";
const THORNE_BANK: &str = "THRNGB2L";

// Authorities.
pub(super) const REVENUE: Party = uk("authority:hmrc", "HMRC", "08321012001039", HARBOUR_BANK);
pub(super) const WANDLE_COUNCIL: Party =
    uk("authority:wandle", "Wandle Borough Council", "20441383719204", CALDER_BANK);
pub(super) const SOAR_COUNCIL: Party = uk("authority:soar", "Soar City Council", "20441355620187", CALDER_BANK);
pub(super) const BENEFITS: Party = uk("authority:dwp", "DWP", "08321012001194", HARBOUR_BANK);

// What comes by pipe and wire.
pub(super) const ENERGY: Party = uk("utility:energy", "Brightwater Energy", "40517331904476", THORNE_BANK);
pub(super) const WATER: Party = uk("utility:water", "Chalkstream Water", "40517362208815", THORNE_BANK);
pub(super) const BROADBAND: Party = uk("utility:broadband", "Fibreway", "30962541177093", HARBOUR_BANK);
pub(super) const MOBILE: Party = uk("utility:mobile", "Tern Mobile", "30962588410256", HARBOUR_BANK);

// Amelia's.
pub(super) const NORTHLIGHT: Party =
    uk("employer:northlight", "Northlight Analytics Ltd", "20441310293847", CALDER_BANK);
pub(super) const AMELIA_LANDLORD: Party = uk("landlord:hollis", "Hollis Lettings", "30962514725836", HARBOUR_BANK);
pub(super) const GYM: Party = uk("club:ironworks", "Ironworks Gym", "40517345612378", THORNE_BANK);
pub(super) const INSURER: Party = uk("insurer:bastion", "Bastion Insurance", "20441398761234", CALDER_BANK);
pub(super) const CHARITY: Party = uk("charity:riverkeepers", "The Riverkeepers Trust", "30962577889900", HARBOUR_BANK);
pub(super) const PRIYA: Party = uk("friend:priya", "P Raman", "40517320304050", THORNE_BANK);

// Deepak's.
pub(super) const BELLWETHER: Party = uk("employer:bellwether", "Bellwether Logistics", "20441366778899", CALDER_BANK);
pub(super) const DEEPAK_LANDLORD: Party = uk("landlord:oakhurst", "Oakhurst Homes", "30962512344321", HARBOUR_BANK);
pub(super) const LENDER: Party = uk("lender:fairstep", "Fairstep Loans", "40517399887766", THORNE_BANK);
pub(super) const COUSIN: Party = uk("friend:anil", "A Mistry", "20441345454545", CALDER_BANK);

// Esther's.
pub(super) const ESTHER_ELSEWHERE: Party = uk("person:esther", "E Okafor", "30962567676767", HARBOUR_BANK);

// The studio's.
pub(super) const MUSEUM: Party = uk("client:museum", "Severn Maritime Museum", "20441311223344", CALDER_BANK);
pub(super) const BREWERY: Party = uk("client:brewery", "Copperleaf Brewing Co", "40517355667788", THORNE_BANK);
pub(super) const PROJECT_CLIENT: Party =
    uk("client:projects", "Wren & Lowe Architects", "30962599001122", HARBOUR_BANK);
pub(super) const CARD_PAYOUTS: Party = uk("processor:tillway", "Tillway Payments", "08321033445566", HARBOUR_BANK);
pub(super) const OFFICE_LANDLORD: Party = uk("landlord:brunel", "Brunel Yard Estates", "20441377889911", CALDER_BANK);
pub(super) const ACCOUNTANT: Party =
    uk("supplier:accountant", "Penhale Accountants LLP", "40517322446688", THORNE_BANK);
pub(super) const PRINTER: Party = uk("supplier:printer", "Avonmouth Press", "30962513579246", HARBOUR_BANK);
pub(super) const FOREIGN_PRINTER: Party = Party {
    key: "supplier:druckhaus",
    name: "Druckhaus Isar GmbH",
    place: Place::Iban { country: "DE", bban: "700202700010108669", bic: "ISARDEMMXXX" },
};
pub(super) const STAFF_ONE: Party = uk("staff:ruth", "Ruth Penrose", "20441320202020", CALDER_BANK);
pub(super) const STAFF_TWO: Party = uk("staff:marek", "Marek Dolny", "40517330303030", THORNE_BANK);
pub(super) const STAFF_THREE: Party = uk("staff:ines", "Ines Carvalho", "30962540404040", HARBOUR_BANK);
pub(super) const BASHIR_ELSEWHERE: Party = uk("person:bashir", "B Rahman", "20441350505050", CALDER_BANK);
pub(super) const CHLOE_ELSEWHERE: Party = uk("person:chloe", "C Whitmore", "40517360606060", THORNE_BANK);
pub(super) const US_CLIENT: Party = us("client:prairie", "Prairie Coffee Roasters LLC", "000123456789");
pub(super) const US_AGENCY: Party = us("client:harbor", "Harbor & Finch Agency Inc", "000987650123");
pub(super) const US_ILLUSTRATOR: Party = us("supplier:illustrator", "Dana Whitfield", "000456123789");
pub(super) const IRISH_CLIENT: Party = Party {
    key: "client:liffey",
    name: "Liffey Wholefoods DAC",
    place: Place::Iban { country: "IE", bban: "LIFF90011512345678", bic: "LIFFIE2DXXX" },
};
pub(super) const DUTCH_CLIENT: Party = Party {
    key: "client:waterkant",
    name: "Waterkant Festivals BV",
    place: Place::Iban { country: "NL", bban: "WATK0417164300", bic: "WATKNL2AXXX" },
};
pub(super) const LISBON_DESK: Party = Party {
    key: "landlord:alfama",
    name: "Alfama Coworking Lda",
    place: Place::Iban { country: "PT", bban: "000201231234567890154", bic: "ALFAPTPLXXX" },
};
