//! The versions of PostgreSQL that are supported.

use super::errors::unavailable;
use lombard_ports::store::StoreError;
use tokio_postgres::{Client, SimpleQueryMessage};

/// The oldest supported major version.
const OLDEST: u32 = 14;

/// The newest major version that was tested.
const NEWEST: u32 = 18;

/// Refuses a server that is too old.
pub(super) async fn require_supported(client: &Client) -> Result<(), StoreError> {
    let messages = client.simple_query("SHOW server_version_num").await.map_err(unavailable)?;
    let number = messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0)?.parse::<u32>().ok(),
        _ => None,
    });
    number.map_or(Ok(()), |number| judge(number / 10_000))
}

/// A newer version than the tested ones is probably compatible.
fn judge(major: u32) -> Result<(), StoreError> {
    if major < OLDEST {
        let message = format!("PostgreSQL {major} is not supported; use a version from {OLDEST} to {NEWEST}");
        return Err(StoreError::Unavailable(message.into()));
    }
    if major > NEWEST {
        tracing::warn!("PostgreSQL {major} is newer than the versions that were tested, {OLDEST} to {NEWEST}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_before_the_oldest_are_refused_with_those_to_use() {
        let refused = |major| judge(major).err().map(|error| format!("{error:?}"));
        let said = refused(13).unwrap();
        assert!(said.contains("PostgreSQL 13 is not supported; use a version from 14 to 18"), "{said}");
        assert_eq!([14, 18, 19].map(refused), [None, None, None]);
    }
}
