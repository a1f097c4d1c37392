//! Routes whose handlers have lost their types: axum's routing is compiled once and not for each handler.

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::pin::Pin;
use std::sync::Arc;

/// A handler of a request, whatever it takes out of it.
struct ErasedHandler<S>(Arc<dyn Fn(Request, S) -> Answering + Send + Sync>);

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

impl<S> Clone for ErasedHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> Handler<(), S> for ErasedHandler<S> {
    type Future = Answering;

    fn call(self, request: Request, state: S) -> Answering {
        (self.0)(request, state)
    }
}

/// The route of a handler for these methods.
pub(crate) fn route<T: 'static, S>(methods: MethodFilter, handler: impl Handler<T, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    let erased = move |request, state| -> Answering { Box::pin(handler.clone().call(request, state)) };
    on(methods, ErasedHandler(Arc::new(erased)))
}

/// As [`route`], for GET.
pub(crate) fn get<T: 'static, S>(handler: impl Handler<T, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    route(MethodFilter::GET, handler)
}

/// As [`route`], for POST.
pub(crate) fn post<T: 'static, S>(handler: impl Handler<T, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    route(MethodFilter::POST, handler)
}

/// As [`route`], for PUT.
pub(crate) fn put<T: 'static, S>(handler: impl Handler<T, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    route(MethodFilter::PUT, handler)
}

/// As [`route`], for DELETE.
pub(crate) fn delete<T: 'static, S>(handler: impl Handler<T, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    route(MethodFilter::DELETE, handler)
}
