-- Payment orders. A consent that is used up by its one order stands in used_up, so there is never a second one.
-- What customers must still agree to waits in approval and approve_by; heard is the last news of the bank's that was applied.
CREATE TABLE orders (
    id          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    client_id   TEXT COLLATE "C" NOT NULL,
    consent_id  TEXT COLLATE "C" NOT NULL REFERENCES consents (id),
    used_up     TEXT COLLATE "C" UNIQUE,
    product     TEXT COLLATE "C" NOT NULL,
    version     TEXT NOT NULL,
    debtor_id   TEXT COLLATE "C" NOT NULL,
    psu_id      TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    instruction TEXT NOT NULL,
    steps       TEXT NOT NULL,
    conditions  TEXT NOT NULL,
    reason      TEXT,
    customer_address TEXT,
    approval    TEXT COLLATE "C",
    approvals   TEXT,
    approve_by  BIGINT,
    heard       BIGINT NOT NULL
);
CREATE INDEX orders_awaiting ON orders (debtor_id, created_at, id) WHERE approval = 'awaiting';
CREATE INDEX orders_by_end_of_approval ON orders (approve_by, id) WHERE approval = 'awaiting' AND approve_by IS NOT NULL;

-- The payments of an order, as they come due. Money is whole minor units of the currency beside it.
CREATE TABLE order_payments (
    order_id  TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
    number    BIGINT NOT NULL,
    due_on    TEXT NOT NULL,
    paid_on   TEXT NOT NULL,
    minor     BIGINT NOT NULL,
    currency  TEXT NOT NULL,
    status    TEXT NOT NULL,
    since     BIGINT NOT NULL,
    detail    TEXT,
    PRIMARY KEY (order_id, number)
);

-- Payment consents that nobody has decided on.
CREATE INDEX consents_undecided ON consents (created_at, id)
WHERE state = 'awaiting-authorisation' AND kind <> 'account-access' AND deleted_at IS NULL;
