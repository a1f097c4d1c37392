//! The fields to which domain rules refer, independent of the JSON of a version.

/// The fields to which domain rules refer; each wire version has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The permissions of an account-access consent.
    Permissions,
    /// The expiration of a consent.
    ConsentExpiration,
    /// The first booking time an account-access consent covers.
    TransactionFrom,
    /// The last booking time an account-access consent covers.
    TransactionTo,
    /// The deadline for the authorisation of a payment.
    AuthorisationCompletion,
    /// The requested authorisation type of a payment.
    AuthorisationType,
    /// The consent a request names.
    ConsentId,
    /// The status of a consent.
    ConsentStatus,
    /// The cut-off of a payment.
    CutOff,
    /// The debtor account.
    DebtorAccount,
    /// The debtor account's scheme.
    DebtorScheme,
    /// The debtor account's number.
    DebtorIdentification,
    /// The debtor account's roll number.
    DebtorSecondary,
    /// The scheme of the account of a funds confirmation.
    FundsScheme,
    /// The number of that account.
    FundsIdentification,
    /// The roll number of that account.
    FundsSecondary,
    /// The reference of a funds confirmation request.
    FundsReference,
    /// The currency of a funds confirmation request.
    FundsCurrency,
    /// The creditor account.
    CreditorAccount,
    /// The creditor account's scheme.
    CreditorScheme,
    /// The creditor account's number.
    CreditorIdentification,
    /// The creditor account's roll number.
    CreditorSecondary,
    /// The creditor's name.
    CreditorName,
    /// The creditor's postal address.
    CreditorAddress,
    /// Whether orders show the account for refunds.
    ReadRefundAccount,
    /// The end-to-end identification of a payment.
    EndToEnd,
    /// The remittance reference of a payment.
    RemittanceReference,
    /// The unstructured remittance message of a payment.
    RemittanceMessage,
    /// The reference of a standing order.
    StandingOrderReference,
    /// The local instrument of a payment.
    LocalInstrument,
    /// The amount of a payment.
    InstructedAmount,
    /// The currency of that amount.
    InstructedCurrency,
    /// The requested execution day of a payment.
    RequestedExecution,
    /// The frequency of a standing order.
    Frequency,
    /// The day of a standing order's first payment.
    FirstPayment,
    /// The day of a standing order's second payment.
    RecurringPayment,
    /// The day of a standing order's last payment.
    FinalPayment,
    /// The amount of a standing order's first payment.
    FirstAmount,
    /// The currency of the first payment.
    FirstCurrency,
    /// The amount of the payments between the first and the last.
    RecurringAmount,
    /// The currency of those payments.
    RecurringCurrency,
    /// The amount and currency of a standing order's last payment.
    FinalMoney,
    /// The amount of the last payment.
    FinalAmount,
    /// The currency of the last payment.
    FinalCurrency,
    /// The payment context code.
    PaymentRisk,
    /// Another member of the risk block.
    Risk(RiskField),
    /// The first day of payments under a VRP consent.
    ValidFrom,
    /// The last day of payments under a VRP consent.
    ValidTo,
    /// The maximum individual amount of a VRP consent.
    IndividualAmount,
    /// The currency of the maximum individual amount.
    IndividualCurrency,
    /// The periodic limits of a VRP consent.
    PeriodicLimits,
    /// The amount of a periodic limit, by its index from 0.
    PeriodicAmount(usize),
    /// The currency of a periodic limit, by its index from 0.
    PeriodicCurrency(usize),
    /// The VRP types of a VRP consent.
    VrpTypes,
    /// The PSU authentication methods of a VRP consent.
    AuthenticationMethods,
    /// The PSU interaction types of a VRP consent.
    InteractionTypes,
    /// The PSU interaction type of a VRP payment.
    VrpInteraction,
    /// The creditor account of a VRP payment.
    VrpCreditor,
    /// The remittance reference of a VRP payment.
    VrpReference,
    /// The reference of a VRP funds confirmation request.
    VrpFundsReference,
    /// A field of foreign exchange.
    Exchange(ExchangeField),
    /// A member of a payment file's announcement.
    File(FileField),
}

/// The members of the risk block that commercial VRP may require. Source: CVRP-005.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RiskField {
    /// The merchant category code.
    MerchantCategory,
    /// The merchant's id of its customer.
    MerchantCustomer,
    /// Whether there is a contract.
    ContractPresent,
    /// Whether the payee's details were filled in for the customer.
    Prepopulated,
    /// The payment purpose code.
    Purpose,
    /// The category purpose code.
    CategoryPurpose,
}

/// The fields to which the exchange rules refer; each wire version has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExchangeField {
    /// The amount of the payment.
    InstructedAmount,
    /// Its currency.
    InstructedCurrency,
    /// The currency of transfer.
    TransferCurrency,
    /// The unit currency: the debtor's currency as the TPP names it.
    UnitCurrency,
    /// The kind of rate requested.
    RateType,
    /// The agreed rate.
    Rate,
    /// The contract of the agreed rate.
    Contract,
    /// The expiry of the bank's quote.
    QuoteExpiry,
    /// The charge bearer.
    ChargeBearer,
    /// The payee's bank.
    CreditorAgent,
    /// The code of the payee's bank.
    AgentIdentification,
}

/// The members of a file announcement; each wire version has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileField {
    /// The hash of the file.
    Hash,
    /// The number of transactions.
    Count,
    /// The control sum.
    ControlSum,
    /// The debtor account.
    DebtorAccount,
    /// The requested execution day.
    RequestedExecution,
    /// The local instrument.
    LocalInstrument,
}
