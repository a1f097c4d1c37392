// What the TPPs of this folder share: the library that npm installed, what they are, fetch over mutual TLS, and their key.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { webcrypto } from "node:crypto";
import https from "node:https";

/** The library of this name in the folder that is the argument. */
export async function library(name) {
  const resolve = createRequire(pathToFileURL(`${process.argv[2]}/`)).resolve;
  return await import(pathToFileURL(resolve(name)));
}

let input = "";
for await (const chunk of process.stdin) input += chunk;
/** What the TPP is, as it is told on its standard input. */
export const tpp = JSON.parse(input);

const agent = new https.Agent({ ca: tpp.ca, cert: tpp.certificate, key: tpp.key, keepAlive: true });

/** fetch over mutual TLS; redirects are the caller's to follow. */
export async function mutual(url, options = {}) {
  return await new Promise((done, failed) => {
    const headers = Object.fromEntries(new Headers(options.headers));
    const body = options.body === undefined || options.body === null ? undefined : String(options.body);
    if (body !== undefined) headers["content-length"] = Buffer.byteLength(body);
    const request = https.request(url, { agent, method: options.method ?? "GET", headers }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => {
        const empty = [204, 205, 304].includes(answer.statusCode);
        const fields = Object.entries(answer.headers).flatMap(([name, value]) => [value].flat().map((it) => [name, it]));
        done(new Response(empty ? null : Buffer.concat(parts), { status: answer.statusCode, headers: fields }));
      });
    });
    request.on("error", failed);
    request.end(body);
  });
}

/** The private key, for PS256. */
export async function signing() {
  const der = Buffer.from(tpp.signing.replace(/-----[^-]+-----|\s/g, ""), "base64");
  const key = await webcrypto.subtle.importKey("pkcs8", der, { name: "RSA-PSS", hash: "SHA-256" }, false, ["sign"]);
  return { key, kid: tpp.kid };
}

/** What the client says of itself to the library. */
export const metadata = {
  use_mtls_endpoint_aliases: true,
  id_token_signed_response_alg: "PS256",
  authorization_signed_response_alg: "PS256",
  token_endpoint_auth_signing_alg: "PS256",
};

/** The body of a request for a consent. */
export const consentRequest = JSON.stringify({ Data: { Permissions: ["ReadAccountsBasic", "ReadBalances"] }, Risk: {} });

/** The claims parameter of a request for the authorisation of a consent. */
export function claims(consent) {
  const intent = { openbanking_intent_id: { value: consent, essential: true } };
  const acr = { acr: { essential: true, values: ["urn:openbanking:psd2:sca"] } };
  return JSON.stringify({ userinfo: intent, id_token: { ...intent, ...acr } });
}

/** Where the browser is sent with the response: the sandbox decides for its customer. */
export async function redirected(url) {
  const answer = await mutual(url);
  if (answer.status !== 302 && answer.status !== 303) throw new Error(`${answer.status}: ${await answer.text()}`);
  return new URL(answer.headers.get("location"));
}

/** Ends, and writes what the TPP got. */
export function say(said) {
  process.stdout.write(JSON.stringify(said), () => process.exit(0));
}
