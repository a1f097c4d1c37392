-- Payment orders. A consent that is used up by its one order stands in used_up, so there is never a second one.
-- What customers must still agree to waits in approval and approve_by; heard is the last news of the bank's that was applied.
CREATE TABLE orders (
    id          TEXT    NOT NULL PRIMARY KEY,
    client_id   TEXT    NOT NULL,
    consent_id  TEXT    NOT NULL REFERENCES consents (id),
    used_up     TEXT    UNIQUE,
    product     TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    debtor_id   TEXT    NOT NULL,
    psu_id      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    instruction TEXT    NOT NULL,
    steps       TEXT    NOT NULL,
    conditions  TEXT    NOT NULL,
    reason      TEXT,
    customer_address TEXT,
    approval    TEXT,
    approvals   TEXT,
    approve_by  INTEGER,
    heard       INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_awaiting ON orders (debtor_id, created_at, id) WHERE approval = 'awaiting';
CREATE INDEX orders_by_end_of_approval ON orders (approve_by, id) WHERE approval = 'awaiting' AND approve_by IS NOT NULL;

-- The payments of an order, as they come due. Money is whole minor units of the currency beside it.
CREATE TABLE order_payments (
    order_id  TEXT    NOT NULL REFERENCES orders (id),
    number    INTEGER NOT NULL,
    due_on    TEXT    NOT NULL,
    paid_on   TEXT    NOT NULL,
    minor     INTEGER NOT NULL,
    currency  TEXT    NOT NULL,
    status    TEXT    NOT NULL,
    since     INTEGER NOT NULL,
    detail    TEXT,
    PRIMARY KEY (order_id, number)
) STRICT;

-- Payment consents that nobody has decided on.
CREATE INDEX consents_undecided ON consents (created_at, id)
WHERE state = 'awaiting-authorisation' AND kind <> 'account-access' AND deleted_at IS NULL;
