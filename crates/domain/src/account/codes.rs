//! The stored codes of the enumerations of accounts, their entries, arrangements, parties and statements.

use super::{
    AccountRole, AccountScheme, AccountStatus, AccountSubType, AccountType, AddressType, ArrangementStatus,
    BalanceType, BeneficiaryType, CardAuthorisation, CardScheme, DirectDebitFrequency, EntryStatus, FeeFrequency,
    FeeRateType, InterestFrequency, InterestRateType, LegalStructure, Mutability, OfferType, PartyType, ScheduledType,
    StatementAmountType, StatementBenefitType, StatementDateType, StatementFeeType, StatementInterestType,
    StatementRateType, StatementType, StatementValueType, SwitchStatus,
};
use crate::code::document_codes;

document_codes! {
    AccountStatus {
        Enabled = "enabled", Disabled = "disabled", Deleted = "deleted", ProForma = "pro-forma", Pending = "pending",
    }
    AccountType { Business = "business", Personal = "personal", }
    AccountSubType {
        ChargeCard = "charge-card", CreditCard = "credit-card", CurrentAccount = "current-account",
        EMoney = "e-money", Loan = "loan", Mortgage = "mortgage", PrePaidCard = "pre-paid-card", Savings = "savings",
    }
    SwitchStatus { NotSwitched = "not-switched", SwitchCompleted = "switch-completed", }
    AccountScheme {
        Bban = "bban", Iban = "iban", Pan = "pan", Paym = "paym", SortCodeAccountNumber = "sort-code-account-number",
        Wallet = "wallet",
    }
    BalanceType {
        ClosingAvailable = "closing-available", ClosingBooked = "closing-booked", Expected = "expected",
        ForwardAvailable = "forward-available", Information = "information", InterimAvailable = "interim-available",
        InterimBooked = "interim-booked", OpeningAvailable = "opening-available", OpeningBooked = "opening-booked",
        PreviouslyClosedBooked = "previously-closed-booked",
    }
    EntryStatus {
        Booked = "booked", Pending = "pending", Rejected = "rejected", Future = "future", Information = "information",
    }
    Mutability { Mutable = "mutable", Immutable = "immutable", }
    CardScheme {
        AmericanExpress = "american-express", Diners = "diners", Discover = "discover", MasterCard = "master-card",
        Visa = "visa",
    }
    CardAuthorisation {
        ConsumerDevice = "consumer-device", Contactless = "contactless", None = "none", Pin = "pin",
    }
    AddressType {
        Business = "business", Correspondence = "correspondence", DeliveryTo = "delivery-to", MailTo = "mail-to",
        PoBox = "po-box", Postal = "postal", Residential = "residential", Statement = "statement",
    }
    BeneficiaryType {
        Trusted = "trusted", Ordinary = "ordinary",
    }
    ArrangementStatus {
        Active = "active", Inactive = "inactive", Suspended = "suspended", Expired = "expired",
    }
    DirectDebitFrequency {
        Annual = "annual", Daily = "daily", Fortnightly = "fortnightly", HalfYearly = "half-yearly",
        Monthly = "monthly", NotKnown = "not-known", Quarterly = "quarterly", Weekly = "weekly",
    }
    ScheduledType {
        Arrival = "arrival", Execution = "execution",
    }
    OfferType {
        BalanceTransfer = "balance-transfer", LimitIncrease = "limit-increase", MoneyTransfer = "money-transfer",
        Other = "other", PromotionalRate = "promotional-rate",
    }
    PartyType {
        Delegate = "delegate", Joint = "joint", Sole = "sole",
    }
    AccountRole {
        Administrator = "administrator", Beneficiary = "beneficiary", CustodianForMinor = "custodian-for-minor",
        Granter = "granter", LegalGuardian = "legal-guardian", OtherParty = "other-party",
        PowerOfAttorney = "power-of-attorney", Principal = "principal", Protector = "protector",
        RegisteredShareholderName = "registered-shareholder-name", SecondaryOwner = "secondary-owner",
        SeniorManagingOfficial = "senior-managing-official", Settlor = "settlor",
        SuccessorOnDeath = "successor-on-death",
    }
    LegalStructure {
        CommunityInterestCompany = "community-interest-company",
        CharitableIncorporatedOrganisation = "charitable-incorporated-organisation", Charity = "charity",
        CoOperative = "co-operative", GeneralPartnership = "general-partnership", Individual = "individual",
        LimitedLiabilityPartnership = "limited-liability-partnership", LimitedPartnership = "limited-partnership",
        PrivateLimitedCompany = "private-limited-company", PublicLimitedCompany = "public-limited-company",
        ScottishLimitedPartnership = "scottish-limited-partnership", SoleTrader = "sole-trader",
    }
    StatementType {
        AccountClosure = "account-closure", AccountOpening = "account-opening", Annual = "annual",
        Interim = "interim", RegularPeriodic = "regular-periodic",
    }
    StatementAmountType {
        ArrearsClosingBalance = "arrears-closing-balance", AvailableBalance = "available-balance",
        AverageBalanceWhenInCredit = "average-balance-when-in-credit",
        AverageBalanceWhenInDebit = "average-balance-when-in-debit", AverageDailyBalance = "average-daily-balance",
        BalanceTransferClosingBalance = "balance-transfer-closing-balance",
        CashClosingBalance = "cash-closing-balance", ClosingBalance = "closing-balance", CreditLimit = "credit-limit",
        CurrentPayment = "current-payment", DirectDebitPaymentDue = "direct-debit-payment-due",
        FscsInsurance = "fscs-insurance", MinimumPaymentDue = "minimum-payment-due",
        PendingTransactionsBalance = "pending-transactions-balance",
        PreviousClosingBalance = "previous-closing-balance", PreviousPayment = "previous-payment",
        PurchaseClosingBalance = "purchase-closing-balance", StartingBalance = "starting-balance",
        TotalAdjustments = "total-adjustments", TotalCashAdvances = "total-cash-advances",
        TotalCharges = "total-charges", TotalCredits = "total-credits", TotalDebits = "total-debits",
        TotalPurchases = "total-purchases",
    }
    StatementBenefitType {
        Cashback = "cashback", Insurance = "insurance", TravelDiscount = "travel-discount",
        TravelInsurance = "travel-insurance",
    }
    StatementFeeType {
        Annual = "annual", BalanceTransfer = "balance-transfer", CashAdvance = "cash-advance",
        CashTransaction = "cash-transaction", ForeignCashTransaction = "foreign-cash-transaction",
        ForeignTransaction = "foreign-transaction", Gambling = "gambling", LatePayment = "late-payment",
        MoneyTransfer = "money-transfer", Monthly = "monthly", Overlimit = "overlimit", PostalOrder = "postal-order",
        PrizeEntry = "prize-entry", StatementCopy = "statement-copy", Total = "total",
        InstalmentPlan = "instalment-plan", ReturnedPayment = "returned-payment",
    }
    StatementInterestType {
        BalanceTransfer = "balance-transfer", Cash = "cash", EstimatedNext = "estimated-next", Purchase = "purchase",
        InstalmentPlan = "instalment-plan", MoneyTransfer = "money-transfer",
        Total = "total",
    }
    StatementRateType {
        AnnualBalanceTransfer = "annual-balance-transfer",
        AnnualBalanceTransferAfterPromo = "annual-balance-transfer-after-promo",
        AnnualBalanceTransferPromo = "annual-balance-transfer-promo", AnnualCash = "annual-cash",
        AnnualPurchase = "annual-purchase", AnnualPurchaseAfterPromo = "annual-purchase-after-promo",
        AnnualPurchasePromo = "annual-purchase-promo", MonthlyBalanceTransfer = "monthly-balance-transfer",
        MonthlyCash = "monthly-cash", MonthlyPurchase = "monthly-purchase",
    }
    StatementDateType {
        BalanceTransferPromoEnd = "balance-transfer-promo-end", DirectDebitDue = "direct-debit-due",
        LastPayment = "last-payment", LastStatement = "last-statement", NextStatement = "next-statement",
        PaymentDue = "payment-due", PurchasePromoEnd = "purchase-promo-end",
        StatementAvailable = "statement-available",
    }
    StatementValueType {
        AirMilesPoints = "air-miles-points", AirMilesPointsBalance = "air-miles-points-balance", Credits = "credits",
        Debits = "debits", HotelPoints = "hotel-points", HotelPointsBalance = "hotel-points-balance",
        RetailShoppingPoints = "retail-shopping-points",
        RetailShoppingPointsBalance = "retail-shopping-points-balance",
    }
    FeeRateType {
        Aer = "aer", Ear = "ear",
    }
    FeeFrequency {
        ChargingPeriod = "charging-period", PerTransactionAmount = "per-transaction-amount",
        PerTransactionPercentage = "per-transaction-percentage", Quarterly = "quarterly",
        StatementMonthly = "statement-monthly", Weekly = "weekly",
    }
    InterestRateType {
        BoeBaseRate = "boe-base-rate", FixedRate = "fixed-rate", Gross = "gross",
        LoanProviderBaseRate = "loan-provider-base-rate", Net = "net",
    }
    InterestFrequency {
        Daily = "daily", HalfYearly = "half-yearly", Monthly = "monthly", PerStatementDate = "per-statement-date",
        Quarterly = "quarterly", Weekly = "weekly", Yearly = "yearly",
    }
}
