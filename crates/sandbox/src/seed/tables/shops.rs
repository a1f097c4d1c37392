//! Shops and cash machines: name, ISO 18245 category, address and range of purchases.

use super::super::habit::MerchantRow;
use lombard_domain::money::Currency;

const fn shop(
    key: &'static str,
    name: &'static str,
    category: &'static str,
    address: &'static str,
    spend: (i64, i64),
) -> MerchantRow {
    MerchantRow { key, name, category, address, currency: Currency::GBP, spend }
}

const fn abroad(
    key: &'static str,
    name: &'static str,
    category: &'static str,
    address: &'static str,
    currency: Currency,
    spend: (i64, i64),
) -> MerchantRow {
    MerchantRow { key, name, category, address, currency, spend }
}

pub(super) const BIG_SHOP: &[MerchantRow] = &[
    shop("merchant:fernley", "Fernley Foods", "5411", "210 Balham Road, London SW17 7AA", (4_200, 9_400)),
    shop("merchant:harvest", "Harvest & Home", "5411", "8 Northcote Parade, London SW11 1NP", (3_800, 8_800)),
];

pub(super) const CHEAP_SHOP: &[MerchantRow] = &[
    shop("merchant:pennywise", "Pennywise Markets", "5411", "77 Belgrave Gate, Leicester LE1 3HR", (2_000, 4_400)),
    shop("merchant:bombay", "Bombay Stores", "5411", "112 Melton Road, Leicester LE4 5ED", (1_400, 3_600)),
];

pub(super) const CORNER_SHOP: &[MerchantRow] = &[
    shop("merchant:corner", "Corner Express", "5499", "19 High Road, London SW12 9BN", (240, 1_650)),
    shop("merchant:baker", "Millstone Bakery", "5462", "4 Bedford Hill, London SW12 9RG", (320, 1_280)),
];

pub(super) const COFFEE: &[MerchantRow] = &[
    shop("merchant:kettle", "Kettle & Crane Coffee", "5814", "2 Exchange Square, London EC2A 2JN", (280, 460)),
    shop("merchant:halfmoon", "Half Moon Espresso", "5814", "31 Moorgate Place, London EC2R 6PB", (260, 520)),
];

pub(super) const LUNCH: &[MerchantRow] = &[
    shop("merchant:saltbox", "Saltbox Sandwiches", "5814", "5 Finsbury Walk, London EC2M 7AB", (595, 1_150)),
    shop("merchant:noodle", "Noodle Yard", "5814", "18 Liverpool Arcade, London EC2M 7PY", (780, 1_390)),
];

pub(super) const LEICESTER_CORNER_SHOP: &[MerchantRow] = &[
    shop("merchant:green", "Greengate Grocers", "5411", "66 Narborough Road, Leicester LE3 0BR", (300, 1_500)),
    shop("merchant:hinckley", "Hinckley Convenience", "5499", "201 Hinckley Road, Leicester LE3 0TG", (220, 1_350)),
];

pub(super) const LEICESTER_CAFE: &[MerchantRow] = &[
    shop("merchant:lantern", "Lantern Cafe", "5814", "14 Granby Row, Leicester LE1 6FD", (220, 480)),
    shop("merchant:clocktower", "Clock Tower Cafe", "5812", "1 Gallowtree Gate, Leicester LE1 5AD", (240, 520)),
];

pub(super) const LEICESTER_PUBS: &[MerchantRow] = &[
    shop("merchant:wheatsheaf", "The Wheatsheaf", "5813", "3 Castle Street, Leicester LE1 5WN", (480, 2_300)),
    shop("merchant:horseshoe", "The Old Horseshoe", "5813", "25 Welford Row, Leicester LE2 7AE", (420, 2_100)),
];

pub(super) const LEICESTER_HIGH_STREET: &[MerchantRow] = &[
    shop("merchant:hardware", "Nutbourne Hardware", "5251", "60 Oadby Road, Leicester LE2 5GB", (450, 3_900)),
    shop("merchant:fosse", "Fosse Pharmacy", "5912", "8 Fosse Lane, Leicester LE3 5EA", (320, 1_900)),
    shop("merchant:threads", "Second Threads", "5931", "52 Queens Row, Leicester LE2 1TU", (350, 2_400)),
];

pub(super) const TAKEAWAY: &[MerchantRow] = &[
    shop("merchant:spicebox", "The Spice Box", "5812", "40 London Road, Leicester LE2 0QB", (790, 1_950)),
    shop("merchant:codfather", "Harbour Fish Bar", "5814", "9 Evington Lane, Leicester LE5 5PQ", (650, 1_480)),
];

pub(super) const RESTAURANTS: &[MerchantRow] = &[
    shop("merchant:olive", "The Olive Press", "5812", "23 Abbeville Place, London SW4 9JW", (2_400, 6_800)),
    shop("merchant:tiffin", "Tiffin Lane", "5812", "88 Tooting Parade, London SW17 0RR", (1_900, 5_200)),
    shop("merchant:brasserie", "Brasserie Lune", "5812", "1 Wharf Terrace, London SE1 9DG", (3_200, 7_900)),
];

pub(super) const PUBS: &[MerchantRow] = &[
    shop("merchant:anchor", "The Crooked Anchor", "5813", "12 Nightingale Walk, London SW12 8NX", (640, 3_200)),
    shop("merchant:heron", "The Gilded Heron", "5813", "70 Riverside Walk, London SW18 1EG", (580, 2_900)),
];

pub(super) const CITY_TRAVEL: &[MerchantRow] =
    &[shop("merchant:citytravel", "City Transit", "4111", "Travel charges, London", (280, 890))];

pub(super) const BUS: &[MerchantRow] =
    &[shop("merchant:bus", "Soar Valley Buses", "4131", "St Margaret's, Leicester LE1 3TY", (175, 420))];

pub(super) const RAIL: &[MerchantRow] = &[
    shop("merchant:rail", "Great Eastern Rail", "4112", "Online ticket office", (1_250, 8_400)),
    shop("merchant:cabs", "Swift Cabs", "4121", "Booked by app", (680, 2_900)),
];

pub(super) const HIGH_STREET: &[MerchantRow] = &[
    shop("merchant:loom", "Loom & Thread", "5651", "180 Clapham Row, London SW4 7UG", (1_600, 8_500)),
    shop("merchant:page", "Turned Page Books", "5942", "7 Lamb Street, London E1 6EA", (799, 3_400)),
    shop("merchant:chemist", "Alder Pharmacy", "5912", "33 Hildreth Street, London SW12 9RQ", (380, 2_100)),
];

pub(super) const ONLINE: &[MerchantRow] = &[
    shop("merchant:parcel", "Parcelworld", "5311", "Online, www.parcelworld.example", (599, 4_800)),
    shop("merchant:gadget", "Gadget Orchard", "5732", "Online, www.gadgetorchard.example", (999, 8_900)),
    shop("merchant:tickets", "Front Row Tickets", "7922", "Online, www.frontrow.example", (1_800, 7_200)),
];

pub(super) const FILMS: &[MerchantRow] =
    &[shop("merchant:films", "Reelhouse Streaming", "4899", "Online, www.reelhouse.example", (1_099, 1_099))];

pub(super) const MUSIC: &[MerchantRow] =
    &[shop("merchant:music", "Tonewave Music", "5815", "Online, www.tonewave.example", (599, 599))];

pub(super) const ABROAD: &[MerchantRow] = &[
    abroad("merchant:lisboa", "Cafe do Cais", "5812", "Rua da Prata 12, Lisboa", Currency::EUR, (650, 4_200)),
    abroad("merchant:berlin", "Buchladen am Kanal", "5942", "Kanalufer 3, Berlin", Currency::EUR, (900, 4_600)),
    abroad("merchant:lyon", "Epicerie Bellecour", "5499", "Rue Victor 8, Lyon", Currency::EUR, (700, 3_800)),
    abroad("merchant:cloudbox", "Cloudbox Storage", "4816", "Online, Seattle WA", Currency::USD, (999, 999)),
];

pub(super) const OFFICE: &[MerchantRow] = &[
    shop("merchant:paper", "Quire Office Supplies", "5943", "Unit 4 Brunel Yard, Bristol BS1 6TE", (850, 11_000)),
    shop("merchant:courier", "Kingfisher Couriers", "4215", "Avon Way, Bristol BS3 2LX", (690, 3_400)),
    shop("merchant:clientlunch", "The Harbour Table", "5812", "2 Wapping Quay, Bristol BS1 4RN", (2_800, 13_500)),
    shop("merchant:rail", "Great Eastern Rail", "4112", "Online ticket office", (1_850, 12_400)),
];

pub(super) const SOFTWARE: &[MerchantRow] = &[
    abroad("merchant:vectorly", "Vectorly Inc", "5734", "San Francisco CA", Currency::USD, (2_400, 12_000)),
    abroad("merchant:hosting", "Northstack Hosting", "7372", "Austin TX", Currency::USD, (900, 14_500)),
    abroad("merchant:stockphotos", "Shutterfield Images", "5815", "New York NY", Currency::USD, (1_200, 7_900)),
];

pub(super) const LONDON_MACHINES: &[&str] = &[
    "Cash machine, 41 Station Parade, London SW12 9AZ",
    "Cash machine, Fernley Foods, 210 Balham Road, London SW17 7AA",
];

pub(super) const LEICESTER_MACHINES: &[&str] =
    &["Cash machine, 3 Market Place, Leicester LE1 5GF", "Cash machine, 15 Narborough Road, Leicester LE3 0LE"];

pub(super) const EUROPE: &[MerchantRow] = &[
    abroad("merchant:eurofonts", "Lettera Foundry", "5734", "Milano", Currency::EUR, (1_900, 9_800)),
    abroad("merchant:eurorail", "Rail Europa", "4112", "Bruxelles", Currency::EUR, (2_400, 13_900)),
    abroad("merchant:eurocafe", "Cafe Miradouro", "5814", "Lisboa", Currency::EUR, (350, 1_900)),
];
