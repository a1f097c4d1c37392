//! Removing what has ended: tokens, codes, one-time values and journeys.

use crate::Context;
use jiff::SignedDuration;
use lombard_ports::store::StoreError;

/// How long the ended is kept, so that a question about it can be answered from the rows and not only from the logs.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Most rows of each kind one activation removes; the writer must not be held long.
const BATCH: u32 = 500;

/// Removes a batch of what ended a day ago or earlier. Returns how many rows went; none means nothing is left.
///
/// # Errors
/// [`StoreError`]; the next activation finds the same rows.
pub async fn purge(context: &Context) -> Result<u64, StoreError> {
    let before = context.clocks.wall().saturating_sub(KEPT).unwrap_or(jiff::Timestamp::MIN);
    let removed = context.store.write(move |tx| tx.ended_purge(before, BATCH)).await?;
    metrics::counter!("lombard_purged_rows_total").increment(removed);
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::tests::{SmallBank, context, now};
    use jiff::Timestamp;
    use lombard_domain::grant::{Digest, Grant, GrantSubject, Token, TokenKind};
    use lombard_domain::scope::Scopes;
    use lombard_ports::store::Transaction;

    fn grant() -> Grant {
        Grant {
            id: "g-1".into(),
            client: "acme".into(),
            subject: GrantSubject::Client,
            scopes: Scopes::NONE,
            auth_time: None,
            acr: None,
            nonce: None,
            created_at: now(),
            revoked_at: None,
            epoch: 0,
        }
    }

    fn token(number: u8, expires_at: Timestamp) -> Token {
        Token {
            hash: Digest([number; 32]),
            kind: TokenKind::Access,
            grant: grant().id,
            scopes: Scopes::NONE,
            certificate: Digest([0; 32]),
            issued_at: now(),
            expires_at: Some(expires_at),
            revoked_at: None,
        }
    }

    #[tokio::test]
    async fn what_ended_a_day_ago_goes_and_running_twice_is_harmless() {
        let (context, clock) = context(SmallBank::default()).await;
        let (old, young) = (token(1, now()), token(2, now() + SignedDuration::from_secs(2)));
        let insert = move |tx: &mut dyn Transaction| {
            tx.grant_insert(&grant())?;
            tx.token_insert(&old)?;
            tx.token_insert(&young)
        };
        context.store.write::<_, StoreError, _>(insert).await.unwrap();
        let stands = async || {
            let look = |tx: &mut dyn Transaction| tx.grant(&grant().id);
            context.store.read::<_, StoreError, _>(look).await.unwrap().is_some()
        };
        clock.advance(KEPT);
        assert_eq!(purge(&context).await.unwrap(), 0, "the boundary instant is kept");
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(purge(&context).await.unwrap(), 1);
        assert!(stands().await, "one of its tokens is young");
        assert_eq!(purge(&context).await.unwrap(), 0);
        clock.advance(SignedDuration::from_secs(2));
        assert_eq!(purge(&context).await.unwrap(), 2);
        assert!(!stands().await, "a grant goes with its last token");
    }
}
