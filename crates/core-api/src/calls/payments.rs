//! The methods that concern payments.

use super::answers::{Answer, EmptyAnswer, OptionalRecord, RecordList, SingleRecord};
use super::filters::Acknowledged;
use super::table::{calls, kinds};
use crate::form::shape::{FormOf, ObjectOf};
use crate::form::values::{AsciiKey, BoundedText};
use crate::payments::AccountWithName;
use lombard_domain::account::AccountIdentification;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::payment::order::{PayeeConfirmation, PaymentConsentRequest};
use lombard_domain::payment::transfer::{NamedAccount, PaymentConditions};
use lombard_ports::bank::{OrderStanding, OrdersReceived, Payer, PaymentOrder, StatusUpdate, SubmittedOrder};

kinds! {
    ConditionsKind: PaymentConditions, FormOf<PaymentConditions>, "Conditions", "The conditions.";
    QuoteKind: Quote, FormOf<Quote>, "Quote", "The rate that the bank quotes.";
    AgreementKind: bool, FormOf<bool>, "Agreed", "Whether the rate was agreed with the customer.";
    PriceKind: ConversionRate, FormOf<ConversionRate>, "ExchangeRate", "The price of one unit of the first currency.";
    ConfirmationKind: PayeeConfirmation, FormOf<PayeeConfirmation>, "Confirmation", "What the payee's bank says.";
    PayerKind: Payer, FormOf<Payer>, "Payer", "The accounts that can pay.";
    SubmittedKind: SubmittedOrder, FormOf<SubmittedOrder>, "Order", "The orders that the core has taken.";
    UpdateKind: StatusUpdate, FormOf<StatusUpdate>, "StatusUpdate", "The updates.";
    StandingKind: OrderStanding, FormOf<OrderStanding>, "Standing", "The orders, and how they stand.";
}

calls! {
    /// The conditions of a payment that is requested now: charges, cut-off and expected times. The exchange rate is asked for by
    /// quote-rate.
    QuoteConditions "quote-conditions" for quote_conditions, Reads, 5, "" {
        /// What the payment consent asks for.
        terms: PaymentConsentRequest, flat(PaymentConsentRequest);
    } -> Answer<SingleRecord<ConditionsKind>>

    /// The rate for an exchange that is requested now, with its expiry; without one if the bank has none.
    QuoteRate "quote-rate" for quote_rate, Reads, 5, "" {
        /// The rate that the TPP asks for.
        rate_request: ExchangeRateRequest, flat(ExchangeRateRequest);
        /// The currency of transfer.
        transfer: Currency, required(FormOf<Currency>, "CurrencyOfTransfer");
    } -> Answer<OptionalRecord<QuoteKind>>

    /// Whether a rate was agreed with this customer; no other customer may pay at it.
    HasAgreedRate "agreed-rate" for has_agreed_rate, Reads, 5, "" {
        /// The customer.
        psu: PsuId, required(BoundedText<255>, "PSU");
        /// The rate and its contract.
        deal: AgreedRate, flat(AgreedRate);
    } -> Answer<SingleRecord<AgreementKind>>

    /// The bank's present price for an exchange, in units of the currency of transfer for one unit of the unit currency; without one for
    /// currencies that the bank does not exchange.
    QuoteExchangePrice "exchange-price" for quote_exchange_price, Reads, 5, "" {
        /// The currencies.
        pair: CurrencyPair, flat(CurrencyPair);
    } -> Answer<OptionalRecord<PriceKind>>

    /// The accounts from which a customer may pay: open, and of a kind that allows payments.
    ListPayers "payers" for list_payers, Reads, 5, "The accounts come by id." {
        /// The customer.
        psu: PsuId, required(BoundedText<255>, "PSU");
    } -> Answer<RecordList<PayerKind>>

    /// An account as a payer; without one if the account is unknown, not open, or of a kind that does not allow payments.
    FindPayer "payer" for find_payer, Reads, 5, "" {
        /// The account.
        account: BankAccountId, required(AsciiKey<40>, "AccountId");
    } -> Answer<OptionalRecord<PayerKind>>

    /// An account as a payer, by one of its numbers; otherwise as payer.
    FindPayerByNumber "payer-by-number" for find_payer_by_number, Reads, 5, "" {
        /// The number.
        number: AccountIdentification, flat(AccountIdentification);
    } -> Answer<OptionalRecord<PayerKind>>

    /// Confirmation of Payee: whether the payee's name is that of the account, as the payee's bank says. It is asked when a customer is about
    /// to decide on a payment, and shown to that customer only; no TPP is told. A core that asks no other bank answers Unavailable with
    /// NotOffered, as a core does that has no such method. A customer does not wait longer than the deadline: then the name could not be
    /// checked.
    ConfirmPayee "confirm-payee" for confirm_payee, Reads, 3, "" {
        /// The payee's account, with the name that is checked.
        payee: NamedAccount, required(AccountWithName, "CreditorAccount");
    } -> Answer<SingleRecord<ConfirmationKind>>

    /// Submits orders. The core is responsible for an order from its answer on, and reports everything about it, a rejection included, by
    /// status updates. An order is taken once, by its id; an order that is submitted again is answered like the first time. An order is
    /// refused by a status update, never by an error.
    Submit "submit" for submit_orders, Idempotent, 30, "The orders of the answer come in the sequence of the request." {
        /// The orders.
        orders: Vec<PaymentOrder>, list(FormOf<PaymentOrder>, "Order");
    } -> Answer<RecordList<SubmittedKind>>

    /// The status updates that are not acknowledged. An update is answered again until it is acknowledged.
    FetchStatusUpdates "status-updates" for fetch_status_updates, Reads, 15,
    "The oldest update comes first; those of one order always come in the sequence of their numbers, which begin with 1 and have no gaps." {
        /// The largest number of updates in the answer.
        limit: u32, required(FormOf<u32>, "Limit");
        /// Orders whose updates are left out of the answer: the server cannot apply them, and an operator has been told.
        except: Vec<OrderId>, list(AsciiKey<128>, "ExceptOrderId");
    } -> Answer<RecordList<UpdateKind>>

    /// Acknowledges the status updates of orders up to a number each. Acknowledged updates are not answered again. An unknown order, or a
    /// number that is acknowledged already, is no error.
    AcknowledgeUpdates "acknowledge-status-updates" for acknowledge_updates, Idempotent, 15, "" {
        /// The orders with their numbers.
        acknowledged: Vec<(OrderId, u32)>, list(ObjectOf<Acknowledged>, "Acknowledged");
    } -> Answer<EmptyAnswer>

    /// How orders stand. Orders that the core does not hold are left out of the answer. The server asks after a restore of either database,
    /// and about orders that do not move; a core without this method works, but nobody can reconcile it.
    FindOrders "orders" for find_orders, Reads, 15, "The orders come in the sequence of the request." {
        /// The orders; at most 500.
        ids: Vec<OrderId>, list(AsciiKey<128>, "OrderId");
    } -> Answer<RecordList<StandingKind>>

    /// The orders that the core received since a time. The server asks after a restore of its database, to find the orders that only the core
    /// knows.
    ListOrders "orders-received" for list_orders, Reads, 30, "By the time at which the core received them, then by id." {
        /// The part of the list.
        asked: OrdersReceived, flat(OrdersReceived);
    } -> Answer<RecordList<StandingKind>>
}
