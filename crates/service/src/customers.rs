//! What operators do with the records of one customer: hold and release, export and erase. The records are those of the server and of the
//! bank's core.

use crate::consents::revoke_consent_by_bank;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::ids::{OrderId, PsuId};
use lombard_domain::retention::CustomerHold;
use lombard_domain::staff::StaffAct;
use lombard_ports::bank::BankError;
use lombard_ports::store::{CustomerRecords, ServerTransaction, Store, StoreError};

/// The most rows of each table in an export.
pub const EXPORTED_ROWS_MAX: u32 = 10_000;

/// The most orders that an erasure names as open.
const OPEN_ORDERS_NAMED: u32 = 5;

/// The number of consents and of orders that are erased in a transaction.
const BATCH: u32 = 50;

/// The most consents that an erasure revokes.
const REVOKED_MAX: u32 = 10_000;

/// Why an operator's act on a customer was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CustomerError {
    /// The customer is on hold.
    #[error("the customer is on hold since {since}: {reason}")]
    OnHold {
        /// Since when.
        since: Timestamp,
        /// Why.
        reason: String,
    },
    /// The customer is not on hold.
    #[error("the customer is not on hold")]
    NotOnHold,
    /// Orders have not ended.
    #[error("these orders have not ended: {}; erase the customer once they have", listed(.0))]
    OpenOrders(Vec<OrderId>),
    /// The core keeps the customer's data, and nothing was erased.
    #[error("the core keeps the customer's data, and nothing is erased: {0}")]
    CoreKeeps(String),
    /// Storage or the core failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

fn listed(orders: &[OrderId]) -> String {
    orders.iter().map(OrderId::as_str).collect::<Vec<_>>().join(", ")
}

impl From<StoreError> for CustomerError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<CustomerHold> for CustomerError {
    fn from(hold: CustomerHold) -> Self {
        Self::OnHold { since: hold.held_at, reason: hold.reason.as_str().to_owned() }
    }
}

/// Places a hold: the customer's records are neither purged nor erased until it is released.
///
/// # Errors
/// [`CustomerError::OnHold`] if there is one; [`CustomerError::Failed`].
pub async fn hold_customer(store: &Store, hold: CustomerHold) -> Result<(), CustomerError> {
    store
        .write(move |tx| {
            if tx.customer_hold_place(&hold)? {
                return Ok(());
            }
            Err(tx.customer_hold(&hold.psu)?.map_or(CustomerError::NotOnHold, CustomerError::from))
        })
        .await
}

/// Releases a hold.
///
/// # Errors
/// [`CustomerError::NotOnHold`]; [`CustomerError::Failed`].
pub async fn release_customer(store: &Store, psu: &PsuId) -> Result<(), CustomerError> {
    let psu = psu.clone();
    let release = move |tx: &mut dyn ServerTransaction| tx.customer_hold_release(&psu);
    if store.write(release).await? { Ok(()) } else { Err(CustomerError::NotOnHold) }
}

/// What the core answered about a customer.
#[derive(Debug, Clone, PartialEq)]
pub enum CoreRecords {
    /// The core holds nothing.
    Nothing,
    /// Its JSON document, which is not checked.
    Document(Vec<u8>),
    /// The core does not export customers: the bank answers for it by itself.
    NotOffered,
}

/// Everything that is held about a customer.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomerExport {
    /// When it was read (wall clock).
    pub exported_at: Timestamp,
    /// The server's rows, by table.
    pub server: Vec<CustomerRecords>,
    /// What the core holds.
    pub core: CoreRecords,
}

/// Exports everything that is held about a customer.
///
/// # Errors
/// [`CustomerError::Failed`] if storage fails, or if the core does not answer.
pub async fn export_customer(context: &Context, psu: &PsuId) -> Result<CustomerExport, CustomerError> {
    let core = match context.bank.export_customer(&context.call, psu).await {
        Ok(None) => CoreRecords::Nothing,
        Ok(Some(document)) => CoreRecords::Document(document),
        Err(BankError::UnknownMethod(_)) => CoreRecords::NotOffered,
        Err(error) => return Err(CustomerError::Failed(error.into())),
    };
    let psu = psu.clone();
    let read = move |tx: &mut dyn ServerTransaction| tx.customer_records(&psu, EXPORTED_ROWS_MAX);
    let server = context.store.read::<_, StoreError, _>(read).await?;
    Ok(CustomerExport { exported_at: context.clocks.wall_now(), server, core })
}

/// An erasure that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerErasure {
    /// The id that stands for the customer in what stays.
    pub pseudonym: PsuId,
    /// The number of consents that were revoked first.
    pub consents_revoked: usize,
    /// The number of the server's rows that were removed or pseudonymised, without those that belong to them.
    pub rows: u64,
    /// Whether the core has erased the customer; `false` if it does not offer it.
    pub is_erased_at_core: bool,
}

/// Erases a customer: first at the core, then the live consents are revoked as an act of `act`, then the server's rows are erased in batches.
/// What the ledger and statistics need stays under a pseudonym. An erasure that failed half-way can be repeated.
///
/// # Errors
/// [`CustomerError`]; nothing is erased unless storage or the core failed.
pub async fn erase_customer(context: &Context, act: &StaffAct, psu: &PsuId) -> Result<CustomerErasure, CustomerError> {
    let asked = psu.clone();
    let check = move |tx: &mut dyn ServerTransaction| {
        require_erasable(tx, &asked)?;
        Ok::<_, CustomerError>(tx.customer_consents_authorised(&asked, REVOKED_MAX)?)
    };
    let authorised = context.store.read(check).await?;
    let is_erased_at_core = match context.bank.erase_customer(&context.call, psu).await {
        Ok(None) => true,
        Ok(Some(reason)) => return Err(CustomerError::CoreKeeps(reason)),
        Err(BankError::UnknownMethod(_)) => false,
        Err(error) => return Err(CustomerError::Failed(error.into())),
    };
    let mut consents_revoked = 0_usize;
    for consent in authorised {
        let record =
            AuditRecord::of_staff(act, context.clocks.wall_now(), AuditAction::ConsentRevoke, consent.as_str());
        match revoke_consent_by_bank(context, &consent, record).await {
            Ok(_) => consents_revoked = consents_revoked.saturating_add(1),
            // The consent ended meanwhile.
            Err(Failure::Refused(_)) => {}
            Err(failure) => return Err(failure.into()),
        }
    }
    let pseudonym = PsuId::new(format!("erased-{}", context.ids.random_id().hyphenated()));
    let mut rows = 0_u64;
    loop {
        let (psu, carried, clocks) = (psu.clone(), pseudonym.clone(), context.clocks.clone());
        let erase = move |tx: &mut dyn ServerTransaction| {
            require_erasable(tx, &psu)?;
            let now = clocks.read_bank_time(tx)?;
            Ok::<_, CustomerError>(tx.customer_erase(&psu, &carried, now, BATCH)?)
        };
        match context.store.write(erase).await? {
            0 => return Ok(CustomerErasure { pseudonym, consents_revoked, rows, is_erased_at_core }),
            erased => rows = rows.saturating_add(erased),
        }
    }
}

/// Refuses the erasure of a customer who is on hold or has open orders.
fn require_erasable(tx: &mut dyn ServerTransaction, psu: &PsuId) -> Result<(), CustomerError> {
    if let Some(hold) = tx.customer_hold(psu)? {
        return Err(hold.into());
    }
    let open = tx.customer_orders_open(psu, OPEN_ORDERS_NAMED)?;
    if open.is_empty() { Ok(()) } else { Err(CustomerError::OpenOrders(open)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::tests::{SmallBank, authorised, context};
    use lombard_domain::consent::{AccountAccess, Permission};
    use lombard_domain::operator_changes::ChangeReason;
    use lombard_domain::staff::{StaffMember, StaffName, StaffRole};
    use lombard_ports::bank::StubBank;
    use std::sync::Arc;

    fn act() -> StaffAct {
        let member = StaffMember { name: StaffName::unknown(), role: StaffRole::Security };
        StaffAct { member, from: "command".to_owned(), reason: None, interaction_id: None }
    }

    fn amelia() -> PsuId {
        PsuId::from("amelia")
    }

    /// A context with a bank that follows a script, and the consent of a customer.
    async fn with_consent() -> (Context, Arc<StubBank>) {
        let (context, _) = context(SmallBank::with(&["b-1"], Vec::new())).await;
        let access = AccountAccess {
            permissions: std::iter::once(Permission::ReadAccountsBasic).collect(),
            transactions_from: None,
            transactions_to: None,
        };
        authorised(&context, "acme", access, &["b-1"]).await;
        let bank = Arc::new(StubBank::default());
        (Context { bank: Arc::clone(&bank) as _, ..context }, bank)
    }

    async fn rows(context: &Context) -> usize {
        let export = export_customer(context, &amelia()).await.unwrap();
        export.server.iter().map(|table| table.rows.len()).sum()
    }

    #[tokio::test]
    async fn a_core_that_keeps_a_customer_prevents_the_erasure() {
        let (context, bank) = with_consent().await;
        bank.payment_script().customer_kept = Some(Some("the account is open".to_owned()));
        let before = rows(&context).await;
        let refused = erase_customer(&context, &act(), &amelia()).await.unwrap_err();
        assert!(matches!(&refused, CustomerError::CoreKeeps(reason) if reason == "the account is open"), "{refused}");
        assert_eq!(rows(&context).await, before);
        let live = |tx: &mut dyn ServerTransaction| tx.customer_consents_authorised(&amelia(), 9);
        assert_eq!(context.store.read::<_, StoreError, _>(live).await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_core_without_the_methods_is_left_alone() {
        let (context, bank) = with_consent().await;
        let exported = export_customer(&context, &amelia()).await.unwrap();
        assert_eq!(exported.core, CoreRecords::NotOffered);
        let erased = erase_customer(&context, &act(), &amelia()).await.unwrap();
        assert!(!erased.is_erased_at_core && erased.consents_revoked == 1 && erased.rows == 1, "{erased:?}");
        assert!(erased.pseudonym.as_str().starts_with("erased-"));
        assert_eq!(rows(&context).await, 0);
        bank.payment_script().customer_kept = Some(None);
        bank.payment_script().customer_document = Some(Some(b"{}".to_vec()));
        let again = erase_customer(&context, &act(), &amelia()).await.unwrap();
        assert!(again.is_erased_at_core && again.rows == 0, "an erasure can be repeated: {again:?}");
        assert_eq!(bank.payment_script().erased_customers, [amelia()]);
        let exported = export_customer(&context, &amelia()).await.unwrap();
        assert_eq!(exported.core, CoreRecords::Document(b"{}".to_vec()));
    }

    #[tokio::test]
    async fn a_hold_prevents_the_erasure_until_it_is_released() {
        let (context, bank) = with_consent().await;
        bank.payment_script().customer_kept = Some(None);
        let hold = CustomerHold {
            psu: amelia(),
            held_at: context.clocks.wall_now(),
            held_by: StaffName::unknown(),
            reason: ChangeReason::parse("case 7").unwrap(),
        };
        hold_customer(&context.store, hold.clone()).await.unwrap();
        assert!(matches!(hold_customer(&context.store, hold).await, Err(CustomerError::OnHold { .. })));
        let refused = erase_customer(&context, &act(), &amelia()).await.unwrap_err();
        assert!(refused.to_string().contains("case 7"), "{refused}");
        assert!(bank.payment_script().erased_customers.is_empty(), "the core is not asked");
        release_customer(&context.store, &amelia()).await.unwrap();
        assert!(matches!(release_customer(&context.store, &amelia()).await, Err(CustomerError::NotOnHold)));
        erase_customer(&context, &act(), &amelia()).await.unwrap();
    }
}
