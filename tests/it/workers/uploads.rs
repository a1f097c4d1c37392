//! Abandoned uploads whose removal fails, for good or for now.

use super::rows::{change, texts};
use crate::harness::{Bank, Engine, until};

/// Uploads that can be removed.
const REMOVABLE: usize = 120;

/// What is left of the uploads.
async fn remaining(bank: &Bank) -> Vec<String> {
    texts(bank, "SELECT id FROM uploads").await.into_iter().collect()
}

async fn in_quarantine(bank: &Bank) -> Vec<String> {
    texts(bank, "SELECT subject FROM quarantined_work WHERE kind = 'upload'").await.into_iter().collect()
}

/// Makes the removal of `referenced` violate a constraint, and that of `unavailable` fail as storage fails that is out of order.
async fn make_removals_fail(bank: &Bank, engine: Engine) {
    change(bank, "CREATE TABLE upload_references (upload_id TEXT REFERENCES uploads (id))").await;
    change(bank, "INSERT INTO upload_references (upload_id) VALUES ('referenced')").await;
    let failing: &[&str] = match engine {
        Engine::Sqlite => &["CREATE TRIGGER removal_fails BEFORE DELETE ON uploads WHEN old.id = 'unavailable' \
                             BEGIN SELECT json('{'); END"],
        Engine::Postgres => &[
            "CREATE FUNCTION removal_fails() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION 'not now'; END $$",
            "CREATE TRIGGER removal_fails BEFORE DELETE ON uploads FOR EACH ROW WHEN (old.id = 'unavailable') \
             EXECUTE FUNCTION removal_fails()",
        ],
    };
    for statement in failing {
        change(bank, statement).await;
    }
}

/// Lets the removal of `unavailable` succeed.
async fn mend_storage(bank: &Bank, engine: Engine) {
    let statement = match engine {
        Engine::Sqlite => "DROP TRIGGER removal_fails",
        Engine::Postgres => "DROP TRIGGER removal_fails ON uploads",
    };
    change(bank, statement).await;
}

#[tokio::test]
async fn an_upload_whose_removal_fails_stops_no_other() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::start_on(engine).await;
        bank.stop().await;
        let removable = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {REMOVABLE}) \
             INSERT INTO uploads (id, begun_at, kept) SELECT 'removable-' || i, i, 0 FROM n"
        );
        assert_eq!(change(&bank, &removable).await, REMOVABLE as u64);
        // The oldest, so that they are tried before all others.
        let failing = "INSERT INTO uploads (id, begun_at, kept) VALUES ('referenced', -2, 0), ('unavailable', -1, 0)";
        assert_eq!(change(&bank, failing).await, 2);
        make_removals_fail(&bank, engine).await;
        bank.restart().await;
        until(async || (remaining(&bank).await == ["referenced", "unavailable"]).then_some(())).await;
        until(async || (in_quarantine(&bank).await == ["referenced"]).then_some(())).await;

        bank.stop().await;
        mend_storage(&bank, engine).await;
        bank.restart().await;
        until(async || (remaining(&bank).await == ["referenced"]).then_some(())).await;
        assert_eq!(
            in_quarantine(&bank).await,
            ["referenced"],
            "storage that is out of order says nothing of the upload"
        );
    }
}
