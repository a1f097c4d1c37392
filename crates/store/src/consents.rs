//! Consents of every kind, and the account ids that TPPs know.

use crate::rows::{LockedConsent, Rows};
use jiff::Timestamp;
use lombard_database::document;
use lombard_database::not_quarantined;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_database::{Query, SqlTransaction};
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{Consent, ConsentState, ConsentStatusReason, SelectedAccount};
use lombard_domain::core_state::{CoreState, CoreStateTooLong};
use lombard_domain::ids::{AccountId, BankAccountId, ClientId, ConsentId};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::{ConsentPosition, ConsentStore, Owned, StoreError};

/// The columns that [`read`] reads, each with this prefix: empty, or the name of the table and a dot if other tables are joined.
macro_rules! consent_columns {
    ($of:literal) => {
        lombard_database::listed_columns!(
            $of,
            id,
            client_id,
            version,
            submitted,
            terms,
            created_at,
            expires_at,
            state,
            state_changed_at,
            authorised_at,
            psu_id,
            deleted_at,
            epoch,
            status_reason,
            authenticated_at,
            authentication_factors,
            core_state
        )
    };
}

/// The columns of a joined consent that [`read_joined`] reads: the selected accounts as JSON, which is null without a consent,
/// and the consent's own columns.
macro_rules! joined_consent_columns {
    (sqlite) => {
        $crate::consents::joined_consent_columns!(
            "json_group_array(json_array(bank_account_id, alias, core_state) ORDER BY position)"
        )
    };
    (postgres) => {
        $crate::consents::joined_consent_columns!(
            "json_agg(json_build_array(bank_account_id, alias, core_state) ORDER BY position)::text"
        )
    };
    ($accounts:literal) => {
        concat!(
            "CASE WHEN consents.id IS NOT NULL THEN COALESCE((SELECT ",
            $accounts,
            " FROM consent_accounts WHERE consent_id = consents.id), '[]') END, ",
            $crate::consents::consent_columns!("consents.")
        )
    };
}

pub(crate) use {consent_columns, joined_consent_columns};

macro_rules! update {
    () => {
        "UPDATE consents SET state = $1, state_changed_at = $2, authorised_at = $3, expires_at = $4, psu_id = $5, \
         deleted_at = $6, epoch = $7, terms = $8, status_reason = $9, authenticated_at = $10, \
         authentication_factors = $11 WHERE id = $12 AND epoch < $7"
    };
}

statements! { "consents" =>
    INSERT = both(concat!("INSERT INTO consents (", consent_columns!(""),
        ", kind) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"));
    BY_ID = both(concat!("SELECT ", consent_columns!(""), " FROM consents WHERE id = $1 AND erased_at IS NULL"));
    BY_ID_LOCKED = locking!("SELECT ", consent_columns!(""), " FROM consents WHERE id = $1 AND erased_at IS NULL");
    NEWEST = both(concat!("SELECT ", consent_columns!(""),
        " FROM consents WHERE client_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1"));
    OF_CLIENT = both(
        "SELECT created_at, id FROM consents WHERE client_id = $1 AND (created_at, id) > ($2, $3) \
         ORDER BY created_at, id LIMIT $4");
    OF_CLIENT_NEWEST = both(
        "SELECT created_at, id FROM consents WHERE client_id = $1 AND (created_at, id) < ($2, $3) \
         ORDER BY created_at DESC, id DESC LIMIT $4");
    SHARING = both(
        "SELECT consent_id FROM consent_accounts WHERE bank_account_id = $1 AND consent_id > $2 \
         AND EXISTS (SELECT 1 FROM consents WHERE id = consent_id AND state = $3 AND deleted_at IS NULL) \
         ORDER BY consent_id LIMIT $4");
    UNDECIDED = both(concat!(
        "SELECT id FROM consents WHERE state IN ('awaiting-upload', 'awaiting-authorisation') AND kind IN \
         ('domestic-payment-consent', 'domestic-scheduled-payment-consent', 'domestic-standing-order-consent', \
         'international-payment-consent', 'international-scheduled-payment-consent', \
         'international-standing-order-consent', 'file-payment-consent', 'domestic-vrp-consents') \
         AND deleted_at IS NULL AND created_at <= $1 AND ",
        not_quarantined!("quarantined_work", "undecided-consent", "consents.id"),
        " ORDER BY created_at, id LIMIT $2"));
    UNDECIDED_COUNT = both(
        "SELECT COUNT(*) FROM (SELECT 1 FROM consents WHERE client_id = $1 AND created_at > $2 \
         AND state IN ('awaiting-upload', 'awaiting-authorisation') AND deleted_at IS NULL LIMIT $3) AS undecided");
    UPDATE = both(update!());
    UPDATE_LOCKED = must_change_one!(update!());
    CORE_STATE = both("UPDATE consents SET core_state = $1, epoch = epoch + 1 WHERE id = $2 AND core_state IS DISTINCT FROM $1");
    RECORD_EXPIRY = both(
        "UPDATE consents SET expiry_raised_for = $1 WHERE id = $2 AND expiry_raised_for IS DISTINCT FROM $1");
    MIGRATE = both(
        "UPDATE consents SET version = $1, submitted = $2, terms = $3, epoch = $4 WHERE id = $5 AND epoch < $4");
    VRP_OF_VERSION = both(
        "SELECT id FROM consents WHERE kind = 'domestic-vrp-consents' AND version = $1 AND deleted_at IS NULL \
         AND id > $2 AND ($3 = '' OR client_id = $3) ORDER BY id LIMIT $4");
    VRP_OF_VERSION_COUNT = both(
        "SELECT COUNT(*) FROM consents WHERE kind = 'domestic-vrp-consents' AND version = $1 AND deleted_at IS NULL \
         AND ($2 = '' OR client_id = $2)");
    ACCOUNTS = both("SELECT bank_account_id, alias, core_state FROM consent_accounts WHERE consent_id = $1 ORDER BY position");
    ACCOUNTS_CLEAR = both("DELETE FROM consent_accounts WHERE consent_id = $1");
    ACCOUNTS_INSERT = both(
        "INSERT INTO consent_accounts (consent_id, bank_account_id, alias, position, core_state) VALUES ($1, $2, $3, $4, $5)");
    ALIAS = both("SELECT alias FROM account_aliases WHERE client_id = $1 AND bank_account_id = $2");
    ALIAS_INSERT = both(
        // `ON CONFLICT` has no target: if two transactions insert the same row at once, PostgreSQL may detect the conflict of the
        // alias before that of the account.
        "INSERT INTO account_aliases (client_id, bank_account_id, alias) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING");
    BY_ALIAS = both("SELECT client_id, bank_account_id FROM account_aliases WHERE alias = $1");
}

impl ConsentStore for Rows<'_, '_> {
    fn consents_of_client(
        &mut self,
        client: &ClientId,
        after: Option<&ConsentPosition>,
        limit: u32,
    ) -> Result<Vec<ConsentPosition>, StoreError> {
        let (created_at, id) = match after {
            Some(ConsentPosition { created_at, id }) => ((*created_at).into(), id.as_str()),
            None => (i64::MIN.into(), ""),
        };
        let parameters = [client.into(), created_at, id.into(), i64::from(limit).into()];
        self.all(&OF_CLIENT, &parameters, |row| Ok(ConsentPosition { created_at: row.instant()?, id: row.id()? }))
    }

    fn consents_of_client_newest(
        &mut self,
        client: &ClientId,
        before: Option<&ConsentPosition>,
        limit: u32,
    ) -> Result<Vec<ConsentPosition>, StoreError> {
        let (created_at, id) = match before {
            Some(ConsentPosition { created_at, id }) => ((*created_at).into(), id.as_str()),
            None => (i64::MAX.into(), ""),
        };
        let parameters = [client.into(), created_at, id.into(), i64::from(limit).into()];
        self.all(&OF_CLIENT_NEWEST, &parameters, |row| {
            Ok(ConsentPosition { created_at: row.instant()?, id: row.id()? })
        })
    }

    fn consent_insert(&mut self, consent: &Consent) -> Result<(), StoreError> {
        self.execute_later(&INSERT, &insert_parameters(consent))?;
        self.insert_selected(consent)
    }

    fn consents_undecided_count(&mut self, client: &ClientId, since: Timestamp, most: u32) -> Result<u32, StoreError> {
        let parameters = [client.into(), since.into(), i64::from(most).into()];
        Ok(self.one(&UNDECIDED_COUNT, &parameters, |row| row.number())?.unwrap_or_default())
    }

    fn consent(&mut self, owner: &ClientId, id: &ConsentId) -> Result<Owned<Consent>, StoreError> {
        let found = self.find(&BY_ID, id)?;
        Ok(seen_from(owner, found))
    }

    fn consent_for_update(&mut self, owner: &ClientId, id: &ConsentId) -> Result<Owned<Consent>, StoreError> {
        let statement = self.may_lock(&BY_ID, &BY_ID_LOCKED);
        let found = self.find(statement, id)?;
        Ok(self.hold(owner, found))
    }

    fn consent_any_owner(&mut self, id: &ConsentId) -> Result<Option<Consent>, StoreError> {
        self.find(&BY_ID, id)
    }

    fn consent_update(&mut self, consent: &Consent) -> Result<(), StoreError> {
        let parameters = [
            consent.state.code().into(),
            consent.state_changed_at.into(),
            optional(consent.authorised_at),
            optional(consent.expires_at),
            optional(consent.psu.as_ref()),
            optional(consent.deleted_at),
            consent.epoch.into(),
            document::write(&consent.request).into(),
            optional(consent.status_reason.map(|reason| reason.code())),
            optional(consent.authenticated_at),
            document::write(&consent.authentication_factors).into(),
            (&consent.id).into(),
        ];
        // The stored row of a locked consent equals the consent as read, so an update with a newer epoch always succeeds.
        let locked = self.locked.take().filter(|locked| locked.id == consent.id);
        let is_newer = locked.as_ref().is_some_and(|locked| locked.epoch < consent.epoch);
        if is_newer {
            self.execute_later_on(&UPDATE_LOCKED, &parameters, consent.id.as_str())?;
        } else if self.execute(&UPDATE, &parameters)? != 1 {
            return match self.consent_any_owner(&consent.id)? {
                // Nothing was changed, or another transaction has stored the same consent.
                Some(stored) if stored == *consent => Ok(()),
                // The consent was changed after it was read without a lock.
                Some(_) => Err(self.fail(StoreError::Contended)),
                None => Err(self.no_row(&UPDATE, consent.id.as_str())),
            };
        }
        // Most updates leave the accounts unchanged, and the accounts of a locked consent cannot change meanwhile, so their
        // rows are not written again.
        if let Some(locked) = locked.filter(|locked| locked.accounts == consent.accounts) {
            self.locked = Some(LockedConsent { epoch: consent.epoch, ..locked });
            return Ok(());
        }
        self.execute_later(&ACCOUNTS_CLEAR, &[(&consent.id).into()])?;
        self.insert_selected(consent)
    }

    fn consent_set_core_state(&mut self, id: &ConsentId, state: &CoreState) -> Result<(), StoreError> {
        self.execute_later(&CORE_STATE, &[state.as_str().into(), id.into()])
    }

    fn consent_record_expiry(&mut self, id: &ConsentId, end: Timestamp) -> Result<bool, StoreError> {
        Ok(self.execute(&RECORD_EXPIRY, &[end.into(), id.into()])? > 0)
    }

    fn consent_migrate(&mut self, consent: &Consent) -> Result<(), StoreError> {
        let parameters = [
            consent.submitted.version.code().into(),
            (&consent.submitted.json).into(),
            document::write(&consent.request).into(),
            consent.epoch.into(),
            (&consent.id).into(),
        ];
        if self.execute(&MIGRATE, &parameters)? == 1 {
            return Ok(());
        }
        match self.consent_any_owner(&consent.id)? {
            Some(_) => Err(self.fail(StoreError::Contended)),
            None => Err(self.no_row(&MIGRATE, consent.id.as_str())),
        }
    }

    fn vrp_consents_of_version(
        &mut self,
        version: Version,
        client: Option<&ClientId>,
        after: Option<&ConsentId>,
        limit: u32,
    ) -> Result<Vec<ConsentId>, StoreError> {
        let (after, client) = (after.map_or("", ConsentId::as_str), client.map_or("", ClientId::as_str));
        let parameters = [version.code().into(), after.into(), client.into(), i64::from(limit).into()];
        self.all(&VRP_OF_VERSION, &parameters, |row| row.id())
    }

    fn vrp_consents_of_version_count(
        &mut self,
        version: Version,
        client: Option<&ClientId>,
    ) -> Result<i64, StoreError> {
        let parameters = [version.code().into(), client.map_or("", ClientId::as_str).into()];
        let count = self.one(&VRP_OF_VERSION_COUNT, &parameters, |row| row.integer())?;
        Ok(count.unwrap_or_default())
    }

    fn consent_newest(&mut self, client: &ClientId) -> Result<Option<Consent>, StoreError> {
        let found = self.one(&NEWEST, &[client.into()], read)?;
        found.map(|consent| self.with_accounts(consent)).transpose()
    }

    fn consents_sharing(
        &mut self,
        account: &BankAccountId,
        after: Option<&ConsentId>,
        limit: u32,
    ) -> Result<Vec<Consent>, StoreError> {
        let after = after.map_or("", ConsentId::as_str);
        let parameters =
            [account.into(), after.into(), ConsentState::Authorised.code().into(), i64::from(limit).into()];
        let ids = self.all(&SHARING, &parameters, |row| row.id::<ConsentId>())?;
        let found = ids.iter().map(|id| self.consent_any_owner(id)).collect::<Result<Vec<_>, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn account_alias(
        &mut self,
        client: &ClientId,
        account: &BankAccountId,
        offered: &AccountId,
    ) -> Result<AccountId, StoreError> {
        if let Some(alias) = self.one(&ALIAS, &[client.into(), account.into()], |row| row.id())? {
            return Ok(alias);
        }
        self.execute_later(&ALIAS_INSERT, &[client.into(), account.into(), offered.into()])?;
        match self.one(&ALIAS, &[client.into(), account.into()], |row| row.id())? {
            Some(alias) => Ok(alias),
            // The alias belongs to another account.
            None => Err(self.fail(StoreError::Duplicate("consents"))),
        }
    }

    fn account_by_alias(&mut self, client: &ClientId, alias: &AccountId) -> Result<Owned<BankAccountId>, StoreError> {
        let found =
            self.all(&BY_ALIAS, &[alias.into()], |row| Ok((row.id::<ClientId>()?, row.id::<BankAccountId>()?)))?;
        let known = !found.is_empty();
        let mine = found.into_iter().find(|(owner, _)| owner == client);
        Ok(match mine {
            Some((_, account)) => Owned::Mine(account),
            None if known => Owned::Foreign,
            None => Owned::Absent,
        })
    }
}

/// The columns of a new consent, without its accounts: those that [`read`] reads, and its kind.
pub(crate) fn insert_parameters(consent: &Consent) -> [SqlValue<'_>; 18] {
    [
        (&consent.id).into(),
        (&consent.client).into(),
        consent.submitted.version.code().into(),
        (&consent.submitted.json).into(),
        document::write(&consent.request).into(),
        consent.created_at.into(),
        optional(consent.expires_at),
        consent.state.code().into(),
        consent.state_changed_at.into(),
        optional(consent.authorised_at),
        optional(consent.psu.as_ref()),
        optional(consent.deleted_at),
        consent.epoch.into(),
        optional(consent.status_reason.map(|reason| reason.code())),
        optional(consent.authenticated_at),
        document::write(&consent.authentication_factors).into(),
        optional(consent.core_state.as_ref().map(CoreState::as_str)),
        consent.request.kind().code().into(),
    ]
}

/// Undecided payment consents created at or before a time, oldest first.
pub(super) fn undecided_payments(
    session: &mut SqlTransaction<'_>,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<ConsentId>, StoreError> {
    session.all(&UNDECIDED, &[until.into(), i64::from(limit).into()], |row| row.id())
}

impl Rows<'_, '_> {
    /// Reads a consent and, in the same round trip and after it, its accounts.
    fn find(&mut self, statement: &SqlStatement, id: &ConsentId) -> Result<Option<Consent>, StoreError> {
        let mut found = FoundConsent::default();
        self.query_together(&FoundConsent::queries(statement, id), |number, row| found.take(number, row))?;
        Ok(found.consent())
    }

    /// Remembers the stored state of a consent that was read with a lock, and determines its ownership.
    pub(crate) fn hold(&mut self, owner: &ClientId, found: Option<Consent>) -> Owned<Consent> {
        self.locked = found.as_ref().map(LockedConsent::new);
        seen_from(owner, found)
    }

    fn with_accounts(&mut self, consent: Consent) -> Result<Consent, StoreError> {
        let accounts = self.all(&ACCOUNTS, &[(&consent.id).into()], read_selected)?;
        Ok(Consent { accounts, ..consent })
    }

    fn insert_selected(&mut self, consent: &Consent) -> Result<(), StoreError> {
        let rows: Vec<_> = (0_i64..)
            .zip(&consent.accounts)
            .map(|(position, selected)| {
                let state = optional(selected.core_state.as_ref().map(CoreState::as_str));
                vec![(&consent.id).into(), (&selected.account).into(), (&selected.alias).into(), position.into(), state]
            })
            .collect();
        self.execute_many_later(&ACCOUNTS_INSERT, &rows)
    }
}

fn seen_from(owner: &ClientId, found: Option<Consent>) -> Owned<Consent> {
    match found {
        Some(consent) if consent.deleted_at.is_some() => Owned::Absent,
        Some(consent) if consent.client == *owner => Owned::Mine(consent),
        Some(_) => Owned::Foreign,
        None => Owned::Absent,
    }
}

/// A consent that is read together with its accounts in one round trip.
#[derive(Default)]
pub(crate) struct FoundConsent {
    consent: Option<Consent>,
    accounts: Vec<SelectedAccount>,
}

impl FoundConsent {
    /// The queries. The consent's row comes first, so that its accounts are read after it is locked.
    pub(crate) fn queries<'q>(statement: &'q SqlStatement, id: &'q ConsentId) -> [Query<'q>; 2] {
        [Query::new(statement, [id.into()]), Query::new(&ACCOUNTS, [id.into()])]
    }

    /// Reads a row of one of the queries, given the query's number.
    pub(crate) fn take(&mut self, number: usize, row: &mut SqlRow<'_>) -> Result<(), StoreError> {
        match number {
            0 => self.consent = Some(read(row)?),
            _ => self.accounts.push(read_selected(row)?),
        }
        Ok(())
    }

    pub(crate) fn consent(self) -> Option<Consent> {
        self.consent.map(|consent| Consent { accounts: self.accounts, ..consent })
    }
}

fn read_selected(row: &mut SqlRow<'_>) -> Result<SelectedAccount, StoreError> {
    Ok(SelectedAccount { account: row.id()?, alias: row.id()?, core_state: row.parsed_or_null(CoreState::new)? })
}

/// The account, the alias and the core's state of a selected account.
type StoredAccount = (BankAccountId, AccountId, Option<String>);

fn selected_account((account, alias, state): StoredAccount) -> Result<SelectedAccount, CoreStateTooLong> {
    Ok(SelectedAccount { account, alias, core_state: state.as_deref().map(CoreState::new).transpose()? })
}

/// Reads a consent with its accounts from a part of a joined row; `None` if the row has none.
pub(crate) fn read_joined(row: &mut SqlRow<'_>) -> Result<Option<Consent>, StoreError> {
    let Some(accounts) = row.parsed_or_null(document::read::<Vec<StoredAccount>>)? else { return Ok(None) };
    let accounts = accounts.into_iter().map(selected_account).collect::<Result<_, _>>();
    let accounts = accounts.map_err(|error| row.corrupt(error))?;
    Ok(Some(Consent { accounts, ..read(row)? }))
}

/// Reads a consent without its accounts, which are separate rows. Columns are read in the order of the struct fields below.
pub(crate) fn read(row: &mut SqlRow<'_>) -> Result<Consent, StoreError> {
    Ok(Consent {
        id: row.id()?,
        client: row.id()?,
        submitted: Submitted { version: row.parsed(Version::decode)?, json: row.id()? },
        request: row.parsed(document::read)?,
        created_at: row.instant()?,
        expires_at: row.instant_or_null()?,
        state: row.parsed(ConsentState::decode)?,
        state_changed_at: row.instant()?,
        authorised_at: row.instant_or_null()?,
        psu: row.id_or_null()?,
        deleted_at: row.instant_or_null()?,
        epoch: row.integer()?,
        status_reason: row.parsed_or_null(ConsentStatusReason::decode)?,
        authenticated_at: row.instant_or_null()?,
        authentication_factors: row.parsed(document::read)?,
        core_state: row.parsed_or_null(CoreState::new)?,
        accounts: Vec::new(),
    })
}
