//! The faults of a sandbox's process, and the layer that carries them out around the routes of a listener.

use super::body;
use super::effect::{Cut, FaultEffect, InjectedFault};
use super::header::{self, FAULT_HEADER};
use super::point::FaultPoint;
use super::rule::{FaultRule, FaultRules};
use crate::listener::CutConnection;
use crate::request_log::PlantedEffect;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::Method;
use lombard_ports::entropy::IdGenerator;
use std::sync::{Arc, OnceLock};

/// An operation that a fault can strike.
#[derive(Debug, Clone)]
pub struct FaultOperation {
    /// Its name: the catalogue's, or the last segment of an OAuth endpoint's path.
    pub name: String,
    /// The method.
    pub method: Method,
    /// The path of its route, ids in braces.
    pub path: String,
    /// The path without the version, if it has one.
    pub unversioned: Option<String>,
    /// How its errors are written.
    pub errors: ErrorForm,
    /// Whether its answers are signed.
    pub signs_responses: bool,
    /// What answers a struck request of an operation that authenticates no client: such a request is struck before anything is
    /// looked at. `None` for operations that authenticate one.
    pub unauthenticated: Option<fn(InjectedFault) -> Response>,
}

/// How the errors of an operation are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// As the API's: `OBErrorResponse1`.
    Api,
    /// As OAuth's.
    OAuth,
}

/// The faults of one process of a sandbox. Clones share them.
#[derive(Debug, Clone)]
pub struct FaultInjection {
    pub(super) rules: Arc<FaultRules>,
    pub(super) operations: Arc<[FaultOperation]>,
    ids: IdGenerator,
}

impl FaultInjection {
    /// No faults yet, for these operations. Random numbers come from the generator's source.
    pub fn new(ids: IdGenerator, operations: Vec<FaultOperation>) -> Self {
        Self { rules: Arc::default(), operations: operations.into(), ids }
    }

    /// The faults as they stand, each with how often it may strike yet.
    pub fn list(&self) -> Vec<FaultRule> {
        self.rules.list()
    }

    /// Replaces all faults.
    pub fn replace(&self, rules: Vec<FaultRule>) {
        self.rules.replace(rules);
    }

    /// Removes all faults.
    pub fn clear(&self) {
        self.replace(Vec::new());
    }

    /// Answers a request with the faults that strike it. A request costs one atomic load and the look at a header while there are none.
    pub(crate) async fn around<A: Future<Output = Response>>(
        &self,
        request: Request,
        answer: impl FnOnce(Request) -> A,
    ) -> Response {
        if !self.rules.any() && !request.headers().contains_key(FAULT_HEADER) {
            return answer(request).await;
        }
        // Boxed: requests without faults need no room for it.
        Box::pin(self.with_faults(request, answer)).await
    }

    async fn with_faults<A: Future<Output = Response>>(
        &self,
        request: Request,
        answer: impl FnOnce(Request) -> A,
    ) -> Response {
        let Some((number, operation)) = self.find_operation(&request) else { return answer(request).await };
        let point = Arc::new(FaultPoint {
            rules: Arc::clone(&self.rules),
            ids: self.ids.clone(),
            operation: number,
            asked: header::read(request.headers(), operation.signs_responses),
            struck: OnceLock::new(),
        });
        if let Some(respond) = operation.unauthenticated
            && let Err(fault) = point.apply_fault(None).await
        {
            return finish(point.struck.get(), respond(fault));
        }
        let response = Arc::clone(&point).answering(answer(request)).await;
        finish(point.struck.get(), response)
    }

    /// The operation that a request is for, with its number.
    fn find_operation(&self, request: &Request) -> Option<(usize, &FaultOperation)> {
        let path = request.extensions().get::<MatchedPath>()?.as_str();
        // One trailing slash means the same resource (RW-007).
        let path = path.strip_suffix('/').unwrap_or(path);
        let is_meant = |operation: &FaultOperation| operation.path == path && operation.method == *request.method();
        self.operations.iter().enumerate().find(|(_, operation)| is_meant(operation))
    }
}

/// What becomes of an answer to a request that was struck.
fn finish(struck: Option<&Option<FaultEffect>>, mut response: Response) -> Response {
    let Some(Some(effect)) = struck else { return response };
    response.extensions_mut().insert(PlantedEffect(effect.summary().into()));
    if let Some(Cut::Before | Cut::After) = effect.cut {
        response.extensions_mut().insert(CutConnection);
        return response;
    }
    if effect.wrong_signature == Some(true) {
        body::falsify_signature(response.headers_mut());
    }
    match effect.slow_body_ms {
        Some(time) => body::slow_down(response, time.duration()),
        None => response,
    }
}
