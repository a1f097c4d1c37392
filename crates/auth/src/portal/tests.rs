use super::*;
use crate::devices::DeviceCookie;
use crate::testing::{Leaf, Tpp, World};
use lombard_domain::client::ClientStatus;
use std::net::{IpAddr, Ipv4Addr};

async fn link(world: &World, client: &ClientId) -> Option<String> {
    let context = &world.auth.context;
    create_portal_link((&context.store, &context.ids, world.wall()), client, None).await.unwrap()
}

fn submission(world: &World) -> SubmittedPage {
    let (browser, form_token) = make_portal_login_form(&world.auth, None);
    SubmittedPage { browser, form_token, from: IpAddr::V4(Ipv4Addr::LOCALHOST), devices: DeviceCookie::default() }
}

async fn open(world: &World, secret: &str) -> Option<BrowserSecret> {
    open_portal_session(&world.auth, &submission(world), secret).await.unwrap().map(|(browser, _)| browser)
}

async fn who(world: &World, browser: &BrowserSecret) -> Option<ClientId> {
    view_portal_session(&world.auth, browser).await.unwrap().map(|login| login.client.id)
}

#[tokio::test]
async fn a_link_opens_one_session_of_its_client_however_often_it_is_looked_at() {
    let (world, tpp) = World::with_tpp().await;
    let secret = link(&world, &tpp.client.id).await.unwrap();
    assert_eq!(secret.len(), 43, "256 bits");
    for _ in 0..2 {
        let found = find_linked_client(&world.auth, &secret).await.unwrap();
        assert_eq!(found, Some(tpp.client.clone()), "a preview does not spend it");
    }
    let planted = SubmittedPage { form_token: submission(&world).form_token, ..submission(&world) };
    assert!(open_portal_session(&world.auth, &planted, &secret).await.unwrap().is_none(), "another browser's form");
    let browser = open(&world, &secret).await.unwrap();
    assert_eq!(who(&world, &browser).await, Some(tpp.client.id.clone()));
    assert!(open(&world, &secret).await.is_none(), "it is spent");
    assert_eq!(find_linked_client(&world.auth, &secret).await.unwrap(), None);
    for made_up in ["", "x", &"A".repeat(43)] {
        assert!(open(&world, made_up).await.is_none(), "{made_up}");
    }

    let login = view_portal_session(&world.auth, &browser).await.unwrap().unwrap();
    assert!(login.owns_form(&login.form_token) && !login.owns_form("") && !login.owns_form(&secret));
    let other = open(&world, &link(&world, &tpp.client.id).await.unwrap()).await.unwrap();
    let other = view_portal_session(&world.auth, &other).await.unwrap().unwrap();
    assert!(!other.owns_form(&login.form_token), "each session has forms of its own");
    let again = link(&world, &tpp.client.id).await.unwrap();
    let (browser_again, form_token) = make_portal_login_form(&world.auth, Some(browser.clone()));
    let submission = SubmittedPage { browser: browser_again, form_token, ..submission(&world) };
    let (renewed, _) = open_portal_session(&world.auth, &submission, &again).await.unwrap().unwrap();
    assert_eq!(who(&world, &browser).await, None, "a new login ends the session of the browser");
    let login = view_portal_session(&world.auth, &renewed).await.unwrap().unwrap();
    let browser = renewed;
    close_portal_session(&world.auth, &login).await.unwrap();
    assert_eq!(who(&world, &browser).await, None);
}

#[tokio::test]
async fn links_and_sessions_end_with_time_and_while_their_client_is_not_active() {
    let (world, tpp) = World::with_tpp().await;
    let late = link(&world, &tpp.client.id).await.unwrap();
    world.pass_secs(LINK_LIFETIME.as_secs());
    assert!(open(&world, &late).await.is_none());

    let idle = open(&world, &link(&world, &tpp.client.id).await.unwrap()).await.unwrap();
    let busy = open(&world, &link(&world, &tpp.client.id).await.unwrap()).await.unwrap();
    world.pass_secs(IDLE.as_secs() - 1);
    assert!(who(&world, &busy).await.is_some());
    world.pass_secs(1);
    assert_eq!((who(&world, &idle).await, who(&world, &busy).await.is_some()), (None, true));
    for _ in 0..12 {
        world.pass_secs(IDLE.as_secs() - 1);
        who(&world, &busy).await;
    }
    assert_eq!(who(&world, &busy).await, None, "it ends in any case");

    let unused = link(&world, &tpp.client.id).await.unwrap();
    let session = open(&world, &link(&world, &tpp.client.id).await.unwrap()).await.unwrap();
    let disabled = Client { status: ClientStatus::Disabled, ..tpp.client.clone() };
    world.update(&disabled).await;
    assert_eq!((who(&world, &session).await, link(&world, &tpp.client.id).await), (None, None));
    assert!(open(&world, &unused).await.is_none());
    assert_eq!(link(&world, &"nobody".into()).await, None);
}

#[tokio::test]
async fn as_029_a_certificate_logs_in_to_the_clients_that_authenticate_with_it() {
    let (world, tpp) = World::with_tpp().await;
    let other = Tpp::new("rival");
    world.register(&other.client).await;
    let found = async |certificate: &ClientCertificate| {
        let found = find_clients_of_certificate(&world.auth, certificate, None).await.unwrap();
        found.into_iter().map(|client| client.id).collect::<Vec<_>>()
    };
    assert_eq!(found(&tpp.certificate).await, std::slice::from_ref(&tpp.client.id));
    assert_eq!(found(&tpp.certificate.without_trust()).await, []);
    assert_eq!(found(&Leaf::obwac("NOBODY").certificate()).await, []);
    let wanted = async |certificate: &ClientCertificate, id: &str| {
        let found = find_clients_of_certificate(&world.auth, certificate, Some(id.into())).await.unwrap();
        found.into_iter().map(|client| client.id).collect::<Vec<_>>()
    };
    assert_eq!(wanted(&tpp.certificate, tpp.client.id.as_str()).await, std::slice::from_ref(&tpp.client.id));
    assert_eq!(wanted(&tpp.certificate, other.client.id.as_str()).await, []);
    let second = Client { id: "second".into(), ..tpp.client.clone() };
    world.register(&second).await;
    assert_eq!(found(&tpp.certificate).await.len(), 2);
    world.update(&Client { status: ClientStatus::Disabled, ..second }).await;
    assert_eq!(found(&tpp.certificate).await, std::slice::from_ref(&tpp.client.id));
    let by_subject = Client {
        authentication: ClientAuthentication::TlsClientAuth { subject_dn: "CN=somebody else".into() },
        ..tpp.client.clone()
    };
    world.update(&by_subject).await;
    assert_eq!(found(&tpp.certificate).await, [], "AS-022: the registered subject decides");
}
