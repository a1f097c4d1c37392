//! Account information: the rules of every endpoint, and each resource.

mod matrix;
mod paging;
mod products;
mod read;
mod redaction;
mod rows;
mod statements;
mod switched_off;

/// What shows every resource in full.
pub(crate) const ALL: [&str; 15] = [
    "ReadAccountsDetail",
    "ReadBalances",
    "ReadBeneficiariesDetail",
    "ReadDirectDebits",
    "ReadOffers",
    "ReadPAN",
    "ReadParty",
    "ReadPartyPSU",
    "ReadProducts",
    "ReadScheduledPaymentsDetail",
    "ReadStandingOrdersDetail",
    "ReadStatementsDetail",
    "ReadTransactionsCredits",
    "ReadTransactionsDebits",
    "ReadTransactionsDetail",
];
