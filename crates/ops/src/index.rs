//! The routes of the ops listener, each with the line that describes it.
//!
//! The page at `/` of the ops listener lists those that the caller's role may use; the health listener lists its own as plain text. Each
//! route is added together with its line.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use http::header::CONTENT_TYPE;
use lombard_edge::routing::{delete, get, post, put};
use std::fmt::Write;

/// A line of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpsRoute {
    pub(super) verb: &'static str,
    pub(super) path: &'static str,
    pub(super) purpose: &'static str,
}

/// Routes and their lines in the index, in the same order.
#[derive(Debug)]
pub(super) struct IndexedRoutes<S = ()> {
    router: Router<S>,
    entries: Vec<OpsRoute>,
}

impl<S: Clone + Send + Sync + 'static> IndexedRoutes<S> {
    /// An empty list of routes.
    pub(super) fn new() -> Self {
        Self { router: Router::new(), entries: Vec::new() }
    }

    /// Adds a route for `GET`.
    pub(super) fn get<H: Handler<T, S>, T: 'static>(self, path: &'static str, purpose: &'static str, does: H) -> Self {
        self.add(OpsRoute { verb: "GET", path, purpose }, get(does))
    }

    /// Adds a route for `POST`.
    pub(super) fn post<H: Handler<T, S>, T: 'static>(self, path: &'static str, purpose: &'static str, does: H) -> Self {
        self.add(OpsRoute { verb: "POST", path, purpose }, post(does))
    }

    /// Adds a route for `PUT`.
    pub(super) fn put<H: Handler<T, S>, T: 'static>(self, path: &'static str, purpose: &'static str, does: H) -> Self {
        self.add(OpsRoute { verb: "PUT", path, purpose }, put(does))
    }

    /// Adds a route for `DELETE`.
    pub(super) fn delete<H: Handler<T, S>, T: 'static>(
        self,
        path: &'static str,
        purpose: &'static str,
        does: H,
    ) -> Self {
        self.add(OpsRoute { verb: "DELETE", path, purpose }, delete(does))
    }

    fn add(mut self, entry: OpsRoute, route: MethodRouter<S>) -> Self {
        self.entries.push(entry);
        Self { router: self.router.route(entry.path, route), entries: self.entries }
    }

    /// Adds the routes of another list after these.
    pub(super) fn merge(mut self, other: Self) -> Self {
        self.entries.extend(other.entries);
        Self { router: self.router.merge(other.router), entries: self.entries }
    }

    /// Limits the size of bodies for the routes that were added so far.
    pub(super) fn with_body_limit(self, bytes_max: usize) -> Self {
        Self { router: self.router.layer(DefaultBodyLimit::max(bytes_max)), entries: self.entries }
    }

    /// The lines of the index.
    pub(super) fn entries(&self) -> &[OpsRoute] {
        &self.entries
    }

    /// Sets the state of all routes.
    pub(super) fn with_state(self, state: S) -> IndexedRoutes {
        IndexedRoutes { router: self.router.with_state(state), entries: self.entries }
    }
}

impl IndexedRoutes {
    /// The router without the index.
    pub(super) fn into_routes(self) -> Router {
        self.router
    }

    /// The router, which shows the lines of all routes at `/`.
    pub(super) fn into_router(self) -> Router {
        let text = index(&self.entries);
        let show = move || async move { page(text) };
        self.router.route("/", get(show))
    }
}

fn index(entries: &[OpsRoute]) -> String {
    let mut text = "Lombard, operations (docs/operating)\n\n".to_owned();
    for OpsRoute { verb, path, purpose } in entries {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{verb:<7}{path:<38}{purpose}");
    }
    text
}

fn page(text: String) -> Response {
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
