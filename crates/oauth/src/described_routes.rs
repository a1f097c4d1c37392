//! Routes of the authorisation server, each with its description.

use super::operation::OAuthOperation;
use super::response;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::routing::MethodRouter;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::{App, routing};

/// Routes, and the operations that they serve.
#[derive(Debug)]
pub(super) struct DescribedRoutes {
    body_bytes_max: usize,
    paths: Vec<(String, MethodRouter<App>)>,
    operations: Vec<OAuthOperation>,
}

impl DescribedRoutes {
    /// An empty set of routes, with the most bytes of their bodies.
    pub(super) const fn new(body_bytes_max: usize) -> Self {
        Self { body_bytes_max, paths: Vec::new(), operations: Vec::new() }
    }

    /// Adds an operation that this handler serves.
    pub(super) fn serve<T: 'static>(mut self, operation: OAuthOperation, handler: impl Handler<T, App>) -> Self {
        let path = operation.path();
        let filter = operation.method.filter();
        let known = self.paths.iter().position(|(known, _)| *known == path).unwrap_or_else(|| {
            // A browser that uses a wrong method gets only a status. Source: AS-035.
            let methods = match operation.endpoint {
                OAuthEndpoint::Authorization => MethodRouter::new(),
                _ => MethodRouter::new().fallback(response::method_not_allowed),
            };
            self.paths.push((path, methods));
            self.paths.len().saturating_sub(1)
        });
        if let Some((_, methods)) = self.paths.get_mut(known) {
            *methods = std::mem::take(methods).merge(routing::route(filter, handler));
        }
        self.operations.push(operation);
        self
    }

    /// The routes.
    pub(super) fn into_router(self) -> Router<App> {
        let limit = DefaultBodyLimit::max(self.body_bytes_max);
        let routes = self.paths.into_iter().fold(Router::new(), |router, (path, methods)| router.route(&path, methods));
        routes.layer(limit)
    }

    /// The operations.
    pub(super) fn into_operations(self) -> Vec<OAuthOperation> {
        self.operations
    }
}
