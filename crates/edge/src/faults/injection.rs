//! The faults of a sandbox process, and the layer that applies them around the routes of a listener.

use super::body;
use super::effect::{Cut, FaultEffect, InjectedFault};
use super::header::{self, FAULT_HEADER};
use super::point::FaultPoint;
use super::rule::{FaultRule, FaultRules};
use crate::listener::CutConnection;
use crate::request_log::InjectedEffect;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::Method;
use lombard_ports::entropy::IdGenerator;
use std::sync::{Arc, OnceLock};

/// An operation to which a fault can apply.
#[derive(Debug, Clone)]
pub struct FaultOperation {
    /// The name of the operation: that of the catalogue, or the last segment of an OAuth endpoint's path.
    pub name: String,
    /// The method.
    pub method: Method,
    /// The path of the operation's route, with ids in braces.
    pub path: String,
    /// The path without the version, if it has one.
    pub unversioned: Option<String>,
    /// The format of the operation's errors.
    pub errors: ErrorForm,
    /// Whether the operation signs its responses.
    pub signs_responses: bool,
    /// Renders the injected response of an operation that authenticates no client. The fault then applies before the request is read.
    /// `None` for operations that authenticate a client.
    pub unauthenticated: Option<fn(InjectedFault) -> Response>,
}

/// The format of an operation's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// The format of the API: `OBErrorResponse1`.
    Api,
    /// The format of OAuth.
    OAuth,
}

/// The faults of one sandbox process. Clones share them.
#[derive(Debug, Clone)]
pub struct FaultInjection {
    pub(super) rules: Arc<FaultRules>,
    pub(super) operations: Arc<[FaultOperation]>,
    ids: IdGenerator,
}

impl FaultInjection {
    /// Makes an empty list of faults for these operations. Random numbers come from the generator's source.
    pub fn new(ids: IdGenerator, operations: Vec<FaultOperation>) -> Self {
        Self { rules: Arc::default(), operations: operations.into(), ids }
    }

    /// The current faults, each with its remaining count.
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

    /// Processes a request with the faults that apply to it. While there are no faults, this costs one atomic load and a look-up of a
    /// header.
    pub(crate) async fn apply_around<A: Future<Output = Response>>(
        &self,
        request: Request,
        answer: impl FnOnce(Request) -> A,
    ) -> Response {
        if !self.rules.any() && !request.headers().contains_key(FAULT_HEADER) {
            return answer(request).await;
        }
        // The future is boxed, so that requests without faults need no memory for it.
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
            requested: header::read(request.headers(), operation.signs_responses),
            applied: OnceLock::new(),
        });
        if let Some(respond) = operation.unauthenticated
            && let Err(fault) = point.apply_fault(None).await
        {
            return finish(point.applied.get(), respond(fault));
        }
        let response = Arc::clone(&point).run_with(answer(request)).await;
        finish(point.applied.get(), response)
    }

    /// Finds the operation of a request, with its number.
    fn find_operation(&self, request: &Request) -> Option<(usize, &FaultOperation)> {
        let path = request.extensions().get::<MatchedPath>()?.as_str();
        // One trailing slash means the same resource (RW-007).
        let path = path.strip_suffix('/').unwrap_or(path);
        let is_meant = |operation: &FaultOperation| operation.path == path && operation.method == *request.method();
        self.operations.iter().enumerate().find(|(_, operation)| is_meant(operation))
    }
}

/// Applies the effect of a fault to a response.
fn finish(struck: Option<&Option<FaultEffect>>, mut response: Response) -> Response {
    let Some(Some(effect)) = struck else { return response };
    response.extensions_mut().insert(InjectedEffect(effect.summary().into()));
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
