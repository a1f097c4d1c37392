// Takes signed domestic payments, as somebody would write it by hand with Express, jose and better-sqlite3: verifies the detached
// signature of the request, makes the rows of one order durable in one transaction, signs the answer. No token, no certificate and no
// rule is checked.
//
// The one argument is a file of JSON: port; certificate, key and ca in PEM, as paths; database, a path; signing, its key in PEM, as a
// path; verification, a JWK; kid and issuer of its signatures; consents, the ids of those that can be paid.
import { randomUUID, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import Database from 'better-sqlite3';
import express from 'express';
import { FlattenedSign, base64url, flattenedVerify, importJWK, importPKCS8 } from 'jose';

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const names = ['iat', 'iss', 'tan'].map((name) => `http://openbanking.org.uk/${name}`);
const crit = Object.fromEntries(names.map((name) => [name, true]));
const verification = await importJWK(config.verification, 'PS256');
const signing = await importPKCS8(readFileSync(config.signing, 'utf8'), 'PS256');

const database = new Database(config.database);
database.pragma('journal_mode = WAL');
// Each commit is on the disk before it is answered, as Lombard's are.
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE consents (id TEXT PRIMARY KEY, status TEXT NOT NULL, order_id TEXT, updated_at INTEGER NOT NULL);
  CREATE TABLE orders (id TEXT PRIMARY KEY, consent_id TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
    document TEXT NOT NULL);
  CREATE TABLE keys (key TEXT PRIMARY KEY, digest TEXT NOT NULL, order_id TEXT NOT NULL, used_at INTEGER NOT NULL);
  CREATE TABLE jobs (id TEXT PRIMARY KEY, kind TEXT NOT NULL, order_id TEXT NOT NULL, due_at INTEGER NOT NULL);
  CREATE INDEX jobs_by_due ON jobs (kind, due_at);
`);
const insertConsent = database.prepare('INSERT INTO consents VALUES (?, \'Authorised\', NULL, ?)');
database.transaction((ids) => ids.forEach((id) => insertConsent.run(id, Date.now())))(config.consents);
const consume = database.prepare(
  'UPDATE consents SET status = \'Consumed\', order_id = ?, updated_at = ? WHERE id = ? AND status = \'Authorised\'',
);
const insertKey = database.prepare('INSERT INTO keys VALUES (?, ?, ?, ?)');
const insertOrder = database.prepare('INSERT INTO orders VALUES (?, ?, \'Pending\', ?, ?)');
const insertJob = database.prepare('INSERT INTO jobs VALUES (?, \'order\', ?, ?)');
const keep = database.transaction((order, consent, key, body) => {
  const now = Date.now();
  insertKey.run(key, createHash('sha256').update(body).digest('hex'), order, now);
  if (consume.run(order, now, consent).changes !== 1) throw new Error('the consent cannot be used');
  insertOrder.run(order, consent, now, body.toString('utf8'));
  insertJob.run(randomUUID(), order, now);
});

const sign = async (body) => {
  const header = {
    alg: 'PS256', kid: config.kid, typ: 'JOSE', cty: 'application/json', crit: names,
    [names[0]]: Math.floor(Date.now() / 1000), [names[1]]: config.issuer, [names[2]]: 'openbanking.org.uk',
  };
  const made = await new FlattenedSign(Buffer.from(body)).setProtectedHeader(header).sign(signing, { crit });
  return `${made.protected}..${made.signature}`;
};

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post(/.*/, express.raw({ type: 'application/json' }), async (request, response) => {
  const [header, , signature] = request.get('x-jws-signature').split('.');
  const jws = { protected: header, payload: base64url.encode(request.body), signature };
  await flattenedVerify(jws, verification, { algorithms: ['PS256'], crit });
  const document = JSON.parse(request.body);
  const order = randomUUID();
  keep(order, document.Data.ConsentId, request.get('x-idempotency-key'), request.body);
  const data = { ...document.Data, DomesticPaymentId: order, Status: 'Pending' };
  const answer = JSON.stringify({ ...document, Data: data });
  response.status(201).type('application/json').set('x-jws-signature', await sign(answer)).send(answer);
});

const server = createServer({
  cert: readFileSync(config.certificate), key: readFileSync(config.key), ca: readFileSync(config.ca), requestCert: true,
}, app);
server.keepAliveTimeout = 3_600_000;
server.listen(config.port, '127.0.0.1');
