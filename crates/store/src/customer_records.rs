//! Holds on customers' records, and the export and the erasure of the records of one customer.

use crate::in_list::in_list;
use crate::retention::{has_ended, listed, of_list, remove_of_consents, skipping_locked};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::value::{SqlRow, SqlValue};
use lombard_database::{exported_rows, read_exported, statements};
use lombard_domain::ids::{ConsentId, OrderId, PsuId};
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::retention::CustomerHold;
use lombard_domain::staff::StaffName;
use lombard_ports::store::{CustomerRecordStore, CustomerRecords, StoreError};
use serde_json::{Map, Value};

/// The rows of a table that belong to the consents of a customer.
macro_rules! exported_of_consents {
    ($table:literal: $($column:ident),+) => {
        exported_rows!($table where "consent_id IN (SELECT id FROM consents WHERE psu_id = $1)" => $($column),+)
    };
}

statements! { "customer_holds" =>
    HOLD = both("SELECT psu_id, held_at, held_by, reason FROM customer_holds WHERE psu_id = $1");
    PLACE = both(
        "INSERT INTO customer_holds (psu_id, held_at, held_by, reason) VALUES ($1, $2, $3, $4) ON CONFLICT (psu_id) DO NOTHING");
    RELEASE = both("DELETE FROM customer_holds WHERE psu_id = $1");
    OPEN_ORDERS = both(concat!(
        "SELECT id FROM orders WHERE psu_id = $1 AND NOT (", has_ended!(), ") ORDER BY created_at, id LIMIT $2"));
    AUTHORISED = both(
        "SELECT id FROM consents WHERE psu_id = $1 AND state = 'authorised' AND deleted_at IS NULL ORDER BY created_at, id LIMIT $2");

    CONSENTS = exported_rows!("consents" where "psu_id = $1" => id, client_id, kind, version, terms, submitted, created_at, expires_at, state,
        state_changed_at, status_reason, authorised_at, authenticated_at, authentication_factors, psu_id, deleted_at, core_state);
    CONSENT_ACCOUNTS = exported_of_consents!("consent_accounts": consent_id, bank_account_id, alias, core_state);
    CONSENT_USES = exported_of_consents!("consent_uses": consent_id, used_at);
    VRP_USAGE = exported_of_consents!("vrp_usage": consent_id, cycle, from_on, used_minor);
    FUNDS_CONFIRMATIONS = exported_of_consents!("funds_confirmations": id, consent_id, reference, created_at);
    FUNDS_QUESTIONS = exported_of_consents!("funds_questions": consent_id, asked_on, asked);
    DECISION_EVIDENCE = exported_of_consents!("decision_evidence": consent_id, psu_id, decided_at, payee, warnings);
    ORDERS = exported_rows!("orders" where "psu_id = $1" => id, client_id, consent_id, product, version, debtor_id, psu_id, created_at, instruction,
        steps, conditions, reason, customer_address, approval, approvals, approve_by, submitted, progress, cause, core_state, due_at);
    ORDER_PAYMENTS = exported_rows!("order_payments" where "order_id IN (SELECT id FROM orders WHERE psu_id = $1)" => order_id, number, due_on,
        paid_on, minor, currency, status, since, detail);
    UPLOADS = exported_of_consents!("uploads": id, consent_id, client_id, begun_at, bytes);
    FILE_LINES = exported_rows!(
        "consents JOIN uploads ON uploads.consent_id = consents.id JOIN file_lines ON file_lines.upload_id = uploads.id" where
        "consents.psu_id = $1" => upload_id, number, line);
    GRANTS = exported_of_consents!("grants": id, client_id, psu_id, consent_id, scopes, auth_time, acr, created_at, revoked_at);
    BACKCHANNEL_REQUESTS = exported_of_consents!("backchannel_requests": id, client_id, consent_id, psu_id, state, request, binding_message,
        created_at, expires_at);
    INTERACTIONS = exported_rows!("interactions" where "psu_id = $1" => id, client_id, consent_id, request, stage, psu_id, psu_name, auth_time,
        expires_at);
    SESSIONS = exported_rows!("sessions" where "psu_id = $1" => psu_id, psu_name, stage, idle_at, ends_at);
    HOLDS = exported_rows!("customer_holds" where "psu_id = $1" => psu_id, held_at, held_by, reason);

    CONSENTS_LEFT = skipping_locked!("SELECT id FROM consents WHERE psu_id = $1 LIMIT $2");
    ACCOUNTS_LEFT = SqlText {
        sqlite: concat!("SELECT DISTINCT consents.client_id, consent_accounts.bank_account_id FROM consents \
            JOIN consent_accounts ON consent_accounts.consent_id = consents.id WHERE consents.id ", in_list!(sqlite 1)),
        postgres: concat!("SELECT DISTINCT consents.client_id, consent_accounts.bank_account_id FROM consents \
            JOIN consent_accounts ON consent_accounts.consent_id = consents.id WHERE consents.id ", in_list!(postgres 1)),
    };
    ALIASES = both(
        "DELETE FROM account_aliases WHERE client_id = $1 AND bank_account_id = $2 AND NOT EXISTS (SELECT 1 FROM consent_accounts \
         JOIN consents ON consents.id = consent_accounts.consent_id \
         WHERE consent_accounts.bank_account_id = $2 AND consents.client_id = $1)");
    ORDERS_LEFT = skipping_locked!("SELECT id, instruction FROM orders WHERE psu_id = $1 LIMIT $2");
    PAYMENTS = of_list!("UPDATE order_payments SET detail = NULL WHERE detail IS NOT NULL AND order_id");
    ORDER = both(
        "UPDATE orders SET psu_id = $1, debtor_id = $1, instruction = $2, conditions = '{}', customer_address = NULL, approvals = NULL, \
         submitted = NULL, progress = NULL, cause = NULL, core_state = NULL, erased_at = $3 WHERE id = $4");
    CONSENT = both(
        "UPDATE consents SET psu_id = $1, terms = '{}', submitted = '{}', core_state = NULL, deleted_at = COALESCE(deleted_at, $2), \
         erased_at = $2, epoch = epoch + 1 WHERE id = $3");
    SESSIONS_ERASE = both("DELETE FROM sessions WHERE psu_id = $1");
    INTERACTIONS_ERASE = both("DELETE FROM interactions WHERE psu_id = $1");
    PORTAL_CUSTOMER_ERASE = both("DELETE FROM portal_customers WHERE psu_id = $1");
    HEADLESS_ERASE = both("UPDATE clients SET headless_psu_id = NULL, epoch = epoch + 1 WHERE headless_psu_id = $1");
}

/// What an export reads, by table.
const EXPORTED: [(&str, &SqlStatement); 16] = [
    ("consents", &CONSENTS),
    ("consent_accounts", &CONSENT_ACCOUNTS),
    ("consent_uses", &CONSENT_USES),
    ("vrp_usage", &VRP_USAGE),
    ("funds_confirmations", &FUNDS_CONFIRMATIONS),
    ("funds_questions", &FUNDS_QUESTIONS),
    ("decision_evidence", &DECISION_EVIDENCE),
    ("orders", &ORDERS),
    ("order_payments", &ORDER_PAYMENTS),
    ("uploads", &UPLOADS),
    ("file_lines", &FILE_LINES),
    ("grants", &GRANTS),
    ("backchannel_requests", &BACKCHANNEL_REQUESTS),
    ("interactions", &INTERACTIONS),
    ("sessions", &SESSIONS),
    ("customer_holds", &HOLDS),
];

/// Rows of a customer that no consent or order owns. They are removed with the last batch of an erasure.
const OF_CUSTOMER: [&SqlStatement; 4] = [&SESSIONS_ERASE, &INTERACTIONS_ERASE, &PORTAL_CUSTOMER_ERASE, &HEADLESS_ERASE];

impl CustomerRecordStore for Rows<'_, '_> {
    fn customer_hold(&mut self, psu: &PsuId) -> Result<Option<CustomerHold>, StoreError> {
        self.one(&HOLD, &[psu.into()], read_hold)
    }

    fn customer_hold_place(&mut self, hold: &CustomerHold) -> Result<bool, StoreError> {
        let CustomerHold { psu, held_at, held_by, reason } = hold;
        let parameters = [psu.into(), (*held_at).into(), held_by.as_str().into(), reason.as_str().into()];
        Ok(self.execute(&PLACE, &parameters)? == 1)
    }

    fn customer_hold_release(&mut self, psu: &PsuId) -> Result<bool, StoreError> {
        Ok(self.execute(&RELEASE, &[psu.into()])? == 1)
    }

    fn customer_records(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<CustomerRecords>, StoreError> {
        read_exported(self, &EXPORTED, psu, limit)
    }

    fn customer_orders_open(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&OPEN_ORDERS, &[psu.into(), i64::from(limit).into()], |row| row.id())
    }

    fn customer_consents_authorised(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<ConsentId>, StoreError> {
        self.all(&AUTHORISED, &[psu.into(), i64::from(limit).into()], |row| row.id())
    }

    fn customer_erase(
        &mut self,
        psu: &PsuId,
        pseudonym: &PsuId,
        now: Timestamp,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let bounds = [psu.into(), i64::from(limit).into()];
        let consents: Vec<String> = self.all_changed(&CONSENTS_LEFT, &bounds, |row| row.id())?;
        let orders: Vec<(String, String)> =
            self.all_changed(&ORDERS_LEFT, &bounds, |row| Ok((row.id()?, row.parsed(without_parties)?)))?;
        if !consents.is_empty() {
            self.erase_consents(&consents, pseudonym, now)?;
        }
        if !orders.is_empty() {
            let (ids, _): (Vec<String>, Vec<&String>) = orders.iter().map(|(id, text)| (id.clone(), text)).unzip();
            self.execute(&PAYMENTS, &[listed(&ids)])?;
            let rows: Vec<Vec<SqlValue<'_>>> =
                orders.iter().map(|(id, text)| vec![pseudonym.into(), text.into(), now.into(), id.into()]).collect();
            self.execute_many(&ORDER, &rows)?;
        }
        let mut changed = u64::try_from(consents.len().saturating_add(orders.len())).unwrap_or(u64::MAX);
        for statement in OF_CUSTOMER {
            changed = changed.saturating_add(self.execute(statement, &[psu.into()])?);
        }
        Ok(changed)
    }
}

impl Rows<'_, '_> {
    fn erase_consents(&mut self, consents: &[String], pseudonym: &PsuId, now: Timestamp) -> Result<(), StoreError> {
        let accounts: Vec<(String, String)> =
            self.all(&ACCOUNTS_LEFT, &[listed(consents)], |row| Ok((row.id()?, row.id()?)))?;
        remove_of_consents(self, consents)?;
        let aliases: Vec<_> = accounts.iter().map(|(client, account)| vec![client.into(), account.into()]).collect();
        self.execute_many(&ALIASES, &aliases)?;
        let rows: Vec<_> = consents.iter().map(|id| vec![pseudonym.into(), now.into(), id.into()]).collect();
        self.execute_many(&CONSENT, &rows).map(drop)
    }
}

fn read_hold(row: &mut SqlRow<'_>) -> Result<CustomerHold, StoreError> {
    Ok(CustomerHold {
        psu: row.id()?,
        held_at: row.instant()?,
        held_by: row.parsed(|text| StaffName::parse(text).ok_or("not a name"))?,
        reason: row.parsed(|text| ChangeReason::parse(text).ok_or("not a reason"))?,
    })
}

/// The stored form of an instruction with its kind and its amount alone. An instruction that cannot be read leaves nothing.
fn without_parties(instruction: &str) -> Result<String, serde_json::Error> {
    let Ok(Value::Object(kinds)) = serde_json::from_str(instruction) else { return Ok("{}".to_owned()) };
    let kept = kinds.into_iter().map(|(kind, members)| {
        let amount = members.get("amount").cloned();
        (kind, Value::Object(amount.map(|amount| ("amount".to_owned(), amount)).into_iter().collect()))
    });
    serde_json::to_string(&kept.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_without_parties_has_its_kind_and_amount() {
        let stored = r#"{"domestic":{"credit":{"creditor":{"name":"A"}},"amount":{"minor":5,"currency":"GBP"},"timing":"immediate"}}"#;
        let kept = r#"{"domestic":{"amount":{"currency":"GBP","minor":5}}}"#;
        for (stored, kept) in [(stored, kept), (r#"{"file":{"reference":"x"}}"#, r#"{"file":{}}"#), ("spoilt", "{}")] {
            let kept: Value = serde_json::from_str(kept).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&without_parties(stored).unwrap()).unwrap(), kept);
        }
    }
}
