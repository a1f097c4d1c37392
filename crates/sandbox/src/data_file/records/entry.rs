//! Entries. Source: `OBTransaction6`.
//!
//! The balance after an entry and the statements it is on are not in the file: they follow from the entries, and a file
//! that said them too could be edited into a contradiction.

use super::super::faults::At;
use super::super::node::Node;
use super::super::shape::{Definitions, Described, Form, Reader, The, objects};
use super::super::values::{Exact, Key, Text};
use jiff::Timestamp;
use lombard_domain::account::{
    Agent, BankTransactionCode, CardAuthorisation, CardInstrument, CardScheme, CurrencyExchange, EntryStatus,
    ExchangeRate, Identification, Merchant, Mutability, OtherParty, ProprietaryCode, Transaction,
};
use lombard_domain::money::{Amount, Currency, Signed};

objects! {
    Transaction as "Transaction" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<210>, "TransactionId");
        reference: maybe(Text<210>, "TransactionReference");
        sum: flat(Signed);
        status: needed(The<EntryStatus>, "Status");
        booked_at: needed(The<Timestamp>, "BookingDateTime");
        value_at: maybe(The<Timestamp>, "ValueDateTime");
        information: maybe(Text<500>, "TransactionInformation");
        address_line: maybe(Text<70>, "AddressLine");
        charge: maybe(The<Amount>, "ChargeAmount");
        exchange: maybe(The<CurrencyExchange>, "CurrencyExchange");
        bank_code: maybe(The<BankTransactionCode>, "BankTransactionCode");
        proprietary_code: maybe(The<ProprietaryCode>, "ProprietaryBankTransactionCode");
        merchant: maybe(The<Merchant>, "MerchantDetails");
        other_party: maybe(The<OtherParty>, "OtherParty");
        card: maybe(The<CardInstrument>, "CardInstrument");
        statement_references: given(Vec::new());
        mutability: given(mutability(status));
        balance: given(None);
    }

    CurrencyExchange as "CurrencyExchange" {
        source: needed(The<Currency>, "SourceCurrency");
        target: needed(The<Currency>, "TargetCurrency");
        unit: needed(The<Currency>, "UnitCurrency");
        rate: needed(RateOfExchange, "ExchangeRate");
        quoted_at: maybe(The<Timestamp>, "QuotationDate");
        instructed: maybe(The<Amount>, "InstructedAmount");
    }

    BankTransactionCode as "BankTransactionCode" {
        code: needed(Text<140>, "Code");
        sub_code: needed(Text<140>, "SubCode");
    }

    ProprietaryCode as "ProprietaryBankTransactionCode" {
        code: needed(Text<35>, "Code");
        issuer: maybe(Text<35>, "Issuer");
    }

    Merchant as "MerchantDetails" {
        name: needed(Text<350>, "MerchantName");
        category: maybe(Text<4>, "MerchantCategoryCode");
    }

    OtherParty as "OtherParty" {
        agent: maybe(The<Agent>, "Agent");
        account: maybe(The<Identification>, "Account");
    }

    CardInstrument as "CardInstrument" {
        scheme: needed(The<CardScheme>, "CardSchemeName");
        authorisation: maybe(The<CardAuthorisation>, "AuthorisationType");
        name: maybe(Text<70>, "Name");
        number: maybe(Text<34>, "Identification");
    }
}

/// Whether an entry may still change follows from its status. Source: AIS-123.
const fn mutability(status: EntryStatus) -> Mutability {
    match status {
        EntryStatus::Booked | EntryStatus::Rejected => Mutability::Immutable,
        EntryStatus::Pending => Mutability::Mutable,
    }
}

/// A rate of exchange: a number as text.
struct RateOfExchange;

impl Described for RateOfExchange {
    fn schema(definitions: &mut Definitions) -> Node {
        Exact::<14, 10>::schema(definitions)
    }
}

impl Form<ExchangeRate> for RateOfExchange {
    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<ExchangeRate> {
        Exact::<14, 10>::read(node, at, reader).map(ExchangeRate)
    }

    fn write(value: &ExchangeRate) -> Node {
        Exact::<14, 10>::write(&value.0)
    }
}
