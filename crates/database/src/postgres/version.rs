//! The versions of PostgreSQL that are supported.

use super::connect::first_column;
use super::errors::unavailable;
use lombard_ports::store::StoreError;
use tokio_postgres::Client;

/// The oldest supported major version.
const OLDEST: u32 = 14;

/// The newest major version that was tested.
const NEWEST: u32 = 18;

/// Refuses a server that is too old.
pub(super) async fn require_supported(client: &Client) -> Result<(), StoreError> {
    let messages = client.simple_query("SHOW server_version_num").await.map_err(unavailable)?;
    let number = messages.iter().find_map(first_column).and_then(|text| text.parse::<u32>().ok());
    number.map_or(Ok(()), |number| check_major(number / 10_000))
}

/// Refuses a major version that is too old. A newer one than the tested ones is probably compatible, so it is warned of.
fn check_major(major: u32) -> Result<(), StoreError> {
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
        let refused = |major| check_major(major).err().map(|error| format!("{error:?}"));
        let said = refused(13).unwrap();
        assert!(said.contains("PostgreSQL 13 is not supported; use a version from 14 to 18"), "{said}");
        assert_eq!([14, 18, 19].map(refused), [None, None, None]);
    }
}
