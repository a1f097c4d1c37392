//! The storage quota for files that are not authorised. Source: RW-112, FILE-020.

use super::*;
use crate::harness::{Bank, Engine};

/// No more files than two of one TPP wait to be authorised.
const LIMITED: (&str, &str) = ("limits.unused_files_max", "2");

#[tokio::test]
async fn rw_112_file_020_unauthorised_files_are_limited_and_ended_ones_removed() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[LIMITED]).await;
        let paying = PayingTpp::robot(&bank).await;
        let file = as_json("E-", &["1.00"]);
        let way = async || Way::announced(&paying, file.asking()).await;
        let first = way().await;
        let second = way().await;
        let third = way().await;
        first.send_as("a", JSON, &file.text).await.ok(200);
        second.send_as("b", JSON, &file.text).await.ok(200);
        let refused = third.send_as("c", JSON, &file.text).await;
        refused.refused_with(429, "UK.Lombard.TooManyRequests", "");
        assert_eq!(refused.head("retry-after"), "60");
        assert_eq!(third.status().await, "AwaitingUpload", "it may be sent later");
        first.send_as("a", JSON, &file.text).await.ok(200);
        let rival = PayingTpp::as_tpp(&bank, "rival").await;
        Way::announced(&rival, file.asking()).await.send_as("r", JSON, &file.text).await.ok(200);

        first.ordered().await;
        third.send_as("c", JSON, &file.text).await.ok(200);
        // A day later nobody has decided on the others, another day later their files are gone.
        for _ in 0..2 {
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 24 * 3_600 + 60})).await;
            bank.clock.advance(jiff::SignedDuration::from_secs(60));
            let rejected = async || (second.status().await == "Rejected").then_some(());
            until(rejected).await;
        }
        // What has ended is removed when a bank starts, and each minute.
        bank.stop().await;
        bank.restart_with(&[LIMITED]).await;
        let paying = PayingTpp::robot(&bank).await;
        let [first, second] = [first, second].map(|way| Way { paying: paying.clone(), ..way });
        // Whoever reads it at that very moment is cut off.
        let path = file_path(&second.consent);
        let gone = async || {
            let read = paying.tpp.get(&paying.own, &path).await;
            read.is_ok_and(|answer| answer.status == 400).then_some(())
        };
        until(gone).await;
        second.get(&path).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        assert_eq!(
            first.get(&file_path(&first.consent)).await.body,
            file.text.as_bytes(),
            "FILE-020: an order's stays"
        );
    }
}
