//! What customers and TPPs do is in the log.

use super::entries;
use crate::apps::Visitor;
use crate::harness::{Bank, EVERYTHING, access};

#[tokio::test]
async fn decisions_of_a_customer_are_told_with_who_and_from_where() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let mine = access(&robot, &EVERYTHING).await;
        let mut visitor = Visitor::new(&bank);
        visitor.log_in("amelia").await;
        let question = visitor.at(&format!("{}/stop", mine.consent)).await;
        let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();
        visitor.browser.submit(&form, &[]).await;
        visitor.browser.submit(&form, &[]).await;
        let told = entries(&bank, &format!("target={}", mine.consent)).await;
        let told: Vec<_> = told.iter().filter(|it| it.action != "audit.read").collect();
        let actions: Vec<_> = told.iter().map(|it| it.action.as_str()).collect();
        assert_eq!(actions, ["consent.revoke", "consent.approve"], "once each");
        for entry in &told {
            assert_eq!((entry.actor.as_str(), entry.role.as_str()), ("amelia", "customer"));
            assert_eq!(entry.from, "127.0.0.1");
            assert!(entry.interaction_id.is_some() && entry.before.is_some() && entry.before != entry.after);
        }
        assert_eq!(told[0].before, told[1].after, "nothing else happened to the consent");
    }
}
