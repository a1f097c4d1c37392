//! A transaction on the server's tables, and the store that runs such transactions on a database.

use async_trait::async_trait;
use lombard_database::{Database, SqlTransaction, Work};
use lombard_domain::consent::{Consent, SelectedAccount};
use lombard_domain::ids::ConsentId;
use lombard_ports::store::{self, DirectWrites, Engine, ServerTransaction, Store, StoreError};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The server's tables in a transaction.
#[derive(Debug)]
pub struct Rows<'t, 'c> {
    session: &'t mut SqlTransaction<'c>,
    /// A consent whose row this transaction has locked.
    pub(crate) locked: Option<LockedConsent>,
    /// The name of the node that runs the transaction.
    pub(crate) node: &'t str,
}

/// The name of a node of which none was given.
const NODE: &str = "node";

/// The stored state of a consent whose row is locked.
#[derive(Debug)]
pub(crate) struct LockedConsent {
    pub(crate) id: ConsentId,
    pub(crate) epoch: i64,
    pub(crate) accounts: Vec<SelectedAccount>,
}

impl LockedConsent {
    pub(crate) fn new(consent: &Consent) -> Self {
        let Consent { id, epoch, accounts, .. } = consent;
        Self { id: id.clone(), epoch: *epoch, accounts: accounts.clone() }
    }
}

impl<'t, 'c> Rows<'t, 'c> {
    /// Wraps a transaction as access to the server's tables.
    pub const fn new(session: &'t mut SqlTransaction<'c>) -> Self {
        Self { session, locked: None, node: NODE }
    }
}

impl<'c> Deref for Rows<'_, 'c> {
    type Target = SqlTransaction<'c>;

    fn deref(&self) -> &SqlTransaction<'c> {
        self.session
    }
}

impl<'c> DerefMut for Rows<'_, 'c> {
    fn deref_mut(&mut self) -> &mut SqlTransaction<'c> {
        self.session
    }
}

impl ServerTransaction for Rows<'_, '_> {}

/// Creates the store of the server's tables on a database.
pub fn on_database(database: Database) -> Store {
    on_database_of_node(database, NODE)
}

/// Creates the store of the server's tables on a database, for the node with this name.
pub fn on_database_of_node(database: Database, node: &str) -> Store {
    Store::new(Arc::new(OnDatabase(database, node.into())))
}

/// The server's tables on a database, for the node with this name.
#[derive(Debug)]
pub(crate) struct OnDatabase(pub(crate) Database, Arc<str>);

#[async_trait]
impl Engine for OnDatabase {
    async fn write(&self, work: store::TransactionWork) -> Result<(), StoreError> {
        self.0.write(self.on_rows(work)).await
    }

    async fn read(&self, work: store::TransactionWork) -> Result<(), StoreError> {
        self.0.read(self.on_rows(work)).await
    }

    async fn read_by_one_query(&self, work: store::TransactionWork) -> Result<(), StoreError> {
        self.0.read_by_one_query(self.on_rows(work)).await
    }

    fn waits_for_server(&self) -> bool {
        self.0.waits_for_server()
    }

    fn direct_writes(&self) -> Option<&dyn DirectWrites> {
        self.0.single_statements().map(|_| self as &dyn DirectWrites)
    }
}

impl OnDatabase {
    fn on_rows(&self, mut work: store::TransactionWork) -> Work {
        let node = Arc::clone(&self.1);
        Box::new(move |session| work(&mut Rows { node: &node, ..Rows::new(session) }))
    }
}
