use crate::routers::public_routes;
use crate::sandbox_faults;
use crate::test_app::{Answer, Served};
use async_trait::async_trait;
use axum::Extension;
use axum::body::Body;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, RETRY_AFTER, SET_COOKIE};
use http::{Request, StatusCode};
use lombard_domain::client::Client;
use lombard_domain::ids::{ClientId, ConsentId, FapiInteractionId};
use lombard_domain::scope::Scope;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::limits::RateLimit;
use lombard_edge::listener::PeerAddress;
use lombard_ops::recording_controls::RecordingControls;
use lombard_ops::{NewTpp, OperationError, TppChange, TppCreated};
use lombard_portal::{
    ApplicationAnswer, ApplicationCall, ApplicationFolder, PortalSandbox, PortalServices, SandboxApplications,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most bytes of a rendered page for an unauthenticated caller, if the page depends on the request.
const RENDERED_BYTES_MAX: usize = 16 * 1024;

/// Sandbox applications that must not be called, because the caller is not logged in.
#[derive(Debug)]
struct UnusedApplications;

#[async_trait]
impl SandboxApplications for UnusedApplications {
    async fn folder(&self, _: &ClientId) -> Result<Option<ApplicationFolder>, OperationError> {
        unreachable!("nobody is logged in")
    }

    async fn change(&self, _: &ClientId, _: TppChange) -> Result<(), OperationError> {
        unreachable!("nobody is logged in")
    }

    async fn call(&self, _: &Client, _: ApplicationCall) -> Result<ApplicationAnswer, OperationError> {
        unreachable!("nobody is logged in")
    }

    async fn authorisation_url(&self, _: &ClientId, _: &ConsentId, _: Scope) -> Result<String, OperationError> {
        unreachable!("nobody is logged in")
    }

    async fn create(&self, _: NewTpp) -> Result<TppCreated, OperationError> {
        unreachable!("nobody is logged in")
    }
}

/// The portal of a sandbox, with all controls of testers.
fn services(served: &Served) -> PortalServices {
    let sandbox = PortalSandbox {
        controls: Some(Arc::new(RecordingControls::default())),
        faults: sandbox_faults(served.app.context.ids.clone()),
        applications: Arc::new(UnusedApplications),
    };
    PortalServices { sandbox: Some(sandbox), ..PortalServices::default() }
}

async fn ask(served: &Served, path: &str, from: &str, accepts: &'static str) -> Answer {
    let peer = PeerAddress(from.parse().unwrap());
    let routes = public_routes(&served.app, services(served), None);
    let routes = routes.layer(Extension(FapiInteractionId::new("i"))).layer(Extension(peer));
    let request = Request::get(path).header(ACCEPT_ENCODING, accepts).body(Body::empty()).unwrap();
    served.send(routes, request).await
}

/// The paths of the routes of the public listener, as the router itself prints them.
fn route_paths(served: &Served) -> BTreeSet<String> {
    let printed = format!("{:?}", public_routes(&served.app, services(served), None));
    let nodes = printed.split("paths: {").skip(1).filter_map(|nodes| nodes.split_once('}'));
    assert!(nodes.count() > 0, "{printed}");
    printed.split("\"/").skip(1).filter_map(|rest| rest.split_once('"')).map(|(path, _)| format!("/{path}")).collect()
}

#[tokio::test]
async fn what_anybody_may_read_is_rendered_once_or_is_short() {
    let served = Served::new().await;
    let routes = route_paths(&served);
    assert!(routes.len() > 50, "{routes:?}");
    for path in ["/openapi/payment-initiation", "/authorize", "/portal/controls", "/portal/test-data", "/portal/try"] {
        assert!(routes.contains(path), "{path} in {routes:?}");
    }
    let of_routes = routes.iter().map(|route| {
        let words = route.split('/').map(|word| if word.starts_with('{') { "x" } else { word });
        words.collect::<Vec<_>>().join("/")
    });
    let others = [
        "/absent",
        "/portal/docs?q=the+payment",
        "/portal/callback/clients/acme",
        "/logos/acme",
        "/portal/login?link=x",
    ];
    let paths: BTreeSet<_> = of_routes.chain(lombard_portal::guide_paths()).chain(others.map(str::to_owned)).collect();
    let mut kept = BTreeSet::new();
    for path in &paths {
        let first = ask(&served, path, "192.0.2.1:1", "").await;
        let plain = ask(&served, path, "192.0.2.1:1", "").await;
        let compressed = ask(&served, path, "192.0.2.1:1", "gzip, br").await;
        let is_compressed = compressed.headers.contains_key(CONTENT_ENCODING);
        if served.app.response_cache.is_cached(path) {
            kept.insert(path.as_str());
            assert!(first.body == plain.body && !plain.headers.contains_key(SET_COOKIE), "{path}");
            assert_eq!(is_compressed, plain.body.len() >= 1024, "{path}");
        } else {
            // The length of a compressed page would disclose secrets in it.
            assert!(!is_compressed, "{path}");
            assert!(
                plain.body.len() <= RENDERED_BYTES_MAX,
                "{path}: {} bytes are rendered each time",
                plain.body.len()
            );
        }
    }
    for path in
        ["/", "/openapi/payment-initiation", "/openapi/events.json", "/llms.txt", "/assets/lombard.css", "/portal/docs"]
    {
        assert!(kept.contains(path), "{path} in {kept:?}");
    }
    let written_otherwise = ask(&served, "/portal/docs/%65vents?x=1", "192.0.2.1:1", "").await;
    assert_eq!(written_otherwise.status, StatusCode::OK);
    assert!(!served.app.response_cache.is_cached("/portal/docs/%65vents"), "a document is kept once");
}

/// Requesting a page can begin or end a journey, so prefetches are refused.
#[tokio::test]
async fn no_route_of_the_public_listener_serves_a_prefetch() {
    let served = Served::new().await;
    for path in route_paths(&served) {
        let path = path.replace(['{', '}', '*'], "x");
        for purpose in ["prefetch", "prefetch;prerender", "Prefetch;anonymous-client-ip"] {
            let request = Request::get(&path).header("sec-purpose", purpose).body(Body::empty()).unwrap();
            let answer = served.send(public_routes(&served.app, PortalServices::default(), None), request).await;
            assert_eq!((answer.status, answer.body.len()), (StatusCode::FORBIDDEN, 0), "{path} for {purpose}");
            assert!(!answer.headers.contains_key(SET_COOKIE), "{path}");
        }
    }
}

#[tokio::test]
async fn rw_112_every_page_counts_against_the_rate_of_its_address() {
    let rate = RateLimit { per_second: 1, burst: 2 };
    let served = Served::limited(RateGroup::PageAddresses, rate).await;
    let own_rate = ["/authorize", "/bank/status-updates"];
    let routes = route_paths(&served);
    for (number, path) in routes.iter().filter(|path| !own_rate.contains(&path.as_str())).enumerate() {
        let path = path.replace(['{', '}', '*'], "x");
        let from = format!("192.0.2.{number}:1");
        for expected in [None, None, Some("1")] {
            let answer = ask(&served, &path, &from, "").await;
            assert_eq!(answer.header(RETRY_AFTER), expected, "{path}: {}", answer.status);
            assert_eq!(answer.status == StatusCode::TOO_MANY_REQUESTS, expected.is_some(), "{path}");
        }
    }
}
