//! The arrangements and products of account holders: lists by account, then id.

use super::{AccountResource, AccountScope, DateFilter, ResourceQuery, redaction};
use lombard_domain::account::{
    AccountIdentification, AccountProduct, Beneficiary, DirectDebit, Offer, ScheduledPayment, StandingOrder,
};
use lombard_domain::consent::{Permission as P, Permissions};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{Bank, BankError, CallContext, ListAnswer, read_list};

/// Declares resources that differ in data alone: name, record, visible form, required permissions, and redaction.
macro_rules! listed {
    ($($(#[$doc:meta])* $name:ident: $item:ty => $seen:ty, $path:literal, [$($opens:ident),+], $redact:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl AccountResource for $name {
            type Item = $item;
            type Seen = $seen;
            const NAME: &'static str = $path;
            const READ: &'static [&'static [P]] = &[&[$(P::$opens),+]];
            const FILTER: DateFilter = DateFilter::None;

            async fn fetch(
                bank: &dyn Bank,
                call: &CallContext,
                scope: &AccountScope<'_>,
                _: &ResourceQuery,
                window: &ListWindow,
            ) -> Result<ListAnswer<Self::Item>, BankError> {
                read_list(bank, call, &scope.bank_ids(), window).await
            }

            fn account(item: &Self::Item) -> &BankAccountId {
                &item.account
            }

            fn redact(item: Self::Item, granted: Permissions) -> Self::Seen {
                $redact(item, granted)
            }
        }
    )+};
}

listed! {
    /// The beneficiaries of accounts. Source: AIS-160.
    Beneficiaries: Beneficiary => Beneficiary<Option<AccountIdentification>>, "beneficiaries",
        [ReadBeneficiariesBasic, ReadBeneficiariesDetail], redaction::beneficiary;
    /// The direct debit mandates on accounts. Source: AIS-170.
    DirectDebits: DirectDebit => DirectDebit, "direct-debits", [ReadDirectDebits], whole;
    /// The standing orders of accounts. Source: AIS-171.
    StandingOrders: StandingOrder => StandingOrder<Option<AccountIdentification>>, "standing-orders",
        [ReadStandingOrdersBasic, ReadStandingOrdersDetail], redaction::standing_order;
    /// The scheduled payments of accounts. Source: AIS-173.
    ScheduledPayments: ScheduledPayment => ScheduledPayment<Option<AccountIdentification>>, "scheduled-payments",
        [ReadScheduledPaymentsBasic, ReadScheduledPaymentsDetail], redaction::scheduled_payment;
    /// The products of accounts, one for each account. Source: AIS-180.
    Products: AccountProduct => AccountProduct, "products", [ReadProducts], whole;
    /// The offers to account holders. Source: AIS-182.
    Offers: Offer => Offer, "offers", [ReadOffers], whole;
}

/// The record unchanged, because one permission discloses all of it. Source: T7.
fn whole<T>(item: T, _: Permissions) -> T {
    item
}
