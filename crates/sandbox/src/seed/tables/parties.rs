//! External people, businesses and authorities with bank accounts.

use super::super::habit::{OutsideAccount, OutsideAccountNumber};

const fn uk(key: &'static str, name: &'static str, number: &'static str, bic: &'static str) -> OutsideAccount {
    OutsideAccount { key, name, place: OutsideAccountNumber::Uk { number, bic }, lei: "", phone: "" }
}

const fn us(key: &'static str, name: &'static str, number: &'static str) -> OutsideAccount {
    OutsideAccount { key, name, place: OutsideAccountNumber::Bban { number, bic: "HRTGUS33XXX" }, lei: "", phone: "" }
}

const HARBOUR_BANK: &str = "HRBRGB2LXXX";
const CALDER_BANK: &str = "CALDGB22XXX";
const THORNE_BANK: &str = "THRNGB2L";

// Authorities.
pub(super) const REVENUE: OutsideAccount = uk("authority:hmrc", "HMRC", "08321012001039", HARBOUR_BANK);
pub(super) const WANDLE_COUNCIL: OutsideAccount =
    uk("authority:wandle", "Wandle Borough Council", "20441383719204", CALDER_BANK);
pub(super) const SOAR_COUNCIL: OutsideAccount =
    uk("authority:soar", "Soar City Council", "20441355620187", CALDER_BANK);
pub(super) const BENEFITS: OutsideAccount = uk("authority:dwp", "DWP", "08321012001194", HARBOUR_BANK);

// Utilities.
pub(super) const ENERGY: OutsideAccount = uk("utility:energy", "Brightwater Energy", "40517331904476", THORNE_BANK);
pub(super) const WATER: OutsideAccount = uk("utility:water", "Chalkstream Water", "40517362208815", THORNE_BANK);
pub(super) const BROADBAND: OutsideAccount = uk("utility:broadband", "Fibreway", "30962541177093", HARBOUR_BANK);
pub(super) const MOBILE: OutsideAccount = uk("utility:mobile", "Tern Mobile", "30962588410256", HARBOUR_BANK);

// Parties of Amelia's household.
pub(super) const NORTHLIGHT: OutsideAccount =
    uk("employer:northlight", "Northlight Analytics Ltd", "20441310293847", CALDER_BANK);
pub(super) const AMELIA_LANDLORD: OutsideAccount =
    uk("landlord:hollis", "Hollis Lettings", "30962514725836", HARBOUR_BANK);
pub(super) const GYM: OutsideAccount = uk("club:ironworks", "Ironworks Gym", "40517345612378", THORNE_BANK);
pub(super) const INSURER: OutsideAccount = uk("insurer:bastion", "Bastion Insurance", "20441398761234", CALDER_BANK);
pub(super) const CHARITY: OutsideAccount =
    uk("charity:riverkeepers", "The Riverkeepers Trust", "30962577889900", HARBOUR_BANK);
pub(super) const PRIYA: OutsideAccount =
    OutsideAccount { phone: "+44-7700900631", ..uk("friend:priya", "P Raman", "40517320304050", THORNE_BANK) };

// Parties of Deepak's household.
pub(super) const BELLWETHER: OutsideAccount =
    uk("employer:bellwether", "Bellwether Logistics", "20441366778899", CALDER_BANK);
pub(super) const DEEPAK_LANDLORD: OutsideAccount =
    uk("landlord:oakhurst", "Oakhurst Homes", "30962512344321", HARBOUR_BANK);
pub(super) const LENDER: OutsideAccount = uk("lender:fairstep", "Fairstep Loans", "40517399887766", THORNE_BANK);
pub(super) const COUSIN: OutsideAccount = uk("friend:anil", "A Mistry", "20441345454545", CALDER_BANK);

// Parties of Esther's household.
pub(super) const ESTHER_ELSEWHERE: OutsideAccount = uk("person:esther", "E Okafor", "30962567676767", HARBOUR_BANK);

// Parties of the studio.
pub(super) const MUSEUM: OutsideAccount = uk("client:museum", "Severn Maritime Museum", "20441311223344", CALDER_BANK);
pub(super) const BREWERY: OutsideAccount = uk("client:brewery", "Copperleaf Brewing Co", "40517355667788", THORNE_BANK);
pub(super) const PROJECT_CLIENT: OutsideAccount =
    uk("client:projects", "Wren & Lowe Architects", "30962599001122", HARBOUR_BANK);
pub(super) const CARD_PAYOUTS: OutsideAccount =
    uk("processor:tillway", "Tillway Payments", "08321033445566", HARBOUR_BANK);
pub(super) const OFFICE_LANDLORD: OutsideAccount =
    uk("landlord:brunel", "Brunel Yard Estates", "20441377889911", CALDER_BANK);
pub(super) const ACCOUNTANT: OutsideAccount =
    uk("supplier:accountant", "Penhale Accountants LLP", "40517322446688", THORNE_BANK);
pub(super) const PRINTER: OutsideAccount = uk("supplier:printer", "Avonmouth Press", "30962513579246", HARBOUR_BANK);
pub(super) const FOREIGN_PRINTER: OutsideAccount = OutsideAccount {
    key: "supplier:druckhaus",
    name: "Druckhaus Isar GmbH",
    place: OutsideAccountNumber::Iban { country: "DE", bban: "700202700010108669", bic: "ISARDEMMXXX" },
    lei: "9845DRCK00SARGMB0357",
    phone: "",
};
pub(super) const STAFF_ONE: OutsideAccount = uk("staff:ruth", "Ruth Penrose", "20441320202020", CALDER_BANK);
pub(super) const STAFF_TWO: OutsideAccount = uk("staff:marek", "Marek Dolny", "40517330303030", THORNE_BANK);
pub(super) const STAFF_THREE: OutsideAccount = uk("staff:ines", "Ines Carvalho", "30962540404040", HARBOUR_BANK);
pub(super) const BASHIR_ELSEWHERE: OutsideAccount = uk("person:bashir", "B Rahman", "20441350505050", CALDER_BANK);
pub(super) const CHLOE_ELSEWHERE: OutsideAccount = uk("person:chloe", "C Whitmore", "40517360606060", THORNE_BANK);
pub(super) const US_CLIENT: OutsideAccount = us("client:prairie", "Prairie Coffee Roasters LLC", "000123456789");
pub(super) const US_AGENCY: OutsideAccount = us("client:harbor", "Harbor & Finch Agency Inc", "000987650123");
pub(super) const US_ILLUSTRATOR: OutsideAccount = us("supplier:illustrator", "Dana Whitfield", "000456123789");
pub(super) const IRISH_CLIENT: OutsideAccount = OutsideAccount {
    key: "client:liffey",
    name: "Liffey Wholefoods DAC",
    place: OutsideAccountNumber::Iban { country: "IE", bban: "LIFF90011512345678", bic: "LIFFIE2DXXX" },
    lei: "",
    phone: "",
};
pub(super) const DUTCH_CLIENT: OutsideAccount = OutsideAccount {
    key: "client:waterkant",
    name: "Waterkant Festivals BV",
    place: OutsideAccountNumber::Iban { country: "NL", bban: "WATK0417164300", bic: "WATKNL2AXXX" },
    lei: "",
    phone: "",
};
pub(super) const LISBON_DESK: OutsideAccount = OutsideAccount {
    key: "landlord:alfama",
    name: "Alfama Coworking Lda",
    place: OutsideAccountNumber::Iban { country: "PT", bban: "000201231234567890154", bic: "ALFAPTPLXXX" },
    lei: "",
    phone: "",
};
