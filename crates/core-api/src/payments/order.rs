//! The forms of orders and of the accounts from which payments can be made.

use crate::form::shape::{FormOf, ObjectOf};
use crate::form::values::{AsciiKey, BoundedText};
use crate::objects;
use crate::records::FullAccount;
use jiff::Timestamp;
use lombard_domain::money::SignedAmount;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::transfer::{PaymentConditions, Transfer};
use lombard_ports::bank::{CallContext, CoreState, Payer, PaymentOrder, SubmittedOrder};

objects! {
    /// An account from which payments can be made.
    Payer as "Payer" {
        /// The account.
        account: required(ObjectOf<FullAccount>, "Account");
        /// The account holder's name, as shown to payees.
        holder: required(BoundedText<350>, "Name");
        /// The amount available for payments: reservations deducted, the credit line included.
        available: required(FormOf<SignedAmount>, "Available");
        /// The number of PSUs who must authorise a payment, at least one.
        authorisers: required(FormOf<u16>, "Authorisers");
        /// The PSUs who may authorise.
        signatories: list(AsciiKey<128>, "Signatory");
    }

    /// A payment as it is ordered. Its fields do not change afterwards, except the conditions, which the bank updates by status updates.
    PaymentOrder as "PaymentOrder" {
        /// The order's id. Each payment of a file is an order of its own: the id of the file's order, a slash and six digits.
        id: required(AsciiKey<128>, "OrderId");
        /// Its product.
        product: required(FormOf<PaymentProduct>, "Product");
        /// The payment.
        transfer: required(FormOf<Transfer>, "Payment");
        /// The debtor account.
        debtor: required(AsciiKey<40>, "DebtorAccountId");
        /// The conditions that the core stated before.
        conditions: required(FormOf<PaymentConditions>, "Conditions");
        /// When it was created, by the bank's clock.
        created_at: required(FormOf<Timestamp>, "CreationDateTime");
        /// What it is ordered for; a request holds orders of many TPPs.
        call: required(FormOf<CallContext>, "Context");
        /// What the core set on the order when it was submitted before.
        core_state: optional(FormOf<CoreState>, "CoreState");
    }

    /// An order that the core has taken.
    SubmittedOrder as "SubmittedOrder" {
        /// The order's id.
        id: required(AsciiKey<128>, "OrderId");
        /// What the core sets on it: a text that comes back unchanged. Without it, what was set before stays.
        core_state: optional(FormOf<CoreState>, "CoreState");
    }
}
