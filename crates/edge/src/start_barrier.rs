//! Holds requests back until the server has the data that their responses need.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use std::future::pending;
use tokio::sync::watch;

/// Opens a [`StartBarrier`]. If it is dropped without opening, the start has failed, and requests wait until the process ends.
#[derive(Debug)]
pub struct StartBarrierOpener(watch::Sender<bool>);

/// Holds requests back until data is ready that the server prepares after it has begun to listen. Clones share the barrier.
#[derive(Debug, Clone)]
pub struct StartBarrier(watch::Receiver<bool>);

impl StartBarrier {
    /// A closed barrier and its opener.
    pub fn closed() -> (StartBarrierOpener, Self) {
        let (opener, barrier) = watch::channel(false);
        (StartBarrierOpener(opener), Self(barrier))
    }

    /// Waits until the barrier is open.
    pub async fn wait(&self) {
        let mut state = self.0.clone();
        if state.wait_for(|is_open| *is_open).await.is_err() {
            pending().await
        }
    }
}

impl StartBarrierOpener {
    /// Opens the barrier for good.
    pub fn open(self) {
        self.0.send_replace(true);
    }
}

/// Makes the requests of these routes wait until the barrier opens, if there is one. Requests for undefined paths wait too.
pub fn wait_for_barrier<S: Clone + Send + Sync + 'static>(
    routes: Router<S>,
    barrier: Option<&StartBarrier>,
) -> Router<S> {
    wait_for_barrier_except(routes, barrier, &[])
}

/// As [`wait_for_barrier`], but requests for the given paths do not wait.
pub fn wait_for_barrier_except<S: Clone + Send + Sync + 'static>(
    routes: Router<S>,
    barrier: Option<&StartBarrier>,
    free: &'static [&'static str],
) -> Router<S> {
    match barrier {
        Some(barrier) => routes.layer(middleware::from_fn_with_state((barrier.clone(), free), wait)),
        None => routes,
    }
}

async fn wait(
    State((barrier, free)): State<(StartBarrier, &'static [&'static str])>,
    request: Request,
    next: Next,
) -> Response {
    if !free.contains(&request.uri().path()) {
        barrier.wait().await;
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::routing::get;
    use futures_util::FutureExt;
    use http::StatusCode;
    use tower::ServiceExt;

    fn routes(barrier: Option<&StartBarrier>) -> Router {
        let held = wait_for_barrier(Router::new().route("/held", get(|| async { "held" })), barrier);
        Router::new().route("/free", get(|| async { "free" })).merge(held)
    }

    #[tokio::test]
    async fn requests_wait_until_the_barrier_is_open_and_others_do_not() {
        let (opener, barrier) = StartBarrier::closed();
        let routes = routes(Some(&barrier));
        let ask = |path| routes.clone().oneshot(Request::get(path).body(Body::empty()).unwrap());
        assert_eq!(ask("/free").await.unwrap().status(), StatusCode::OK);
        let mut held = Box::pin(ask("/held"));
        let mut undefined = Box::pin(ask("/other"));
        assert!((&mut held).now_or_never().is_none() && (&mut undefined).now_or_never().is_none());

        opener.open();
        assert_eq!(held.await.unwrap().status(), StatusCode::OK);
        assert_eq!(undefined.await.unwrap().status(), StatusCode::NOT_FOUND);
        assert!(ask("/held").now_or_never().is_some(), "later requests do not wait");
    }

    #[tokio::test]
    async fn nothing_is_let_through_when_the_start_fails() {
        let (opener, barrier) = StartBarrier::closed();
        drop(opener);
        let held = routes(Some(&barrier)).oneshot(Request::get("/held").body(Body::empty()).unwrap());
        assert!(held.now_or_never().is_none());
    }
}
