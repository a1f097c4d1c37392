//! Draws the next action at random: mostly valid, sometimes invalid.

use super::Episode;
use crate::actions::{self, OUTCOMES, RunningAction, WorkerKind};
use crate::intents::{self, CLIENTS, IntendedRequest, SentRequest, digest, terms};
use crate::world::{ACCOUNTS, CUSTOMERS, Node};
use lombard_domain::consent::{Consent, ConsentKind, ConsentState, RevokedBy};
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::transfer::Transfer;
use lombard_domain::version::Version;
use lombard_ports::store::StoreError;
use lombard_service::payments::approvals::ApprovalDecision;

/// The kinds of workers to choose from. A kind that is listed more often is chosen more often.
const WORK: [WorkerKind; 10] = [
    WorkerKind::Submit,
    WorkerKind::ApplyUpdates,
    WorkerKind::RunDue,
    WorkerKind::Submit,
    WorkerKind::ApplyUpdates,
    WorkerKind::RunDue,
    WorkerKind::Reject,
    WorkerKind::LapseOrders,
    WorkerKind::RemoveUploads,
    WorkerKind::Follow,
];

/// A started action: its name, its request, its consent, and its future.
pub(super) type BegunAction = (String, Option<usize>, Option<Consent>, RunningAction);

impl Episode {
    /// Chooses the next action at random; `None` if the chosen action is not possible yet.
    pub(super) fn choose(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        Ok(match self.chance.below(114) {
            0..14 => self.asks_for_consent(node),
            14..20 => self.asks_again(node)?,
            20..27 => self.sends_file(node)?,
            27..41 => self.decides(node)?,
            41..57 => self.orders(node)?,
            57..66 => self.says(node),
            66..71 => self.brings_about(node),
            71..73 => self.asks_for_funds(node)?,
            73 => self.turns(node),
            74 => self.ends_access(node)?,
            75..77 => self.migrates(node)?,
            _ => {
                let work = self.chance.pick(&WORK).copied().unwrap_or(WorkerKind::Submit);
                Some((format!("{work:?}"), None, None, actions::work(node, work)))
            }
        })
    }

    fn asks_for_consent(&mut self, node: &Node) -> Option<BegunAction> {
        let client = ClientId::from(*self.chance.pick(&CLIENTS)?);
        let number = self.model.requests.len();
        let body = u64::try_from(number).unwrap_or(0);
        let (terms, file) = terms(&mut self.chance, self.theme, self.world.clocks.bank_now(), body);
        self.model.files.extend(file.map(|file| (file.digest, file)));
        let key = format!("key {}", self.chance.below(number.saturating_add(20)));
        let product = terms.product();
        let asked = IntendedRequest::Consent(Box::new(terms));
        let version = if self.chance.one_in(3) { Version::V4_0 } else { Version::V3_1 };
        Some(self.sends(node, SentRequest { client, product, version, key, body, asked }, None))
    }

    /// Repeats an earlier request: either the same request, or one with the same key and another body.
    fn asks_again(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let recent = self.model.requests.len().saturating_sub(12);
        let Some(again) = self.chance.pick(self.model.requests.get(recent..).unwrap_or_default()).cloned() else {
            return Ok(None);
        };
        let mut request = again;
        if self.chance.one_in(5) {
            request.body = u64::try_from(self.model.requests.len()).unwrap_or(0);
        }
        let bound = match &request.asked {
            IntendedRequest::Order { consent, .. } | IntendedRequest::File { consent, .. } => self.consent(consent)?,
            IntendedRequest::Consent(_) => None,
        };
        Ok(Some(self.sends(node, request, bound)))
    }

    fn sends(&mut self, node: &Node, request: SentRequest, bound: Option<Consent>) -> BegunAction {
        let what = match &request.asked {
            IntendedRequest::Consent(terms) => format!("consent to {:?}", terms.instruction),
            IntendedRequest::Order { consent, differing, payment } => {
                let paid = payment.as_ref().map(|payment| payment.transfer.amount);
                format!("order of {consent} (differing: {differing}) {paid:?}")
            }
            IntendedRequest::File { consent, sent } => format!("file of {consent}: {:?}", sent.lines),
        };
        let name = format!("{} sends {:?} body {}: {what}", request.client, request.key, request.body);
        let number = self.model.requests.len();
        self.model.requests.push(request.clone());
        let doing = actions::send(node, request, bound.clone());
        (name, Some(number), bound, doing)
    }

    /// One of the newest known consents, most often one in this state.
    fn some_consent(&mut self, state: ConsentState) -> Result<Option<Consent>, StoreError> {
        let recent = self.model.consents.len().saturating_sub(10);
        let mut recent = self.model.consents.get(recent..).unwrap_or_default().to_vec();
        if !self.chance.one_in(5) {
            recent.retain(|id| self.audit.stands(id) == Some(state));
        }
        match self.chance.pick(&recent).cloned() {
            Some(id) => self.consent(&id),
            None => Ok(None),
        }
    }

    fn some_customer(&mut self) -> PsuId {
        PsuId::from(self.chance.pick(&CUSTOMERS).copied().unwrap_or("amelia"))
    }

    /// A customer, most often one who can pay from the account or in the currency that the TPP named.
    fn payer_of(&mut self, consent: &Consent) -> PsuId {
        let terms = consent.request.payment().map(|payment| &payment.terms);
        let named = terms.and_then(|terms| terms.debtor.as_ref());
        let international =
            terms.and_then(|terms| terms.instruction.transfer()).and_then(Transfer::international_details);
        let unit = international.and_then(|payment| payment.exchange.as_ref()).map(|rate_request| rate_request.unit);
        let account = match (named, unit) {
            (Some(named), _) => ACCOUNTS.iter().find(|account| account.number == named.number),
            (None, Some(unit)) => ACCOUNTS.iter().find(|account| account.currency == unit),
            // The customer has some money and needs no further authoriser.
            (None, None) => ACCOUNTS.first().filter(|_| self.chance.one_in(3)),
        };
        match account.and_then(|account| self.chance.pick(account.holders)) {
            Some(holder) if !self.chance.one_in(5) => PsuId::from(*holder),
            _ => self.some_customer(),
        }
    }

    fn decides(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let wanted = if self.chance.one_in(8) {
            ConsentState::Revoked(RevokedBy::Psu)
        } else {
            ConsentState::AwaitingAuthorisation
        };
        let Some(consent) = self.some_consent(wanted)? else { return Ok(None) };
        let psu = self.payer_of(&consent);
        let account = if self.chance.one_in(10) { None } else { Some(self.chance.below(4)) };
        let name = format!("{psu} decides on {} ({account:?})", consent.id);
        Ok(Some((name, None, None, actions::decide(node, consent, psu, account))))
    }

    fn orders(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let Some(consent) = self.some_consent(ConsentState::Authorised)? else { return Ok(None) };
        let Some(payment) = consent.request.payment() else { return Ok(None) };
        let number = self.model.requests.len();
        let product = payment.terms.product();
        let recurring = payment.terms.instruction.vrp();
        let payment = recurring.map(|terms| Box::new(intents::payment(&mut self.chance, terms)));
        let key = format!("key {}", self.chance.below(number.saturating_add(20)));
        let asked = IntendedRequest::Order { consent: consent.id.clone(), differing: self.chance.one_in(12), payment };
        let body = u64::try_from(number).unwrap_or(0);
        // A newer version may use the consent, if it is reusable (V4-025).
        let is_newer = product.reuses_consents() && self.chance.one_in(2);
        let version = if is_newer { Version::V4_0 } else { consent.submitted.version };
        let request = SentRequest { client: consent.client.clone(), product, version, key, body, asked };
        Ok(Some(self.sends(node, request, Some(consent))))
    }

    /// A TPP migrates a consent to v4.0, possibly while payments are made under it.
    fn migrates(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let Some(consent) = self.some_consent(ConsentState::Authorised)? else { return Ok(None) };
        if !consent.is_vrp_consent() || consent.submitted.version == Version::V4_0 {
            return Ok(None);
        }
        let number = u64::try_from(self.model.requests.len()).unwrap_or(0);
        let name = format!("{} is migrated to v4.0", consent.id);
        Ok(Some((name, None, None, actions::migrate(node, consent, number))))
    }

    /// A TPP uploads a file, most often the announced one.
    fn sends_file(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let Some(consent) = self.some_consent(ConsentState::AwaitingUpload)? else { return Ok(None) };
        let Some(terms) = consent.request.payment().and_then(|it| it.terms.instruction.file()) else { return Ok(None) };
        let number = self.model.requests.len();
        let product = PaymentProduct::FilePayment;
        let other = u64::try_from(self.chance.below(number)).unwrap_or(0);
        let other = if self.chance.one_in(8) { self.model.files.get(&digest(other)) } else { None };
        let Some(sent) = other.or_else(|| self.model.files.get(&terms.hash)).cloned() else { return Ok(None) };
        let key = format!("key {}", self.chance.below(number.saturating_add(20)));
        let body = u64::try_from(number).unwrap_or(0);
        let asked = IntendedRequest::File { consent: consent.id.clone(), sent };
        let version = consent.submitted.version;
        let request = SentRequest { client: consent.client.clone(), product, version, key, body, asked };
        Ok(Some(self.sends(node, request, Some(consent))))
    }

    /// A customer revokes a VRP consent, or the TPP deletes it.
    fn ends_access(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let Some(consent) = self.some_consent(ConsentState::Authorised)? else { return Ok(None) };
        let Some(psu) =
            consent.psu.clone().filter(|_| consent.request.kind() == ConsentKind::Payment(PaymentProduct::DomesticVrp))
        else {
            return Ok(None);
        };
        let name = format!("access of {} is ended", consent.id);
        let doing = if self.chance.one_in(3) {
            actions::delete(node, consent.client.clone(), consent)
        } else {
            actions::revoke(node, psu, consent)
        };
        Ok(Some((name, None, None, doing)))
    }

    fn says(&mut self, node: &Node) -> Option<BegunAction> {
        let psu = self.some_customer();
        let say = if self.chance.one_in(5) { ApprovalDecision::Decline } else { ApprovalDecision::Approve(Vec::new()) };
        if self.chance.one_in(2) {
            return Some((format!("{psu} looks, to {say:?}"), None, None, actions::approve_first(node, psu, say)));
        }
        let order = self.chance.pick(&self.model.orders)?.clone();
        Some((format!("{psu} to {order}: {say:?}"), None, None, actions::countersign(node, psu, order, say)))
    }

    fn brings_about(&mut self, node: &Node) -> Option<BegunAction> {
        let mut order = self.chance.pick(&self.model.orders)?.clone();
        if self.audit.is_of_file(&order) {
            let line = self.chance.below(6).saturating_add(1);
            order = order.for_line(u32::try_from(line).unwrap_or(1));
        }
        let outcome = *self.chance.pick(&OUTCOMES)?;
        Some((format!("{order} comes to {outcome:?}"), None, None, actions::force_order_outcome(node, order, outcome)))
    }

    fn turns(&mut self, node: &Node) -> Option<BegunAction> {
        let account = self.chance.pick(&ACCOUNTS)?.id;
        Some((format!("{account} is closed or opened"), None, None, actions::toggle_account(node, account)))
    }

    fn asks_for_funds(&mut self, node: &Node) -> Result<Option<BegunAction>, StoreError> {
        let consent = self.some_consent(ConsentState::Authorised)?;
        Ok(consent.map(|consent| (format!("funds of {}", consent.id), None, None, actions::funds(node, consent))))
    }
}
