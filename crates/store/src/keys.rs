//! The server's signing keys.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::readable::leave_out;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::KeyId;
use lombard_domain::instant;
use lombard_ports::store::{KeyOrigin, KeyStore, Source, StoreError, StoredKey};

/// The stored start of use of a key that waits for its certificate.
const NEVER: Timestamp = instant::LAST;

statements! { "signing_keys" =>
    INSERT = both(
        "INSERT INTO signing_keys (id, origin, sealed, chain, published_at, active_from, retired_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)");
    UPDATE = both("UPDATE signing_keys SET published_at = $1, active_from = $2, retired_at = $3 WHERE id = $4");
    CERTIFY = both("UPDATE signing_keys SET chain = $1 WHERE id = $2");
    RESEAL = both("UPDATE signing_keys SET sealed = $1 WHERE id = $2 AND sealed = $3");
    ALL = both(
        "SELECT id, origin, sealed, chain, published_at, active_from, retired_at FROM signing_keys \
         ORDER BY published_at, id");
    REMOVE = both("DELETE FROM signing_keys WHERE id = $1");
}

impl KeyStore for Rows<'_, '_> {
    fn key_insert(&mut self, key: &StoredKey) -> Result<(), StoreError> {
        let chain = self.write_chain_of(&key.id, &key.chain)?;
        let parameters = [
            (&key.id).into(),
            key.origin.code().into(),
            SqlValue::Bytes(&key.sealed),
            SqlValue::Bytes(&chain),
            key.published_at.into(),
            key.active_from.unwrap_or(NEVER).into(),
            optional(key.retired_at),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn key_update(&mut self, key: &StoredKey) -> Result<(), StoreError> {
        let active_from = key.active_from.unwrap_or(NEVER);
        let parameters = [key.published_at.into(), active_from.into(), optional(key.retired_at), (&key.id).into()];
        self.execute_on(&UPDATE, &parameters, key.id.as_str())
    }

    fn key_certify(&mut self, id: &KeyId, chain: &[Vec<u8>]) -> Result<(), StoreError> {
        let chain = self.write_chain_of(id, chain)?;
        self.execute_on(&CERTIFY, &[SqlValue::Bytes(&chain), id.into()], id.as_str())
    }

    fn key_reseal(&mut self, id: &KeyId, was: &[u8], sealed: &[u8]) -> Result<bool, StoreError> {
        let parameters = [SqlValue::Bytes(sealed), id.into(), SqlValue::Bytes(was)];
        Ok(self.execute(&RESEAL, &parameters)? == 1)
    }

    fn keys(&mut self) -> Result<Vec<StoredKey>, StoreError> {
        let found = self.all(&ALL, &[], |row| Ok(read(row)))?;
        Ok(leave_out(found))
    }

    fn key_remove(&mut self, id: &KeyId) -> Result<(), StoreError> {
        self.execute_later(&REMOVE, &[id.into()])
    }
}

impl Rows<'_, '_> {
    fn write_chain_of(&mut self, id: &KeyId, chain: &[Vec<u8>]) -> Result<Vec<u8>, StoreError> {
        write_chain(chain)
            .map_err(|source| self.fail(StoreError::Corrupt { table: "signing_keys", id: id.to_string(), source }))
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<StoredKey, StoreError> {
    Ok(StoredKey {
        id: row.id()?,
        origin: {
            let code = row.text()?;
            KeyOrigin::decode(code).map_err(|source| row.corrupt(source))?
        },
        sealed: row.bytes()?.to_vec(),
        chain: {
            let bytes = row.bytes()?;
            read_chain(bytes).map_err(|source| row.corrupt(source))?
        },
        published_at: row.instant()?,
        active_from: Some(row.instant()?).filter(|at| *at < NEVER),
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
