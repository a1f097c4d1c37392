//! The portal's routes with and without a sandbox.

use crate::test_app::Served;
use axum::Extension;
use axum::body::Body;
use http::Request;
use lombard_domain::ids::FapiInteractionId;
use lombard_edge::listener::PeerAddress;
use lombard_portal::PortalServices;

/// The paths of testers, each with its method.
const FOR_TESTERS: [(&str, &str); 22] = [
    ("GET", "/portal/test-data"),
    ("POST", "/portal/test-data/customers"),
    ("POST", "/portal/test-data/customers/change"),
    ("POST", "/portal/test-data/unlock"),
    ("POST", "/portal/test-data/accounts"),
    ("POST", "/portal/test-data/accounts/end"),
    ("GET", "/portal/try"),
    ("GET", "/portal/try/GetAccounts"),
    ("POST", "/portal/try/GetAccounts"),
    ("GET", "/portal/controls"),
    ("POST", "/portal/controls/clock"),
    ("POST", "/portal/controls/transactions"),
    ("POST", "/portal/controls/events"),
    ("POST", "/portal/controls/faults"),
    ("POST", "/portal/controls/faults/remove"),
    ("POST", "/portal/application/roles"),
    ("POST", "/portal/application/redirect-uris"),
    ("POST", "/portal/application/create"),
    ("POST", "/portal/consents/c/authorise"),
    ("POST", "/portal/consents/c/decide"),
    ("POST", "/portal/consents/c/revoke"),
    ("POST", "/portal/orders/o/outcome"),
];

#[tokio::test]
async fn without_a_sandbox_tester_routes_are_404_and_other_pages_require_login() {
    let app = Served::new().await;
    let ask = async |method: &str, path: &str| {
        let routes = lombard_portal::routes(PortalServices::default());
        let peer = PeerAddress(std::net::SocketAddr::from(([127, 0, 0, 1], 1)));
        let routes = routes.layer(Extension(FapiInteractionId::new("i"))).layer(Extension(peer));
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        let answer = app.send(routes, request).await;
        (answer.status.as_u16(), answer.headers.get("location").map(|it| it.to_str().unwrap().to_owned()))
    };
    for (method, path) in FOR_TESTERS {
        assert_eq!(ask(method, path).await, (404, None), "{method} {path}");
    }
    let own = [
        "overview",
        "application",
        "requests",
        "requests/1",
        "consents",
        "consents/c",
        "orders/o",
        "events",
        "events/e",
        "status",
    ];
    for page in own {
        let answer = ask("GET", &format!("/portal/{page}")).await;
        assert_eq!(answer, (302, Some("/portal/login".to_owned())), "{page}");
    }
    assert_eq!(ask("GET", "/portal/login").await, (200, None));
    assert_eq!(ask("GET", "/portal/login?link=AAAA").await.0, 410);
    assert_eq!(ask("POST", "/portal/login").await.0, 410, "a form without a cookie");
}
