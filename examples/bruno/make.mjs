// Makes a Bruno collection of a running bank: every operation of its OpenAPI documents, with mutual TLS set up, and two requests to begin
// with. Usage: node make.mjs DATA_FOLDER NAME COLLECTION_FOLDER
// NAME is a folder under DATA_FOLDER/tpps, of an application that proves itself by its certificate
// (`lombard tpp create NAME --auth tls_client_auth`).
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
write("bruno.json", JSON.stringify({ version: "1", name: "Lombard", type: "collection", clientCertificates: { enabled: true, certs } }, null, 2));
write("collection.bru", "auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{token}}\n}\n");
write("environments/sandbox.bru", `vars {\n  baseUrl: ${bank.mtls}\n  clientId: ${tpp.client_id}\n}\n`);
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
