// Makes a Bruno collection of a running bank: every operation of its OpenAPI documents, with mutual TLS and message signatures set up, two
// requests to begin with (`begin`), and those of a payment (`pay`). Usage: node make.mjs DATA_FOLDER NAME COLLECTION_FOLDER
// NAME is a folder under DATA_FOLDER/tpps, of an application that proves itself by its certificate
// (`lombard tpp create NAME --auth tls_client_auth --headless amelia`; `pay` needs a headless one).
// Signing needs Bruno's developer mode: `bru run pay --env sandbox --sandbox=developer`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, cpSync, statSync } from "node:fs";
import https from "node:https";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const [data, name, output] = process.argv.slice(2);
if (!data || !name || !output) throw new Error("usage: node make.mjs DATA_FOLDER NAME COLLECTION_FOLDER");
const read = (path) => JSON.parse(readFileSync(join(data, path), "utf8"));
const bank = read("endpoints.json");
const tpp = read(`tpps/${name}/tpp.json`);
if (tpp.token_endpoint_auth_method !== "tls_client_auth") throw new Error(`${name} does not prove itself by its certificate`);
const ca = readFileSync(join(data, "ca.pem"));

/** The text at this address of the public listener. */
async function fetched(path) {
  return await new Promise((done, failed) => {
    const request = https.get(bank.public + path, { ca }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => (answer.statusCode === 200 ? done(Buffer.concat(parts)) : failed(new Error(`${path}: ${answer.statusCode}`))));
    });
    request.on("error", failed);
  });
}

/** Has Bruno import a document; what it makes is copied into a folder of the collection. */
function imported(document, folder) {
  const program = join(dirname(createRequire(import.meta.url).resolve("@usebruno/cli/package.json")), "bin/bru.js");
  const made = mkdtempSync(join(tmpdir(), "bruno-"));
  const options = ["--source", document, "--output", made, "--collection-name", "made", "--collection-format", "bru"];
  execFileSync(process.execPath, [program, "import", "openapi", ...options], { stdio: ["ignore", "ignore", "inherit"] });
  for (const entry of readdirSync(join(made, "made"))) {
    const path = join(made, "made", entry);
    if (statSync(path).isDirectory() && entry !== "environments") cpSync(path, join(folder, entry), { recursive: true });
  }
  rmSync(made, { recursive: true });
}

const write = (path, text) => {
  mkdirSync(dirname(join(output, path)), { recursive: true });
  writeFileSync(join(output, path), text);
};

// Only a collection, or an empty folder, is replaced.
const found = existsSync(output) ? readdirSync(output) : [];
if (found.length > 0 && !found.includes("bruno.json")) throw new Error(`${output} holds something else than a collection`);
rmSync(output, { recursive: true, force: true });
const mtls = new URL(bank.mtls);
const certificate = (file) => resolve(data, "tpps", name, file);
const certs = [{ domain: mtls.host, type: "cert", certFilePath: certificate("transport.pem"), keyFilePath: certificate("transport.key"), passphrase: "" }];
const scripts = { moduleWhitelist: ["crypto", "fs"], filesystemAccess: { allow: true } };
write("bruno.json", JSON.stringify({ version: "1", name: "Lombard", type: "collection", scripts, clientCertificates: { enabled: true, certs } }, null, 2));
write("collection.bru", `auth {
  mode: bearer
}

auth:bearer {
  token: {{token}}
}

script:pre-request {
  // A request that must be signed has this header, empty or with the example of the document.
  if (req.getHeader("x-jws-signature") !== undefined) {
    const { detached } = require("./sign.js");
    // Variables are filled in before the signature is made, and not afterwards.
    const body = bru.interpolate(typeof req.getBody() === "string" ? req.getBody() : JSON.stringify(req.getBody()));
    req.setBody(body);
    req.setHeader("x-jws-signature", detached(bru.getEnvVar.bind(bru), body));
    req.setHeader("x-idempotency-key", require("crypto").randomUUID());
  }
}
`);
write("sign.js", `// Signs as the application does, with PS256: RSA-PSS with SHA-256, and a salt as long as the digest.
const crypto = require("crypto");
const fs = require("fs");

const part = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const ps256 = (env, input) => {
  const key = { key: fs.readFileSync(env("signingKey"), "utf8"), padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return crypto.sign("sha256", Buffer.from(input), key).toString("base64url");
};

/** The value of x-jws-signature for this body: a detached JWS. */
exports.detached = (env, body) => {
  const own = (claim) => "http://openbanking.org.uk/" + claim;
  const header = { alg: "PS256", kid: env("kid"), typ: "JOSE", cty: "application/json", crit: ["iat", "iss", "tan"].map(own) };
  const now = Math.floor(Date.now() / 1000);
  Object.assign(header, { [own("iat")]: now, [own("iss")]: env("signer"), [own("tan")]: "openbanking.org.uk" });
  return part(header) + ".." + ps256(env, part(header) + "." + part(body));
};

/** A signed authorisation request for this consent to payments. */
exports.authorisationRequest = (env, consent, state) => {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: env("clientId"), aud: env("issuer"), client_id: env("clientId"), redirect_uri: env("redirectUri"), state,
    response_type: "code id_token", scope: "openid payments", nonce: crypto.randomUUID(), jti: crypto.randomUUID(),
    iat: now, nbf: now, exp: now + 300, claims: { id_token: { openbanking_intent_id: { value: consent, essential: true } } },
  };
  const message = part({ alg: "PS256", kid: env("kid") }) + "." + part(claims);
  return message + "." + ps256(env, message);
};
`);
write("environments/sandbox.bru", `vars {
  baseUrl: ${bank.mtls}
  public: ${bank.public}
  issuer: ${bank.issuer}
  clientId: ${tpp.client_id}
  redirectUri: ${tpp.redirect_uris[0]}
  kid: ${tpp.signing_kid}
  signer: ${tpp.org_id}/${tpp.software_id}
  signingKey: ${certificate("signing.key")}
}
`);
write("begin/1 token.bru", `meta {
  name: token
  type: http
  seq: 1
}

post {
  url: {{baseUrl}}/token
  body: formUrlEncoded
  auth: none
}

body:form-urlencoded {
  grant_type: client_credentials
  scope: accounts
  client_id: {{clientId}}
}

vars:post-response {
  token: res.body.access_token
}

assert {
  res.status: eq 200
  res.body.token_type: eq Bearer
}
`);
write("begin/2 consent.bru", `meta {
  name: consent
  type: http
  seq: 2
}

post {
  url: {{baseUrl}}/open-banking/v4.0/aisp/account-access-consents
  body: json
  auth: inherit
}

body:json {
  {"Data": {"Permissions": ["ReadAccountsDetail", "ReadBalances"]}, "Risk": {}}
}

vars:post-response {
  ConsentId: res.body.Data.ConsentId
}

assert {
  res.status: eq 201
  res.body.Data.Status: eq AWAU
}
`);
const token = (name, seq, fields) => `meta {
  name: ${name}
  type: http
  seq: ${seq}
}

post {
  url: {{baseUrl}}/token
  body: formUrlEncoded
  auth: none
}

body:form-urlencoded {
${fields.map((field) => `  ${field}`).join("\n")}
  client_id: {{clientId}}
}

vars:post-response {
  token: res.body.access_token
}

assert {
  res.status: eq 200
}
`;
const signed = (name, seq, path, body, after, status) => `meta {
  name: ${name}
  type: http
  seq: ${seq}
}

post {
  url: {{baseUrl}}/open-banking/v4.0/pisp/${path}
  body: json
  auth: inherit
}

headers {
  x-jws-signature: signed
}

body:json {
  ${body}
}

vars:post-response {
  ${after}
}

assert {
  res.status: eq 201
  res.body.Data.Status: eq ${status}
}
`;
const initiation = JSON.stringify({
  InstructionIdentification: "BRUNO-1",
  EndToEndIdentification: "BRUNO-1",
  InstructedAmount: { Amount: "1.25", Currency: "GBP" },
  CreditorAccount: { SchemeName: "UK.OBIE.SortCodeAccountNumber", Identification: "20000319825731", Name: "Tea and Scones" },
});
write("pay/1 token.bru", token("own token", 1, ["grant_type: client_credentials", "scope: payments"]));
const wanted = `{"Data": {"Initiation": ${initiation}}, "Risk": {}}`;
write("pay/2 consent.bru", signed("payment consent", 2, "domestic-payment-consents", wanted, "PaymentConsentId: res.body.Data.ConsentId", "AWAU"));
write("pay/3 authorise.bru", `meta {
  name: authorise
  type: http
  seq: 3
}

get {
  url: {{public}}/authorize
  body: none
  auth: none
}

settings {
  followRedirects: false
}

script:pre-request {
  const { authorisationRequest } = require("./sign.js");
  const query = new URLSearchParams({ client_id: bru.getEnvVar("clientId"), response_type: "code id_token", scope: "openid payments" });
  query.set("request", authorisationRequest(bru.getEnvVar.bind(bru), bru.getVar("PaymentConsentId"), "bruno"));
  req.setUrl(bru.getEnvVar("public") + "/authorize?" + query);
}

script:post-response {
  const answer = new URLSearchParams((res.getHeader("location") ?? "").split("#")[1]);
  bru.setVar("code", answer.get("code"));
}

tests {
  test("the customer agrees", () => expect(bru.getVar("code")).to.be.a("string"));
}
`);
write("pay/4 token.bru", token("token of the customer", 4, ["grant_type: authorization_code", "code: {{code}}", "redirect_uri: {{redirectUri}}"]));
const order = `{"Data": {"ConsentId": "{{PaymentConsentId}}", "Initiation": ${initiation}}, "Risk": {}}`;
write("pay/5 order.bru", signed("payment", 5, "domestic-payments", order, "DomesticPaymentId: res.body.Data.DomesticPaymentId", "RCVD"));
const fetchedDocuments = mkdtempSync(join(tmpdir(), "bruno-"));
const list = (await fetched("/llms.txt")).toString();
const documents = [...list.matchAll(/\/openapi\/([a-z-]+)\.json/g)].map((found) => found[1]);
for (const document of documents) {
  const file = join(fetchedDocuments, `${document}.json`);
  writeFileSync(file, await fetched(`/openapi/${document}.json`));
  imported(file, join(output, document));
}
rmSync(fetchedDocuments, { recursive: true });
console.log(`${documents.length} documents are in ${output}`);
