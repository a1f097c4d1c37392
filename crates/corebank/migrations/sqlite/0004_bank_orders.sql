-- What the built-in bank was ordered to pay: due_at is when it has to do something next, told how many news there were.
CREATE TABLE bank_orders (
    id        TEXT    NOT NULL PRIMARY KEY,
    debtor_id TEXT    NOT NULL,
    due_at    INTEGER,
    told      INTEGER NOT NULL,
    plan      TEXT    NOT NULL
) STRICT;
CREATE INDEX bank_orders_by_due_time ON bank_orders (due_at, id) WHERE due_at IS NOT NULL;

-- News that were not heard yet. They are told by turn: when they happened, but never before an earlier one of their order.
CREATE TABLE bank_news (
    order_id    TEXT    NOT NULL REFERENCES bank_orders (id),
    number      INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    happened_at INTEGER NOT NULL,
    what        TEXT    NOT NULL,
    PRIMARY KEY (order_id, number)
) STRICT;
CREATE INDEX bank_news_by_turn ON bank_news (turn, order_id, number);
