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
        amount: needed(FormOf<Amount>, "InstructedAmount");
        timing: flat(Timing);
        /// Its parties, purposes and reports, if it names any.
        details: maybe(Boxed<FormOf<TransferDetails>>, "Details");
    }

    /// An international payment, or one in a foreign currency, without its amount and timing.
    International as "International" {
        credit: flat(CreditorDetails);
        /// The payee's name, if it differs from the account name, at most 350 characters.
        payee: maybe(BoundedText<350>, "CreditorName");
        /// The creditor agent.
        agent: maybe(FormOf<PayeeAgent>, "CreditorAgent");
        /// The currency of transfer.
        transfer: needed(FormOf<Currency>, "CurrencyOfTransfer");
        /// The requested exchange rate; standing orders have none.
        exchange: maybe(FormOf<ExchangeRateRequest>, "ExchangeRateInformation");
        /// The charge bearer requested.
        bearer: maybe(FormOf<ChargeBearer>, "ChargeBearer");
        /// The instruction priority.
        priority: maybe(FormOf<Priority>, "InstructionPriority");
        /// The destination country, two letters of ISO 3166.
        destination: maybe(BoundedText<2>, "DestinationCountryCode");
        /// The purpose code, at most 4 characters.
        purpose: maybe(BoundedText<4>, "Purpose");
        /// The extended purpose, at most 140 characters.
        purpose_in_words: maybe(BoundedText<140>, "ExtendedPurpose");
    }

    /// The parties, purposes and reports of a payment; nearly all of them are members of v4.0 alone. The bank receives them with the payment.
    TransferDetails as "TransferDetails" {
        /// The creditor agent of a domestic payment; that of an international one is among its own members.
        agent: maybe(FormOf<PayeeAgent>, "CreditorAgent");
        /// The legal entity identifier of the payee, 20 characters.
        creditor_lei: maybe(Lei, "CreditorLEI");
        /// On whose behalf the payee receives it.
        ultimate_creditor: maybe(FormOf<UltimateParty>, "UltimateCreditor");
        /// On whose behalf it is made.
        ultimate_debtor: maybe(FormOf<UltimateParty>, "UltimateDebtor");
        /// Its purpose (`OBExternalPurpose1Code`).
        purpose: maybe(FourCharacters, "PaymentPurposeCode");
        /// The category of its purpose (`ExternalCategoryPurpose1Code`).
        category_purpose: maybe(CodeIn<CategoryPurposes>, "CategoryPurposeCode");
        /// The reports that authorities ask for, at most ten.
        regulatory_reporting: list(FormOf<RegulatoryReport>, "RegulatoryReporting");
        /// What is agreed with the mandate of a standing order.
        mandate: maybe(FormOf<MandateTerms>, "Mandate");
    }

    /// A report for an authority.
    RegulatoryReport as "RegulatoryReport" {
        /// Whether it is for the debit, the credit or both: `DEBT`, `CRED` or `BOTH`.
        indicator: maybe(FourCharacters, "DebitCreditReportingIndicator");
        /// The name of the authority, at most 140 characters.
        authority: maybe(BoundedText<140>, "AuthorityName");
        /// The country of the authority, two letters of ISO 3166.
        authority_country: maybe(BoundedText<2>, "AuthorityCountryCode");
        /// What is reported.
        details: list(FormOf<RegulatoryDetail>, "Detail");
    }

    /// An entry of a report.
    RegulatoryDetail as "RegulatoryDetail" {
        /// Its type, at most 35 characters.
        kind: maybe(BoundedText<35>, "Type");
        /// Its date.
        dated_at: maybe(FormOf<Timestamp>, "DateTime");
        /// The country, two letters of ISO 3166.
        country: maybe(BoundedText<2>, "Country");
        /// The amount.
        amount: maybe(FormOf<Amount>, "Amount");
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
