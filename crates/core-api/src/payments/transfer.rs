//! One payment to one payee.

use crate::form::iso::{CategoryPurposes, CodeIn, FourCharacters, Lei};
use crate::form::shape::{Boxed, FormOf};
use crate::form::values::BoundedText;
use crate::{choices, objects};
use jiff::Timestamp;
use lombard_domain::account::{MandateTerms, UltimateParty};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::ExchangeRateRequest;
use lombard_domain::payment::transfer::{
    CreditorDetails, International, PayeeAgent, Priority, RegulatoryDetail, RegulatoryReport, Route, Timing, Transfer,
    TransferDetails,
};

objects! {
    /// A payment to one payee.
    Transfer as "Transfer" {
        route: flat(Route);
        /// The amount; of a schedule, that of the first payment and, by default, of the others.
        amount: required(FormOf<Amount>, "InstructedAmount");
        timing: flat(Timing);
        /// Its parties, purposes and reports, if it names any.
        details: optional(Boxed<FormOf<TransferDetails>>, "Details");
    }

    /// An international payment, or one in a foreign currency, without its amount and timing.
    International as "International" {
        credit: flat(CreditorDetails);
        /// The payee's name, if it differs from the account name, at most 350 characters.
        payee: optional(BoundedText<350>, "CreditorName");
        /// The creditor agent.
        agent: optional(FormOf<PayeeAgent>, "CreditorAgent");
        /// The currency of transfer.
        transfer: required(FormOf<Currency>, "CurrencyOfTransfer");
        /// The requested exchange rate; standing orders have none.
        exchange: optional(FormOf<ExchangeRateRequest>, "ExchangeRateInformation");
        /// The charge bearer requested.
        bearer: optional(FormOf<ChargeBearer>, "ChargeBearer");
        /// The instruction priority.
        priority: optional(FormOf<Priority>, "InstructionPriority");
        /// The destination country, two letters of ISO 3166.
        destination: optional(BoundedText<2>, "DestinationCountryCode");
        /// The purpose code, at most 4 characters.
        purpose: optional(BoundedText<4>, "Purpose");
        /// The extended purpose, at most 140 characters.
        purpose_in_words: optional(BoundedText<140>, "ExtendedPurpose");
    }

    /// The parties, purposes and reports of a payment; nearly all of them are members of v4.0 alone. The bank receives them with the payment.
    TransferDetails as "TransferDetails" {
        /// The creditor agent of a domestic payment; that of an international one is among its own members.
        agent: optional(FormOf<PayeeAgent>, "CreditorAgent");
        /// The legal entity identifier of the payee, 20 characters.
        creditor_lei: optional(Lei, "CreditorLEI");
        /// On whose behalf the payee receives it.
        ultimate_creditor: optional(FormOf<UltimateParty>, "UltimateCreditor");
        /// On whose behalf it is made.
        ultimate_debtor: optional(FormOf<UltimateParty>, "UltimateDebtor");
        /// Its purpose (`OBExternalPurpose1Code`).
        purpose: optional(FourCharacters, "PaymentPurposeCode");
        /// The category of its purpose (`ExternalCategoryPurpose1Code`).
        category_purpose: optional(CodeIn<CategoryPurposes>, "CategoryPurposeCode");
        /// The reports that authorities ask for, at most ten.
        regulatory_reporting: list(FormOf<RegulatoryReport>, "RegulatoryReporting");
        /// What is agreed with the mandate of a standing order.
        mandate: optional(FormOf<MandateTerms>, "Mandate");
    }

    /// A report for an authority.
    RegulatoryReport as "RegulatoryReport" {
        /// Whether it is for the debit, the credit or both: `DEBT`, `CRED` or `BOTH`.
        indicator: optional(FourCharacters, "DebitCreditReportingIndicator");
        /// The name of the authority, at most 140 characters.
        authority: optional(BoundedText<140>, "AuthorityName");
        /// The country of the authority, two letters of ISO 3166.
        authority_country: optional(BoundedText<2>, "AuthorityCountryCode");
        /// What is reported.
        details: list(FormOf<RegulatoryDetail>, "Detail");
    }

    /// An entry of a report.
    RegulatoryDetail as "RegulatoryDetail" {
        /// Its type, at most 35 characters.
        kind: optional(BoundedText<35>, "Type");
        /// Its date.
        dated_at: optional(FormOf<Timestamp>, "DateTime");
        /// The country, two letters of ISO 3166.
        country: optional(BoundedText<2>, "Country");
        /// The amount.
        amount: optional(FormOf<Amount>, "Amount");
        /// Texts, each at most 35 characters.
        information: list(BoundedText<35>, "Information");
    }
}

choices! {
    /// The destination of a payment.
    Route as "Route" of Route {
        /// The payee of a domestic payment.
        Domestic(FormOf<CreditorDetails>, "Domestic");
        /// The payee of an international payment, or of one in a foreign currency, with what only such a payment has.
        International(Boxed<FormOf<International>>, "International");
    }
}
