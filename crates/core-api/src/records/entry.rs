//! Entries. Source: `OBTransaction6`.
//!
//! A data file contains neither the running balance of an entry nor its statements. Both are derived from the entries, so that an edited
//! file cannot become inconsistent.

use crate::form::faults::JsonLocation;
use crate::form::iso::{AgentStatuses, CategoryPurposes, CodeIn, FourCharacters, Lei};
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema};
use crate::form::shape::{Boxed, FieldForm, FormOf, FormReader};
use crate::form::values::{AsciiKey, BoundedText, ExactDecimal};
use crate::objects;
use jiff::Timestamp;
use lombard_domain::account::{
    AccountIdentification, AccountScheme, BankIdentification, BankTransactionCode, CardAuthorisation, CardInstrument,
    CardScheme, CurrencyExchange, EntryPayment, EntryStatus, ExchangeRate, ExtendedCode, IntermediaryAgent, Merchant,
    Mutability, OtherParty, PostalAddress, ProprietaryCode, Transaction, UltimateParty,
};
use lombard_domain::money::{Amount, Currency, SignedAmount};

objects! {
    /// An entry on an account.
    Transaction as "Transaction" {
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<210>, "TransactionId");
        /// A reference of the entry, at most 210 characters.
        reference: optional(BoundedText<210>, "TransactionReference");
        sum: flat(SignedAmount);
        /// Its status.
        status: required(FormOf<EntryStatus>, "Status");
        /// When it was, or is expected to be, booked (bank clock).
        booked_at: required(FormOf<Timestamp>, "BookingDateTime");
        /// The value date.
        value_at: optional(FormOf<Timestamp>, "ValueDateTime");
        /// A text for the customer, at most 500 characters.
        information: optional(BoundedText<500>, "TransactionInformation");
        /// The address of the merchant or cash machine, at most 70 characters.
        address_line: optional(BoundedText<70>, "AddressLine");
        /// The charge for it.
        charge: optional(FormOf<Amount>, "ChargeAmount");
        /// The currency exchange, if any.
        exchange: optional(FormOf<CurrencyExchange>, "CurrencyExchange");
        /// Its ISO 20022 code.
        bank_code: optional(FormOf<BankTransactionCode>, "BankTransactionCode");
        /// Its proprietary code.
        proprietary_code: optional(FormOf<ProprietaryCode>, "ProprietaryBankTransactionCode");
        /// The merchant.
        merchant: optional(FormOf<Merchant>, "MerchantDetails");
        /// The counterparty.
        other_party: optional(FormOf<OtherParty>, "OtherParty");
        /// The card used.
        card: optional(FormOf<CardInstrument>, "CardInstrument");
        /// The payment behind it.
        payment: optional(Boxed<FormOf<EntryPayment>>, "Payment");
        statement_references: given(Vec::new());
        mutability: given(mutability(status));
        balance: given(None);
    }

    /// Details of the payment that caused the entry; only v4.0 shows them.
    EntryPayment as "Payment" {
        /// The category of its purpose (`ExternalCategoryPurpose1Code`).
        category_purpose: optional(CodeIn<CategoryPurposes>, "CategoryPurposeCode");
        /// Its purpose (`OBExternalPurpose1Code`).
        purpose: optional(FourCharacters, "PaymentPurposeCode");
        /// Further codes of the bank.
        extended_codes: list(FormOf<ExtendedCode>, "ExtendedProprietaryBankTransactionCodes");
        /// The ultimate creditor.
        ultimate_creditor: optional(FormOf<UltimateParty>, "UltimateCreditor");
        /// The ultimate debtor.
        ultimate_debtor: optional(FormOf<UltimateParty>, "UltimateDebtor");
        /// The banks in between, in the order of its path, at most three; international payments only.
        intermediaries: list(FormOf<IntermediaryAgent>, "IntermediaryAgent");
    }

    /// A further code of the bank for an entry.
    ExtendedCode as "ExtendedProprietaryBankTransactionCode" {
        /// The code, at most 35 characters.
        code: required(BoundedText<35>, "Code");
        /// The issuer of the code, at most 35 characters.
        issuer: optional(BoundedText<35>, "Issuer");
        /// The description of the code, at most 500 characters.
        description: optional(BoundedText<500>, "Description");
    }

    /// On whose behalf a payment was made or received.
    UltimateParty as "UltimateParty" {
        /// The name, at most 140 characters.
        name: optional(BoundedText<140>, "Name");
        /// The scheme of the identification.
        scheme: optional(FormOf<AccountScheme>, "SchemeName");
        /// The identification, at most 256 characters.
        identification: optional(BoundedText<256>, "Identification");
        /// The legal entity identifier, 20 characters.
        lei: optional(Lei, "LEI");
        /// The address.
        address: optional(FormOf<PostalAddress>, "PostalAddress");
    }

    /// A bank between those of the debtor and the creditor of an international payment.
    IntermediaryAgent as "IntermediaryAgent" {
        agent: flat(BankIdentification);
        /// How far it has processed the payment.
        status: optional(CodeIn<AgentStatuses>, "ProcessingStatus");
    }

    /// The currency exchange of an entry.
    CurrencyExchange as "CurrencyExchange" {
        /// The currency converted from.
        source: required(FormOf<Currency>, "SourceCurrency");
        /// The currency converted into.
        target: required(FormOf<Currency>, "TargetCurrency");
        /// The currency the rate is expressed in.
        unit: required(FormOf<Currency>, "UnitCurrency");
        /// The rate.
        rate: required(RateOfExchange, "ExchangeRate");
        /// When it was quoted.
        quoted_at: optional(FormOf<Timestamp>, "QuotationDate");
        /// The instructed amount, before conversion.
        instructed: optional(FormOf<Amount>, "InstructedAmount");
    }

    /// An ISO 20022 bank transaction code by its long names.
    BankTransactionCode as "BankTransactionCode" {
        /// The family within the domain, such as `ReceivedCreditTransfers`.
        code: required(BoundedText<140>, "Code");
        /// The sub-family, such as `DomesticCreditTransfer`.
        sub_code: required(BoundedText<140>, "SubCode");
    }

    /// The bank's own code for an entry.
    ProprietaryCode as "ProprietaryBankTransactionCode" {
        /// The code, at most 35 characters.
        code: required(BoundedText<35>, "Code");
        /// The issuer of the code, at most 35 characters.
        issuer: optional(BoundedText<35>, "Issuer");
    }

    /// The merchant of a card transaction.
    Merchant as "MerchantDetails" {
        /// The merchant's name, at most 350 characters.
        name: required(BoundedText<350>, "MerchantName");
        /// The ISO 18245 merchant category code, 3 or 4 digits.
        category: optional(BoundedText<4>, "MerchantCategoryCode");
    }

    /// The counterparty of an entry: creditor of a debit, debtor of a credit.
    OtherParty as "OtherParty" {
        /// The servicing bank of its account.
        agent: optional(FormOf<BankIdentification>, "Agent");
        /// Its account.
        account: optional(FormOf<AccountIdentification>, "Account");
    }

    /// The card used. Shown also with the Basic permission; its number is masked without `ReadPAN`.
    CardInstrument as "CardInstrument" {
        /// The scheme.
        scheme: required(FormOf<CardScheme>, "CardSchemeName");
        /// How the cardholder authorised the transaction.
        authorisation: optional(FormOf<CardAuthorisation>, "AuthorisationType");
        /// The cardholder's name, at most 70 characters.
        name: optional(BoundedText<70>, "Name");
        /// The card number in clear.
        number: optional(BoundedText<34>, "Identification");
    }
}

/// The mutability of an entry, which its status determines. Source: AIS-123.
const fn mutability(status: EntryStatus) -> Mutability {
    match status {
        EntryStatus::Booked | EntryStatus::Rejected | EntryStatus::Information => Mutability::Immutable,
        EntryStatus::Pending | EntryStatus::Future => Mutability::Mutable,
    }
}

/// The form of an exchange rate: a number as text.
struct RateOfExchange;

impl HasSchema for RateOfExchange {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        ExactDecimal::<14, 10>::schema(definitions)
    }
}

impl FieldForm<ExchangeRate> for RateOfExchange {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<ExchangeRate> {
        ExactDecimal::<14, 10>::read(node, at, reader).map(ExchangeRate)
    }

    fn write(value: &ExchangeRate) -> JsonNode<'static> {
        ExactDecimal::<14, 10>::write(&value.0)
    }
}
