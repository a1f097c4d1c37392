//! The facts that a check determines about a core before it begins.

use super::options::CheckOptions;
use crate::bank::HttpBank;
use lombard_domain::account::{AccountIdentification, AccountScheme, AccountSubType};
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::money::Amount;
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::payment::transfer::{CreditorDetails, NamedAccount, References, Timing, Transfer};
use lombard_ports::bank::contract::BankFacts;
use lombard_ports::bank::contract::PaymentFacts;
use lombard_ports::bank::{CallContext, PaymentBank, PaymentOrder};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::Entropy;

/// The id of an account that does not exist.
const NO_ACCOUNT: &str = "no-such-account";

/// The facts about accounts: the named customer, a customer and an account that do not exist, and the closed accounts.
pub(super) fn account_facts(options: &CheckOptions) -> BankFacts {
    BankFacts { psu: options.customer.clone(), nobody: "no-such-customer".into(), withheld: withheld(options) }
}

fn withheld(options: &CheckOptions) -> Vec<BankAccountId> {
    let mut withheld = options.closed.clone();
    withheld.push(NO_ACCOUNT.into());
    withheld
}

/// The facts about payments: an order over one currency unit from the customer's first current account that can pay it without further
/// authorisers. `None` if there is no such account.
pub(super) async fn payment_facts(
    bank: &HttpBank,
    options: &CheckOptions,
    clocks: &Clocks,
    entropy: &dyn Entropy,
) -> Option<PaymentFacts> {
    let call = CallContext::default();
    let payers = bank.list_payers(&call, &options.customer).await.ok()?;
    let one = |payer: &lombard_ports::bank::Payer| Amount::parse("1", payer.account.currency).ok();
    let can_pay = |payer: &&lombard_ports::bank::Payer| {
        payer.authorisers == 1 && one(payer).is_some_and(|amount| payer.can_pay(amount))
    };
    // The payee is an account in pounds, because it has a sort code.
    let in_pounds = |payer: &&lombard_ports::bank::Payer| payer.account.currency.code() == "GBP";
    // Cards are skipped: they can pay, but not by these instruments.
    let is_current = |payer: &&lombard_ports::bank::Payer| payer.account.sub_type == AccountSubType::CurrentAccount;
    let payer = payers.iter().filter(in_pounds).filter(is_current).find(can_pay)?;
    let transfer = Transfer::domestic(creditor(&options.payee), one(payer)?, Timing::Immediate);
    let terms = PaymentConsentRequest::new(transfer.clone());
    let mut random = [0; 8];
    entropy.fill_random(&mut random);
    let order = PaymentOrder {
        id: OrderId::from(format!("check-{:016x}", u64::from_be_bytes(random))),
        product: terms.product(),
        conditions: bank.quote_conditions(&call, &terms).await.ok()?,
        transfer,
        debtor: payer.account.id.clone(),
        created_at: clocks.wall_now(),
        call,
        core_state: None,
    };
    Some(PaymentFacts {
        psu: options.customer.clone(),
        withheld: withheld(options),
        terms,
        order,
        rounds_max: options.rounds(),
    })
}

fn creditor(number: &str) -> CreditorDetails {
    let account = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number);
    CreditorDetails {
        references: References { reference: Some("CHECK".to_owned()), ..References::default() },
        ..CreditorDetails::new(NamedAccount::under_name(account, "Connector check".to_owned()))
    }
}
