//! The documentation page about production: its configuration is the one that packages have, and its commands work in their order.

mod load;
mod others;
mod walk;

use super::blocks;
use lombard::config::Config;
use walk::Walk;

const PAGE: &str = include_str!("../../../../docs/operating/production.md");

/// Blocks that are not run, by how they begin, each with the reason.
const NOT_RUN: [(&str, &str); 3] = [
    ("sudo apt install", "the packages have tests of their own, which install them"),
    ("sudo chown", "the user `lombard` and systemd are those of an installed package"),
    ("sudo systemctl restart", "the test ends the process and starts it again with the unit's command"),
];

#[test]
fn the_page_prints_the_configuration_that_packages_have() {
    let [printed] = <[String; 1]>::try_from(blocks(PAGE, "toml")).unwrap();
    assert_eq!(printed, include_str!("../../../../deploy/lombard-production.toml"));
    Config::from_parts(&printed, &[]).unwrap_or_else(|problems| panic!("{problems}"));
}

#[test]
fn the_unit_runs_the_command_that_the_walk_starts_nodes_with() {
    let unit = include_str!("../../../../deploy/systemd/lombard.service");
    let command = walk::SERVE.join(" ");
    assert!(unit.contains(&format!("ExecStart=/usr/bin/lombard {command}\n")), "{command}");
}

/// All of it: from keys to a payment, and a node that ends under calls.
#[tokio::test(flavor = "multi_thread")]
async fn the_walk_of_the_page_ends_with_a_payment_and_no_lost_call() {
    let Some(mut walk) = Walk::begin().await else { return };
    for block in blocks(PAGE, "sh") {
        if NOT_RUN.iter().any(|(begin, _)| block.starts_with(begin)) {
            continue;
        }
        walk.prepare(&block).await;
        let said = walk.run(&block).await;
        walk.let_others_act(&block, &said).await;
    }
    walk.pay_and_restart().await;
}

/// The example that is imported into Keycloak names what Lombard serves, and what its configuration says.
#[test]
fn the_example_for_keycloak_agrees_with_the_configuration() {
    let page = include_str!("../../../../docs/operating/identity.md");
    let (_, section) = page.split_once("## Configurations of providers\n").unwrap();
    let client: serde_json::Value = serde_json::from_str(&blocks(section, "json")[0]).unwrap();
    let [printed] = <[String; 1]>::try_from(blocks(PAGE, "toml")).unwrap();
    let config = Config::from_parts(&printed, &[]).unwrap();
    let public = config.server.public_url.as_ref().unwrap().as_str();
    assert_eq!(client["redirectUris"][0], format!("{public}/identity/callback"));
    assert_eq!(client["attributes"]["jwks.url"], format!("{public}/identity/jwks"));
    assert_eq!(client["clientId"].as_str(), config.identity.client_id.as_deref());
    assert_eq!(
        client["attributes"]["default.acr.values"].as_str(),
        config.identity.acr_values.first().map(String::as_str)
    );
    assert_eq!(client["protocolMappers"][0]["config"]["claim.name"], config.identity.customer_claim.as_str());
}
