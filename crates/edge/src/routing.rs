//! Routes with type-erased handlers, so that axum's routing is compiled once and not for each handler.

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::pin::Pin;
use std::sync::Arc;

/// A type-erased handler, independent of its extractors.
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
pub fn route<T: 'static, S>(methods: MethodFilter, handler: impl Handler<T, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    let erased = move |request, state| -> Answering { Box::pin(handler.clone().call(request, state)) };
    on(methods, ErasedHandler(Arc::new(erased)))
}

macro_rules! routes_of {
    ($($name:ident for $method:ident),+) => {$(
        /// As [`route`], for this method.
        pub fn $name<T: 'static, S>(handler: impl Handler<T, S>) -> MethodRouter<S>
        where
            S: Clone + Send + Sync + 'static,
        {
            route(MethodFilter::$method, handler)
        }
    )+};
}

routes_of!(get for GET, post for POST, put for PUT, delete for DELETE);
