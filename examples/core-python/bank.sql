-- The tables of the example, and two customers. Amounts are in the smallest units of their currency.
CREATE TABLE customer (id TEXT PRIMARY KEY, name TEXT);
CREATE TABLE account (id TEXT PRIMARY KEY, customer TEXT, number TEXT UNIQUE, currency TEXT, is_open INTEGER, since TEXT, nickname TEXT);
CREATE TABLE entry (seq INTEGER PRIMARY KEY, account TEXT, id TEXT UNIQUE, at TEXT, minor INTEGER, balance INTEGER, text TEXT,
    statement TEXT);
CREATE INDEX entry_by_time ON entry (account, at, id);
CREATE TABLE statement (id TEXT PRIMARY KEY, account TEXT, start TEXT, at TEXT, opening INTEGER, closing INTEGER);
CREATE TABLE record (kind TEXT, account TEXT, id TEXT, body TEXT, PRIMARY KEY (kind, account, id));
CREATE TABLE payment_order (id TEXT PRIMARY KEY, core_state TEXT, debtor TEXT, amount TEXT, received_at TEXT);
CREATE INDEX payment_order_by_time ON payment_order (received_at, id);
CREATE TABLE status_update (seq INTEGER PRIMARY KEY, payment_order TEXT, number INTEGER, body TEXT, is_acknowledged INTEGER DEFAULT 0,
    UNIQUE (payment_order, number));
CREATE TABLE account_change (number INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT, at TEXT, reason TEXT,
    is_acknowledged INTEGER DEFAULT 0);
CREATE TABLE consent (id TEXT PRIMARY KEY, number INTEGER, core_state TEXT, body TEXT);

INSERT INTO customer VALUES ('alice', 'Alice Archer'), ('bob', 'Bob Baker');
INSERT INTO account VALUES
    ('alice-euros', 'alice', '20010110000002', 'EUR', 1, '2025-01-02T09:00:00.000000Z', 'Euros'),
    ('alice-old', 'alice', '20010110000003', 'GBP', 0, '2025-06-30T17:00:00.000000Z', 'Closed'),
    ('alice-pounds', 'alice', '20010110000001', 'GBP', 1, '2025-01-02T09:00:00.000000Z', 'Bills'),
    ('bob-pounds', 'bob', '20010110000004', 'GBP', 1, '2025-01-02T09:00:00.000000Z', 'Everyday'),
    ('bob-yen', 'bob', '20010110000005', 'JPY', 1, '2025-01-02T09:00:00.000000Z', 'Travel');
INSERT INTO account_change (account, at, reason) VALUES ('alice-old', '2025-06-30T17:00:00.000000Z', 'Closed');

-- 90 days of entries on each account: one that opens it, then small debits and a credit each tenth day.
WITH RECURSIVE day (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM day WHERE n < 89),
amounts AS (
    SELECT id AS account, n, strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2025-03-01 10:00:00', '+' || n || ' days') AS at,
        CASE WHEN n = 0 THEN 250000 WHEN n % 10 = 0 THEN 12000 ELSE -(100 + 37 * n % 900) END AS minor
    FROM account, day)
INSERT INTO entry (account, id, at, minor, balance, text)
    SELECT account, account || '-' || n, at, minor, sum(minor) OVER (PARTITION BY account ORDER BY n),
        CASE WHEN n = 0 THEN 'Opening deposit' WHEN minor > 0 THEN 'Refund' ELSE 'Shop' END
    FROM amounts ORDER BY n, account;

-- Two statements of a month each; the entries on them refer to them.
WITH month (name, start, at) AS (VALUES
    ('2025-03', '2025-03-01T00:00:00.000000Z', '2025-03-31T23:59:59.999999Z'),
    ('2025-04', '2025-04-01T00:00:00.000000Z', '2025-04-30T23:59:59.999999Z'))
INSERT INTO statement SELECT account.id || '-' || name, account.id, start, month.at,
        coalesce((SELECT sum(minor) FROM entry WHERE account = account.id AND entry.at < start), 0),
        (SELECT sum(minor) FROM entry WHERE account = account.id AND entry.at <= month.at)
    FROM account, month;
UPDATE entry SET statement = (SELECT id FROM statement WHERE statement.account = entry.account AND entry.at BETWEEN start AND statement.at);

INSERT INTO record
    SELECT 'beneficiaries', account.id, 'b' || n, json_object('AccountId', account.id, 'BeneficiaryId', 'b' || n,
        'CreditorAccount', json_object('SchemeName', 'UK.OBIE.SortCodeAccountNumber', 'Identification', '2001012000000' || n, 'Name', 'Payee ' || n))
    FROM account, (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3);
INSERT INTO record
    SELECT 'direct-debits', id, 'dd1', json_object('AccountId', id, 'DirectDebitId', 'dd1', 'MandateIdentification', 'WATER-' || number,
        'DirectDebitStatusCode', 'Active', 'Name', 'Water works', 'Frequency', 'UK.OBIE.Monthly')
    FROM account WHERE currency = 'GBP';
INSERT INTO record
    SELECT 'standing-orders', id, 'so1', json_object('AccountId', id, 'StandingOrderId', 'so1', 'Frequency', 'IntrvlMnthDay:01:05',
        'StandingOrderStatusCode', 'Active', 'NextPaymentDateTime', '2031-01-05T00:00:00Z',
        'NextPaymentAmount', json_object('Amount', '75.00', 'Currency', 'GBP'),
        'CreditorAccount', json_object('SchemeName', 'UK.OBIE.SortCodeAccountNumber', 'Identification', '20010120000001', 'Name', 'Landlord'))
    FROM account WHERE currency = 'GBP';
INSERT INTO record
    SELECT 'scheduled-payments', id, 'sp' || n, json_object('AccountId', id, 'ScheduledPaymentId', 'sp' || n,
        'ScheduledPaymentDateTime', '2031-0' || n || '-01T00:00:00Z', 'ScheduledType', 'Execution',
        'InstructedAmount', json_object('Amount', '20.00', 'Currency', 'GBP'),
        'CreditorAccount', json_object('SchemeName', 'UK.OBIE.SortCodeAccountNumber', 'Identification', '20010120000002', 'Name', 'School'))
    FROM account, (SELECT 1 AS n UNION SELECT 2) WHERE currency = 'GBP';
INSERT INTO record
    SELECT 'products', id, 'current', json_object('AccountId', id, 'ProductId', 'current', 'ProductName', 'Current account',
        'ProductType', 'Other', 'OtherProductType', json_object('Name', 'Current account', 'Description', 'For everyday payments'))
    FROM account;
INSERT INTO record
    SELECT 'offers', id, 'o1', json_object('AccountId', id, 'OfferId', 'o1', 'OfferType', 'LimitIncrease', 'Description', 'An overdraft')
    FROM account WHERE currency = 'GBP';
INSERT INTO record
    SELECT 'parties', account.id, customer, json_object('AccountId', account.id, 'PartyType', 'Sole', 'PartyId', customer, 'Name', name)
    FROM account JOIN customer ON customer.id = customer;
