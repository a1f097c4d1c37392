// Verifies what the bank signed with the npm package `jose`. The first argument is the folder it is installed in; what is to
// be verified comes as JSON on standard input, and what was found goes to standard output, as JSON.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
const find = createRequire(`${process.argv[2]}/`);
const jose = await import(pathToFileURL(find.resolve('jose')));

const { keys, sound, unsound, message } = JSON.parse(readFileSync(0, 'utf8'));
const names = ['iat', 'iss', 'tan'].map((name) => `http://openbanking.org.uk/${name}`);
const options = { algorithms: ['PS256'], crit: Object.fromEntries(names.map((name) => [name, true])) };
const text = (bytes) => new TextDecoder().decode(bytes);

const claims = [];
for (const token of sound) {
  const { payload, protectedHeader } = await jose.compactVerify(token, jose.createLocalJWKSet(keys), options);
  if (names.some((name) => protectedHeader[name] === undefined)) throw new Error('a member of the header is missing');
  claims.push(JSON.parse(text(payload)));
}
let refused = 0;
for (const token of unsound) {
  await jose.compactVerify(token, jose.createLocalJWKSet(keys), options).catch(() => { refused += 1; });
}
const [header, , signature] = message.signature.split('.');
const detached = (body) => ({ protected: header, payload: jose.base64url.encode(body), signature });
const whose = jose.createLocalJWKSet(message.keys);
await jose.flattenedVerify(detached(message.body), whose, options);
await jose.flattenedVerify(detached(`${message.body} `), whose, options).catch(() => { refused += 1; });
console.log(JSON.stringify({ claims, refused }));
