//! Guessed passwords that come through a proxy. Source: AS-143, TLS-014.

use super::Nodes;
use super::nginx::HandedOn;
use crate::apps::Visitor;
use crate::harness::{Browser, Engine};
use jiff::SignedDuration;

/// The test speaks as the proxy would.
#[tokio::test(flavor = "multi_thread")]
async fn as_143_many_guesses_from_many_addresses_lock_out_no_other_customer() {
    for engine in Engine::at_hand() {
        let nodes = Nodes::start(engine, &HandedOn::Rfc9440.settings()).await;
        let bank = &nodes.banks[0];
        let anybody = Browser::new(&bank.tpp("acme"));
        let from = |node: usize, address: &str| {
            let node = nodes.address(node % nodes.banks.len(), 0);
            Visitor::of(anybody.clone().behind_proxy(address), &format!("http://{node}"))
        };
        let mut own = from(0, "192.0.2.1");
        own.log_in("amelia").await;
        let kept = own.browser.cookie("__Host-devices").expect("a browser that was logged in with is remembered");

        // Every second one is a guess at the same customer, of which the first five are judged.
        for number in 0..1_000 {
            let address = format!("198.18.{}.{}", number / 250, number % 250);
            let is_at_amelia = number % 2 == 0;
            let name = if is_at_amelia { "amelia".to_owned() } else { format!("customer-{number}") };
            let page = from(number, &address).try_password(&name, "guess").await;
            let expected = if is_at_amelia && number >= 10 { 429 } else { 422 };
            assert_eq!(page.exchange.status, expected, "{number}");
        }
        for number in 0..20 {
            let page = from(number, "203.0.113.9").try_password(&format!("user-{number}"), "guess").await;
            assert_eq!(page.exchange.status, 422, "{number}");
        }

        from(0, "198.18.0.1").log_in("bashir").await;
        from(1, "203.0.113.9").log_in("chloe").await;
        from(0, "192.0.2.1").log_in("deepak").await;
        for (node, address) in ["192.0.2.1", "198.18.0.0", "203.0.113.9"].into_iter().enumerate() {
            let mut again = from(node, address);
            again.browser.keep("__Host-devices", &kept);
            again.log_in("amelia").await;
        }
        // A browser that is not known shares the bound of those who guess, for ten minutes.
        assert_eq!(from(0, "192.0.2.7").try_password("amelia", "amelia").await.exchange.status, 429);
        bank.clock.advance(SignedDuration::from_secs(600));
        from(1, "192.0.2.7").log_in("amelia").await;
    }
}
