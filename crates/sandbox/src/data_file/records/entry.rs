//! Entries. Source: `OBTransaction6`.
//!
//! The running balance of an entry and its statements are not in the file: they are derived from the entries, so that editing
//! cannot make the file inconsistent.

use super::super::faults::FileLocation;
use super::super::iso::{AgentStatuses, CategoryPurposes, CodeIn, FourCharacters, Lei};
use super::super::node::FileNode;
use super::super::shape::{Boxed, Definitions, FieldForm, FileReader, FormOf, HasSchema, objects};
use super::super::values::{AsciiKey, BoundedText, ExactDecimal};
use jiff::Timestamp;
use lombard_domain::account::{
    AccountIdentification, AccountScheme, BankIdentification, BankTransactionCode, CardAuthorisation, CardInstrument,
    CardScheme, CurrencyExchange, EntryPayment, EntryStatus, ExchangeRate, ExtendedCode, IntermediaryAgent, Merchant,
    Mutability, OtherParty, PostalAddress, ProprietaryCode, Transaction, UltimateParty,
};
use lombard_domain::money::{Amount, Currency, SignedAmount};

objects! {
    Transaction as "Transaction" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<210>, "TransactionId");
        reference: maybe(BoundedText<210>, "TransactionReference");
        sum: flat(SignedAmount);
        status: needed(FormOf<EntryStatus>, "Status");
        booked_at: needed(FormOf<Timestamp>, "BookingDateTime");
        value_at: maybe(FormOf<Timestamp>, "ValueDateTime");
        information: maybe(BoundedText<500>, "TransactionInformation");
        address_line: maybe(BoundedText<70>, "AddressLine");
        charge: maybe(FormOf<Amount>, "ChargeAmount");
        exchange: maybe(FormOf<CurrencyExchange>, "CurrencyExchange");
        bank_code: maybe(FormOf<BankTransactionCode>, "BankTransactionCode");
        proprietary_code: maybe(FormOf<ProprietaryCode>, "ProprietaryBankTransactionCode");
        merchant: maybe(FormOf<Merchant>, "MerchantDetails");
        other_party: maybe(FormOf<OtherParty>, "OtherParty");
        card: maybe(FormOf<CardInstrument>, "CardInstrument");
        payment: maybe(Boxed<FormOf<EntryPayment>>, "Payment");
        statement_references: given(Vec::new());
        mutability: given(mutability(status));
        balance: given(None);
    }

    EntryPayment as "Payment" {
        category_purpose: maybe(CodeIn<CategoryPurposes>, "CategoryPurposeCode");
        purpose: maybe(FourCharacters, "PaymentPurposeCode");
        extended_codes: list(FormOf<ExtendedCode>, "ExtendedProprietaryBankTransactionCodes");
        ultimate_creditor: maybe(FormOf<UltimateParty>, "UltimateCreditor");
        ultimate_debtor: maybe(FormOf<UltimateParty>, "UltimateDebtor");
        intermediaries: list(FormOf<IntermediaryAgent>, "IntermediaryAgent");
    }

    ExtendedCode as "ExtendedProprietaryBankTransactionCode" {
        code: needed(BoundedText<35>, "Code");
        issuer: maybe(BoundedText<35>, "Issuer");
        description: maybe(BoundedText<500>, "Description");
    }

    UltimateParty as "UltimateParty" {
        name: maybe(BoundedText<140>, "Name");
        scheme: maybe(FormOf<AccountScheme>, "SchemeName");
        identification: maybe(BoundedText<256>, "Identification");
        lei: maybe(Lei, "LEI");
        address: maybe(FormOf<PostalAddress>, "PostalAddress");
    }

    IntermediaryAgent as "IntermediaryAgent" {
        agent: flat(BankIdentification);
        status: maybe(CodeIn<AgentStatuses>, "ProcessingStatus");
    }

    CurrencyExchange as "CurrencyExchange" {
        source: needed(FormOf<Currency>, "SourceCurrency");
        target: needed(FormOf<Currency>, "TargetCurrency");
        unit: needed(FormOf<Currency>, "UnitCurrency");
        rate: needed(RateOfExchange, "ExchangeRate");
        quoted_at: maybe(FormOf<Timestamp>, "QuotationDate");
        instructed: maybe(FormOf<Amount>, "InstructedAmount");
    }

    BankTransactionCode as "BankTransactionCode" {
        code: needed(BoundedText<140>, "Code");
        sub_code: needed(BoundedText<140>, "SubCode");
    }

    ProprietaryCode as "ProprietaryBankTransactionCode" {
        code: needed(BoundedText<35>, "Code");
        issuer: maybe(BoundedText<35>, "Issuer");
    }

    Merchant as "MerchantDetails" {
        name: needed(BoundedText<350>, "MerchantName");
        category: maybe(BoundedText<4>, "MerchantCategoryCode");
    }

    OtherParty as "OtherParty" {
        agent: maybe(FormOf<BankIdentification>, "Agent");
        account: maybe(FormOf<AccountIdentification>, "Account");
    }

    CardInstrument as "CardInstrument" {
        scheme: needed(FormOf<CardScheme>, "CardSchemeName");
        authorisation: maybe(FormOf<CardAuthorisation>, "AuthorisationType");
        name: maybe(BoundedText<70>, "Name");
        number: maybe(BoundedText<34>, "Identification");
    }
}

/// The mutability of an entry, which follows from its status. Source: AIS-123.
const fn mutability(status: EntryStatus) -> Mutability {
    match status {
        EntryStatus::Booked | EntryStatus::Rejected | EntryStatus::Information => Mutability::Immutable,
        EntryStatus::Pending | EntryStatus::Future => Mutability::Mutable,
    }
}

/// A rate of exchange: a number as text.
struct RateOfExchange;

impl HasSchema for RateOfExchange {
    fn schema(definitions: &mut Definitions) -> FileNode {
        ExactDecimal::<14, 10>::schema(definitions)
    }
}

impl FieldForm<ExchangeRate> for RateOfExchange {
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<ExchangeRate> {
        ExactDecimal::<14, 10>::read(node, at, reader).map(ExchangeRate)
    }

    fn write(value: &ExchangeRate) -> FileNode {
        ExactDecimal::<14, 10>::write(&value.0)
    }
}
