//! What staff look up when they help a customer or a TPP, on a running server or on the database if no server runs. Each lookup is in the
//! audit log, without the text that was searched for: it can be the number of an account.

use super::operation_errors::{failed, refused};
use super::operations::{Operator, RunningOperator};
use lombard_domain::audit::AuditAction;
use lombard_domain::ids::{ConsentId, FapiInteractionId, PsuId};
use lombard_domain::staff::StaffAct;
use lombard_edge::request_log::{RequestLog, RequestQuery};
use lombard_ops::support::{
    CustomerRevokedView, CustomerView, RequestLineView, SearchMatchView, SearchView, StorySubject, StoryView,
    describe_customer, find_requests_of_case, tell_story,
};
use lombard_ops::{OperationError, Operations};
use lombard_service::support::{
    NamedRecord, SEARCH_CHARS_MAX, SupportCase, find_consent_named, find_order_named, find_support_matches,
    list_active_consents, read_case_of_consent, read_case_of_order, read_customer,
};
use std::fmt::Display;

/// The most recorded requests of a search.
const REQUESTS_MAX: usize = 50;

/// The most ids that an error names.
const IDS_NAMED_MAX: usize = 10;

/// The most batches of consents that one revocation of a customer ends.
const BATCHES_MAX: usize = 20;

impl Operator {
    /// Finds what a text names; with the requests that `log` has recorded with it as interaction id.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn support_search(
        &self,
        act: &StaffAct,
        text: &str,
        log: Option<&RequestLog>,
    ) -> Result<SearchView, OperationError> {
        if text.chars().count() > SEARCH_CHARS_MAX {
            return Err(refused(format!("a search text has at most {SEARCH_CHARS_MAX} characters")));
        }
        let found = find_support_matches(self.store(), text).await.map_err(failed)?;
        let requests = log.map(|log| requests_of_interaction(log, text.trim())).unwrap_or_default();
        self.audit().write_act(act, AuditAction::SupportSearch, "").await?;
        Ok(SearchView { matches: found.into_iter().map(SearchMatchView::from).collect(), requests })
    }

    /// Tells the story of the order that a text names; with the requests that `log` has recorded about it.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if the text names no order or several; [`OperationError::Failed`].
    pub async fn order_story(
        &self,
        act: &StaffAct,
        text: &str,
        log: Option<&RequestLog>,
    ) -> Result<StoryView, OperationError> {
        let found = find_order_named(self.store(), text).await.map_err(failed)?;
        let id = only_one(found, "order")?;
        let case = read_case_of_order(self.store(), &id).await.map_err(failed)?;
        self.audit().write_act(act, AuditAction::OrderShow, id.as_str()).await?;
        self.tell(StorySubject::Order, case, log)
    }

    /// Tells the story of the consent that a text names; with the requests that `log` has recorded about it.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if the text names no consent or several; [`OperationError::Failed`].
    pub async fn consent_story(
        &self,
        act: &StaffAct,
        text: &str,
        log: Option<&RequestLog>,
    ) -> Result<StoryView, OperationError> {
        let found = find_consent_named(self.store(), text).await.map_err(failed)?;
        let id = only_one(found, "consent")?;
        let case = read_case_of_consent(self.store(), &id).await.map_err(failed)?;
        self.audit().write_act(act, AuditAction::ConsentShow, id.as_str()).await?;
        self.tell(StorySubject::Consent, case, log)
    }

    /// Lists what a customer has agreed to.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for a customer who has agreed to nothing; [`OperationError::Failed`].
    pub async fn customer_view(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerView, OperationError> {
        let found = read_customer(self.store(), psu).await.map_err(failed)?;
        self.audit().write_act(act, AuditAction::CustomerShow, psu.as_str()).await?;
        let customer = found.ok_or_else(|| refused("no customer with this id has agreed to anything"))?;
        Ok(describe_customer(&customer, self.core_services().clocks.bank_now()))
    }

    fn tell(
        &self,
        subject: StorySubject,
        case: Option<SupportCase>,
        log: Option<&RequestLog>,
    ) -> Result<StoryView, OperationError> {
        let case = case.ok_or_else(|| refused("it was removed meanwhile"))?;
        let log = log.filter(|log| log.records(&case.consent.client));
        let requests = log.map(|log| find_requests_of_case(log, &case));
        Ok(tell_story(subject, &case, requests.as_deref(), &self.core_services().clocks))
    }
}

impl RunningOperator {
    /// Ends the access of the consents of a customer, of at most a thousand in one call. Each has its own entry in the audit log.
    ///
    /// # Errors
    /// [`OperationError::Failed`]; the consents before the failure are revoked then.
    pub(super) async fn revoke_consents_of(
        &self,
        act: &StaffAct,
        psu: &PsuId,
    ) -> Result<CustomerRevokedView, OperationError> {
        let mut revoked: Vec<ConsentId> = Vec::new();
        for _ in 0..BATCHES_MAX {
            let now = self.context.clocks.bank_now();
            let active = list_active_consents(&self.context.store, psu, now).await.map_err(failed)?;
            let before = revoked.len();
            for id in active {
                match self.consent_revoke(act, &id).await {
                    Ok(()) => revoked.push(id),
                    // The customer or another member has ended it meanwhile.
                    Err(OperationError::Refused(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            if revoked.len() == before {
                return Ok(CustomerRevokedView { revoked, more: false });
            }
        }
        Ok(CustomerRevokedView { revoked, more: true })
    }
}

fn requests_of_interaction(log: &RequestLog, id: &str) -> Vec<RequestLineView> {
    let interaction_id = Some(FapiInteractionId::from(id));
    let query = RequestQuery { interaction_id, limit: REQUESTS_MAX, ..RequestQuery::default() };
    log.page(&query).requests.iter().map(RequestLineView::from).collect()
}

/// The one record that a text names.
fn only_one<T: Display>(found: NamedRecord<T>, kind: &str) -> Result<T, OperationError> {
    match found {
        NamedRecord::One(id) => Ok(id),
        NamedRecord::Absent => Err(refused(format!("there is no {kind} with this id or reference"))),
        NamedRecord::Several(ids) => {
            let named: Vec<_> = ids.iter().take(IDS_NAMED_MAX).map(ToString::to_string).collect();
            let more = if ids.len() > IDS_NAMED_MAX { " and others" } else { "" };
            Err(refused(format!("this names several {kind}s, use the id of one: {}{more}", named.join(", "))))
        }
    }
}
