//! Customers over HTTP.

use super::*;
use lombard_domain::account::PostalAddress;

#[tokio::test]
async fn a_change_names_what_is_new() {
    let sandbox = Arc::new(Recording::default());
    const PATH: &str = "/sandbox/psus/zoe/change";
    let text = |text: &str| Some(text.to_owned());
    let changes = [
        (r#"{"name":"Zoe Mill"}"#, CustomerChange { name: text("Zoe Mill"), ..CustomerChange::default() }),
        (
            r#"{"about":"Has moved.","email":"zoe@example.com"}"#,
            CustomerChange { about: text("Has moved."), email: text("zoe@example.com"), ..CustomerChange::default() },
        ),
        (
            r#"{"phone":"+44-1132960000","mobile":"+44-7700900999",
                "address":{"BuildingNumber":"7","TownName":"Leeds","Country":"GB","AddressLine":["Mill Yard"]}}"#,
            CustomerChange {
                phone: text("+44-1132960000"),
                mobile: text("+44-7700900999"),
                address: Some(PostalAddress {
                    building: text("7"),
                    town: text("Leeds"),
                    country: text("GB"),
                    lines: vec!["Mill Yard".to_owned()],
                    ..PostalAddress::default()
                }),
                ..CustomerChange::default()
            },
        ),
    ];
    for (body, _) in &changes {
        assert_eq!(post_to(&sandbox, PATH, body).await.0, StatusCode::NOT_FOUND, "{body}");
    }
    assert_eq!(*sandbox.customers.lock(), changes.map(|(_, change)| change));
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(351));
    for (body, hint) in [
        ("{}", "email"),
        (r#"{"name":" "}"#, "name"),
        (r#"{"about":"a\nb"}"#, "about"),
        (r#"{"email":""}"#, "email"),
        (&long, "350"),
        (r#"{"phone":"0113 496 0000"}"#, "phone: Must be a telephone number"),
        (r#"{"mobile":7700900999}"#, "mobile: Must be a text."),
        (r#"{"address":"Leeds"}"#, "address: Must be an object."),
        (r#"{"address":{}}"#, "address.Country: "),
        (r#"{"address":{"Country":"GB","PostCode":"12345678901234567"}}"#, "address.PostCode: Must have 1 to 16"),
        (r#"{"address":{"Country":"GB","Planet":"Earth"}}"#, "address.Planet: "),
        (r#"{"psu":"amelia"}"#, "psu"),
    ] {
        let (status, answer) = post_to(&sandbox, PATH, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(hint), "{body}: {answer}");
    }
    assert_eq!(sandbox.customers.lock().len(), 3);
}
