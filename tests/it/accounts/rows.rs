//! The rules of each account information endpoint as a table, which the tests of this folder use.

/// What a row's good answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A consent, for the TPP itself.
    Consent,
    /// An array at this member of `Data`.
    List(&'static str),
    /// `Data.Party`, an object.
    Party,
    /// A file.
    File,
}

/// What the rules say of an endpoint. Source: T6, T7.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// Its name in the standard.
    pub(super) name: &'static str,
    /// What its good answer is.
    pub(super) form: Form,
    /// The permissions that open it with as little as there is.
    pub(super) basic: &'static [&'static str],
    /// The permissions that open it in full.
    pub(super) detail: &'static [&'static str],
    /// Members that only Detail shows.
    pub(super) hidden: &'static [&'static str],
    /// Of those, what every record must have with Detail. Source: AIS-051.
    pub(super) must: &'static [&'static str],
}

const AGENT_AND_ACCOUNT: &[&str] = &["CreditorAgent", "CreditorAccount"];
const ACCOUNT: &[&str] = &["CreditorAccount"];
const OTHER_SIDE: &[&str] = &[
    "TransactionInformation",
    "Balance",
    "MerchantDetails",
    "CreditorAgent",
    "CreditorAccount",
    "DebtorAgent",
    "DebtorAccount",
    "UltimateCreditor",
    "UltimateDebtor",
    "IntermediaryAgent1",
    "IntermediaryAgent2",
    "IntermediaryAgent3",
];
const ENTRIES_BASIC: &[&str] = &["ReadTransactionsBasic", "ReadTransactionsCredits", "ReadTransactionsDebits"];
const ENTRIES_DETAIL: &[&str] = &["ReadTransactionsDetail", "ReadTransactionsCredits", "ReadTransactionsDebits"];

impl Rule {
    /// The permissions that open it in any way.
    pub(super) fn opened_by(&self) -> Vec<&'static str> {
        self.basic.iter().chain(self.detail).copied().collect()
    }

    const fn consent(name: &'static str) -> Self {
        Self { name, form: Form::Consent, basic: &[], detail: &[], hidden: &[], must: &[] }
    }

    const fn entries(name: &'static str) -> Self {
        let form = Form::List("Transaction");
        Self { name, form, basic: ENTRIES_BASIC, detail: ENTRIES_DETAIL, hidden: OTHER_SIDE, must: &[] }
    }

    const fn whole(name: &'static str, form: Form, permission: &'static [&'static str]) -> Self {
        Self { name, form, basic: permission, detail: permission, hidden: &[], must: &[] }
    }
}

/// Every endpoint of account information.
#[rustfmt::skip]
pub(super) const RULES: [Rule; 29] = [
    Rule::consent("CreateAccountAccessConsents"),
    Rule::consent("GetAccountAccessConsentsConsentId"),
    Rule::consent("DeleteAccountAccessConsentsConsentId"),
    accounts("GetAccounts"),
    accounts("GetAccountsAccountId"),
    Rule::whole("GetAccountsAccountIdBalances", Form::List("Balance"), &["ReadBalances"]),
    Rule::whole("GetBalances", Form::List("Balance"), &["ReadBalances"]),
    Rule::entries("GetAccountsAccountIdTransactions"),
    Rule::entries("GetTransactions"),
    Rule::entries("GetAccountsAccountIdStatementsStatementIdTransactions"),
    payees("GetAccountsAccountIdBeneficiaries"),
    payees("GetBeneficiaries"),
    Rule::whole("GetAccountsAccountIdDirectDebits", Form::List("DirectDebit"), &["ReadDirectDebits"]),
    Rule::whole("GetDirectDebits", Form::List("DirectDebit"), &["ReadDirectDebits"]),
    standing_orders("GetAccountsAccountIdStandingOrders"),
    standing_orders("GetStandingOrders"),
    Rule::whole("GetAccountsAccountIdProduct", Form::List("Product"), &["ReadProducts"]),
    Rule::whole("GetProducts", Form::List("Product"), &["ReadProducts"]),
    Rule::whole("GetAccountsAccountIdOffers", Form::List("Offer"), &["ReadOffers"]),
    Rule::whole("GetOffers", Form::List("Offer"), &["ReadOffers"]),
    Rule::whole("GetAccountsAccountIdParties", Form::List("Party"), &["ReadParty"]),
    Rule::whole("GetAccountsAccountIdParty", Form::Party, &["ReadParty"]),
    Rule::whole("GetParty", Form::Party, &["ReadPartyPSU"]),
    scheduled_payments("GetAccountsAccountIdScheduledPayments"),
    scheduled_payments("GetScheduledPayments"),
    statements("GetAccountsAccountIdStatements"),
    statements("GetAccountsAccountIdStatementsStatementId"),
    statements("GetStatements"),
    Rule::whole("GetAccountsAccountIdStatementsStatementIdFile", Form::File, &["ReadStatementsDetail"]),
];

const fn accounts(name: &'static str) -> Rule {
    let basic = &["ReadAccountsBasic"];
    let detail = &["ReadAccountsDetail"];
    let hidden = &["Account", "Servicer", "StatementFrequencyAndFormat"];
    Rule { name, form: Form::List("Account"), basic, detail, hidden, must: &["Account"] }
}

const fn payees(name: &'static str) -> Rule {
    let basic = &["ReadBeneficiariesBasic"];
    let detail = &["ReadBeneficiariesDetail"];
    Rule { name, form: Form::List("Beneficiary"), basic, detail, hidden: AGENT_AND_ACCOUNT, must: ACCOUNT }
}

const fn standing_orders(name: &'static str) -> Rule {
    let basic = &["ReadStandingOrdersBasic"];
    let detail = &["ReadStandingOrdersDetail"];
    Rule { name, form: Form::List("StandingOrder"), basic, detail, hidden: AGENT_AND_ACCOUNT, must: ACCOUNT }
}

const fn scheduled_payments(name: &'static str) -> Rule {
    let basic = &["ReadScheduledPaymentsBasic"];
    let detail = &["ReadScheduledPaymentsDetail"];
    Rule { name, form: Form::List("ScheduledPayment"), basic, detail, hidden: AGENT_AND_ACCOUNT, must: ACCOUNT }
}

const fn statements(name: &'static str) -> Rule {
    let basic = &["ReadStatementsBasic"];
    let detail = &["ReadStatementsDetail"];
    let hidden = &["StatementAmount"];
    Rule { name, form: Form::List("Statement"), basic, detail, hidden, must: hidden }
}
