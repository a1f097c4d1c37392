//! The server's signing keys.

use crate::rows::Rows;
use lombard_database::readable::leave_out;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::ids::KeyId;
use lombard_ports::store::{KeyStore, Source, StoreError, StoredKey};

statements! { "signing_keys" =>
    INSERT = both(
        "INSERT INTO signing_keys (id, sealed, chain, published_at, active_from, retired_at) \
         VALUES ($1, $2, $3, $4, $5, $6)");
    UPDATE = both("UPDATE signing_keys SET published_at = $1, active_from = $2, retired_at = $3 WHERE id = $4");
    ALL = both(
        "SELECT id, sealed, chain, published_at, active_from, retired_at FROM signing_keys ORDER BY published_at, id");
    REMOVE = both("DELETE FROM signing_keys WHERE id = $1");
}

impl KeyStore for Rows<'_, '_> {
    fn key_insert(&mut self, key: &StoredKey) -> Result<(), StoreError> {
        let chain = write_chain(&key.chain).map_err(|source| {
            self.fail(StoreError::Corrupt { table: "signing_keys", id: key.id.to_string(), source })
        })?;
        let parameters = [
            (&key.id).into(),
            SqlValue::Bytes(&key.sealed),
            SqlValue::Bytes(&chain),
            key.published_at.into(),
            key.active_from.into(),
            optional(key.retired_at),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn key_update(&mut self, key: &StoredKey) -> Result<(), StoreError> {
        let parameters = [key.published_at.into(), key.active_from.into(), optional(key.retired_at), (&key.id).into()];
        self.execute_on(&UPDATE, &parameters, key.id.as_str())
    }

    fn keys(&mut self) -> Result<Vec<StoredKey>, StoreError> {
        let found = self.all(&ALL, &[], |row| Ok(read(row)))?;
        Ok(leave_out(found))
    }

    fn key_remove(&mut self, id: &KeyId) -> Result<(), StoreError> {
        self.execute_later(&REMOVE, &[id.into()])
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<StoredKey, StoreError> {
    Ok(StoredKey {
        id: row.id()?,
        sealed: row.bytes()?.to_vec(),
        chain: {
            let bytes = row.bytes()?;
            read_chain(bytes).map_err(|source| row.corrupt(source))?
        },
        published_at: row.instant()?,
        active_from: row.instant()?,
        retired_at: row.instant_or_null()?,
    })
}

/// Encodes a certificate chain: each certificate is preceded by its length in four bytes, big-endian.
fn write_chain(chain: &[Vec<u8>]) -> Result<Vec<u8>, Source> {
    let mut bytes = Vec::new();
    for certificate in chain {
        bytes.extend(u32::try_from(certificate.len())?.to_be_bytes());
        bytes.extend(certificate);
    }
    Ok(bytes)
}

fn read_chain(mut bytes: &[u8]) -> Result<Vec<Vec<u8>>, Source> {
    let mut chain = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk().ok_or("a certificate's length is cut off")?;
        let length = usize::try_from(u32::from_be_bytes(*length))?;
        let (certificate, rest) = rest.split_at_checked(length).ok_or("a certificate is cut off")?;
        chain.push(certificate.to_vec());
        bytes = rest;
    }
    Ok(chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_survives_storage_and_a_cut_one_is_noticed() {
        let chain = vec![vec![1, 2, 3], vec![], vec![4; 300]];
        let bytes = write_chain(&chain).unwrap();
        assert_eq!(read_chain(&bytes).unwrap(), chain);
        assert!(read_chain(&bytes[..bytes.len() - 1]).is_err());
        assert!(read_chain(&[0, 0]).is_err());
    }
}
