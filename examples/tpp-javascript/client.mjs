// A TPP in JavaScript: reads a customer's accounts, makes a signed payment, and waits for its event.
// Usage: node client.mjs DATA_FOLDER NAME [--browser]
// NAME is a folder under DATA_FOLDER/tpps. Without --browser the application must be headless (`lombard tpp create NAME --headless amelia`).
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import * as jose from "jose";
import * as oauth from "openid-client";
import { Agent, fetch } from "undici";

const [data, name, mode] = process.argv.slice(2);
if (!data || !name) throw new Error("usage: node client.mjs DATA_FOLDER NAME [--browser]");
const read = (path) => readFileSync(`${data}/${path}`, "utf8");
const bank = JSON.parse(read("endpoints.json"));
const tpp = JSON.parse(read(`tpps/${name}/tpp.json`));
const api = `${bank.resource_base}/v4.0`;
const browser = mode === "--browser";
// The sandbox's own page shows the answer to a person; an application may have it among its redirect URIs.
const page = tpp.redirect_uris.find((uri) => browser && uri.endsWith("/portal/callback"));
const redirectUri = page ?? tpp.redirect_uris[0];

// Mutual TLS: every connection presents the application's certificate. Redirects are the application's to follow.
const tls = { ca: read("ca.pem"), cert: read(`tpps/${name}/transport.pem`), key: read(`tpps/${name}/transport.key`) };
const dispatcher = new Agent({ connect: tls });
const send = (url, options = {}) => fetch(url, { ...options, dispatcher, redirect: "manual" });

// OpenID Connect: discovery, client authentication by a signed assertion, and the hybrid flow with request objects.
const key = await jose.importPKCS8(read(`tpps/${name}/signing.key`), "PS256");
const signing = { key, kid: tpp.signing_kid };
const metadata = {
  use_mtls_endpoint_aliases: true,
  id_token_signed_response_alg: "PS256",
  token_endpoint_auth_signing_alg: "PS256",
};
const authentication = tpp.token_endpoint_auth_method === "private_key_jwt" ? oauth.PrivateKeyJwt(signing) : oauth.TlsClientAuth();
const config = await oauth.discovery(new URL(bank.issuer), tpp.client_id, metadata, authentication, {
  [oauth.customFetch]: send,
  algorithm: "oidc",
});
oauth.useCodeIdTokenResponseType(config);
oauth.enableDetachedSignatureResponseChecks(config);
const bankKeys = jose.createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri), { [jose.customFetch]: send });

/** Sends a request with a token; gives the body of a success, and throws what a refusal says. */
async function call(token, method, path, body, headers = {}) {
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await send(`${api}/${path}`, { method, body, headers: { authorization: `Bearer ${token}`, ...headers } });
  const text = await answer.text();
  const id = answer.headers.get("x-fapi-interaction-id");
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text} (x-fapi-interaction-id ${id})`);
  return JSON.parse(text);
}

const own = "http://openbanking.org.uk/";

/** Sends a signed request: a detached JWS over the bytes of the body, and an idempotency key. */
async function signed(token, path, document) {
  const body = JSON.stringify(document);
  const header = {
    alg: "PS256",
    kid: tpp.signing_kid,
    typ: "JOSE",
    cty: "application/json",
    [`${own}iat`]: Math.floor(Date.now() / 1000),
    [`${own}iss`]: `${tpp.org_id}/${tpp.software_id}`,
    [`${own}tan`]: "openbanking.org.uk",
    crit: [`${own}iat`, `${own}iss`, `${own}tan`],
  };
  const known = { crit: Object.fromEntries(header.crit.map((claim) => [claim, true])) };
  const jws = await new jose.CompactSign(Buffer.from(body)).setProtectedHeader(header).sign(key, known);
  const [head, , signature] = jws.split(".");
  return await call(token, "POST", path, body, { "x-idempotency-key": randomUUID(), "x-jws-signature": `${head}..${signature}` });
}

/** Takes the customer to the bank for a consent, and gives the tokens for it. */
async function authorise(consent, scope) {
  const [state, nonce] = [oauth.randomState(), oauth.randomNonce()];
  const intent = { openbanking_intent_id: { value: consent, essential: true } };
  const asked = { scope: `openid ${scope}`, response_type: "code id_token" };
  const request = { ...asked, redirect_uri: redirectUri, state, nonce, claims: JSON.stringify({ id_token: intent }) };
  const url = await oauth.buildAuthorizationUrlWithJAR(config, request, signing);
  for (const [parameter, value] of Object.entries(asked)) url.searchParams.set(parameter, value);
  let back;
  if (browser) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    back = await terminal.question(`Open ${url}\nand paste the address of the page on which you end here: `);
    terminal.close();
  } else {
    const answer = await send(url);
    back = answer.headers.get("location");
    if (!back) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
    if (back.startsWith("/")) throw new Error("the bank asks a person to log in: run with --browser, or create the application with --headless");
  }
  return await oauth.authorizationCodeGrant(config, new URL(back.trim()), { expectedState: state, expectedNonce: nonce, idTokenExpected: true });
}

const ownToken = async (scope) => (await oauth.clientCredentialsGrant(config, { scope })).access_token;

// Account information.
const permissions = { Data: { Permissions: ["ReadAccountsDetail", "ReadBalances"] }, Risk: {} };
const access = await call(await ownToken("accounts"), "POST", "aisp/account-access-consents", JSON.stringify(permissions));
const reading = (await authorise(access.Data.ConsentId, "accounts")).access_token;
const accounts = (await call(reading, "GET", "aisp/accounts")).Data.Account;
for (const account of accounts) console.log(`account ${account.AccountId} ${account.Currency} ${account.Description ?? account.Nickname ?? ""}`);

// A payment: the consent, the customer's agreement, the order.
const payee = { SchemeName: "UK.OBIE.SortCodeAccountNumber", Identification: "20000319825731", Name: "Tea and Scones" };
const initiation = {
  InstructionIdentification: randomUUID().slice(0, 30),
  EndToEndIdentification: "EXAMPLE-JAVASCRIPT",
  InstructedAmount: { Amount: "1.25", Currency: "GBP" },
  CreditorAccount: payee,
};
const ownPayments = await ownToken("payments");
const wanted = await signed(ownPayments, "pisp/domestic-payment-consents", { Data: { Initiation: initiation }, Risk: {} });
const consent = wanted.Data.ConsentId;
const paying = (await authorise(consent, "payments")).access_token;
const order = await signed(paying, "pisp/domestic-payments", { Data: { ConsentId: consent, Initiation: initiation }, Risk: {} });
const id = order.Data.DomesticPaymentId;
console.log(`payment ${id} ${order.Data.Status}`);

// Events: a poll is held until there is one. Each is verified, read and acknowledged.
let ack = [];
for (let found = false; !found; ) {
  const { sets } = await call(ownPayments, "POST", "events", JSON.stringify({ maxEvents: 10, returnImmediately: false, ack }));
  ack = Object.keys(sets);
  for (const set of Object.values(sets)) {
    const crit = Object.fromEntries(["iat", "iss", "tan"].map((claim) => [own + claim, true]));
    const expected = { issuer: bank.issuer, audience: tpp.client_id, algorithms: ["PS256"], crit };
    const { payload } = await jose.jwtVerify(set, bankKeys, expected);
    const [kind] = Object.keys(payload.events);
    const resource = payload.events[kind].subject?.["http://openbanking.org.uk/rid"];
    if (resource === id) {
      found = true;
      console.log(`event ${payload.jti} ${kind.split(":").pop()}`);
    }
  }
}
await call(ownPayments, "POST", "events", JSON.stringify({ maxEvents: 0, returnImmediately: true, ack }));
const now = await call(ownPayments, "GET", `pisp/domestic-payments/${id}`);
console.log(`payment ${id} ${now.Data.Status}`);
