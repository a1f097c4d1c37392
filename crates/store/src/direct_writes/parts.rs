//! SQL fragments that the statements share.

use lombard_database::statement::SqlStatement;
use lombard_database::value::{SqlValue, optional};
use lombard_ports::clock::KnownBankTime;

/// A statement that exists on PostgreSQL only.
pub(super) const fn postgres_alone(table: &'static str, postgres: &'static str) -> SqlStatement {
    SqlStatement { table, sqlite: "", postgres }
}

/// The condition that the bank's clock has not been moved, by the two parameters of [`clock_parameters`]. Without a setting's
/// name it is always true.
macro_rules! clock_as_known {
    ($name:literal, $value:literal) => {
        concat!(
            "(",
            $name,
            "::text IS NULL OR COALESCE((SELECT value FROM settings WHERE name = ",
            $name,
            "::text), '0') = ",
            $value,
            "::text)"
        )
    };
}

/// A part that claims an idempotency key which is free, or whose window has passed, and returns its resource. It takes its row
/// from the preceding parts. A key in use is not changed.
macro_rules! claim_from {
    ($from:expr) => {
        concat!(
            "claimed AS (\
               INSERT INTO idempotency_keys (client_id, operation, key, body, resource, first_used_at) \
               SELECT $1::text, $2::text, $3::text, $4::bytea, $5::text, $6::bigint ",
            $from,
            " ON CONFLICT (client_id, operation, key) DO UPDATE \
               SET body = excluded.body, resource = excluded.resource, first_used_at = excluded.first_used_at \
               WHERE idempotency_keys.first_used_at <= $7::bigint \
               RETURNING resource)"
        )
    };
}

pub(super) use {claim_from, clock_as_known};

/// The parameters of `clock_as_known`.
pub(super) fn clock_parameters(time: &KnownBankTime) -> [SqlValue<'static>; 2] {
    let (name, value) = time.setting().unzip();
    [optional(name), optional(value)]
}
