// A bank's OpenID provider, made of the npm package `oidc-provider`. The first argument is the folder it is installed in.
//
// The first line of standard input is the configuration; each further line is a command. Each is JSON, and answered by a line of
// JSON on standard output. The program ends with its input. Its time stands still and is moved by a command.
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { generateKeyPairSync } from 'node:crypto';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => {
  const { value, done } = await lines.next();
  return done ? undefined : JSON.parse(value);
};
const answer = (document) => process.stdout.write(`${JSON.stringify(document)}\n`);

// Standard output is for answers: the library writes there what it would have a bank change.
console.info = () => {};

// now: seconds since 1970; acr: the name of a login with two factors; details: the type of authorization_details, if it takes any;
// pushed: whether it takes pushed requests; one_factor: whether it asks for the password alone; tls: { ca, certificate, key } in PEM,
// if clients may authenticate by a certificate.
const config = await read();

const SystemDate = globalThis.Date;
let now = config.now * 1000;
globalThis.Date = class extends SystemDate {
  constructor(...parts) { super(...(parts.length ? parts : [now])); }

  static now() { return now; }
};

const load = (file) => import(pathToFileURL(`${process.argv[2]}/node_modules/oidc-provider/lib/${file}`));
const { default: Provider, errors, interactionPolicy } = await load('index.js');
const { default: MemoryAdapter } = await load('adapters/memory_adapter.js');

const PURPOSE = 'urn:lombard:purpose';
const NAMES = { amelia: 'Amelia', deepak: 'Deepak' };
const jwk = (alg, kind, options) => {
  const { privateKey } = generateKeyPairSync(kind, options);
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig' };
};
const keys = [
  jwk('PS256', 'rsa', { modulusLength: 2048 }), jwk('ES256', 'ec', { namedCurve: 'P-256' }),
  jwk('RS256', 'rsa', { modulusLength: 2048 }),
];

const listen = (server) => new Promise((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve(server.address().port));
});
const plain = createPlainServer((request, response) => serve(request, response));
const issuer = `http://127.0.0.1:${await listen(plain)}`;
const authenticated = config.tls && createTlsServer(
  { ca: config.tls.ca, cert: config.tls.certificate, key: config.tls.key, requestCert: true, rejectUnauthorized: false },
  (request, response) => serve(request, response),
);
const authenticatedAt = authenticated && `https://127.0.0.1:${await listen(authenticated)}`;

// What the customer is asked to confirm, and what a careless provider makes of it.
let amount;
const confirmed = (purpose) => (amount && purpose?.amount ? { ...purpose, amount: { ...purpose.amount, amount } } : purpose);

const certificateOf = (ctx) => ctx.socket.getPeerX509Certificate?.();

const clients = new Map();
class Adapter extends MemoryAdapter {
  find(id) { return this.model === 'Client' ? clients.get(id) : super.find(id); }
}

// A provider that asks for the password alone does not heed what was asked for.
const policy = interactionPolicy.base();
if (config.one_factor) policy.get('login').checks.remove('essential_acrs');

const provider = new Provider(issuer, {
  adapter: Adapter,
  acrValues: [config.acr, 'password'],
  claims: {
    openid: ['sub'],
    acr: null,
    amr: null,
    auth_time: null,
    iss: null,
    customer: null,
    name: null,
    authorization_details: null,
    [PURPOSE]: null,
  },
  clientAuthMethods: ['private_key_jwt', ...(config.tls ? ['tls_client_auth'] : [])],
  clientBasedCORS: () => false,
  cookies: { keys: ['of a test'] },
  // Its guard against requests to this machine is for providers on the internet.
  fetch: (url, { dispatcher, ...options }) => fetch(url, options),
  findAccount: (ctx, sub, token) => NAMES[sub] && {
    accountId: sub,
    claims: () => ({
      sub,
      customer: sub,
      name: NAMES[sub],
      authorization_details: token?.rar?.map(confirmed),
      [PURPOSE]: confirmed(token?.claims?.id_token?.[PURPOSE]?.value),
    }),
  },
  features: {
    ciba: {
      enabled: true,
      deliveryModes: ['poll', 'ping'],
      processLoginHint: (ctx, hint) => hint,
      triggerAuthenticationDevice: (ctx, request) => { waiting.push(request); },
      validateBindingMessage: () => {},
      validateRequestContext: () => {},
      verifyUserCode: () => {},
    },
    claimsParameter: { enabled: true },
    devInteractions: { enabled: false },
    fapi: { enabled: config.pushed, profile: '2.0' },
    mTLS: {
      enabled: Boolean(config.tls),
      tlsClientAuth: true,
      getCertificate: (ctx) => certificateOf(ctx)?.toString(),
      certificateAuthorized: (ctx) => ctx.socket.authorized === true,
      certificateSubjectMatches: (ctx, property, expected) => property === 'tls_client_auth_san_dns'
        && certificateOf(ctx).subjectAltName === `DNS:${expected}`,
    },
    pushedAuthorizationRequests: { enabled: config.pushed },
    requestObjects: { request: true, requireSignedRequestObject: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (ctx) => (ctx.oidc.params?.authorization_details ? 'urn:bank.test:payments' : undefined),
      getResourceServerInfo: () => ({ scope: '', accessTokenFormat: 'opaque' }),
      useGrantedResource: () => true,
    },
    richAuthorizationRequests: config.details ? {
      enabled: true,
      ack: 'experimental-01',
      types: { [config.details]: { validate: () => {} } },
      rarForAuthorizationCode: (ctx) => ctx.oidc.grant.rar,
      rarForCodeResponse: (ctx) => ctx.oidc.entities.AuthorizationCode.rar,
    } : undefined,
    userinfo: { enabled: false },
  },
  interactions: { policy, url: (ctx, interaction) => `/interaction/${interaction.uid}` },
  jwks: { keys },
  pkce: { required: () => true },
  ...(authenticatedAt && {
    discovery: {
      mtls_endpoint_aliases: {
        token_endpoint: `${authenticatedAt}/token`,
        ...(config.pushed && { pushed_authorization_request_endpoint: `${authenticatedAt}/request` }),
        backchannel_authentication_endpoint: `${authenticatedAt}/backchannel`,
      },
    },
  }),
});

// Requests that wait for the customer's phone, and who has given the password in which interaction.
const waiting = [];
const identified = new Map();

const grantTo = async (customer, client, params) => {
  const grant = new provider.Grant({ accountId: customer, clientId: client });
  grant.addOIDCScope(params.scope);
  grant.addOIDCClaims(Object.keys(JSON.parse(params.claims ?? '{}').id_token ?? {}));
  JSON.parse(params.authorization_details ?? '[]').forEach((detail) => grant.addRar(detail));
  return grant.save();
};

const finish = async (request, response, { params }, customer, login) => {
  const grantId = await grantTo(customer, params.client_id, params);
  const result = { login: { accountId: customer, remember: true, ...login }, consent: { grantId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
};

const formOf = async (request) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  return new URLSearchParams(body);
};

const page = (response, html) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>The bank's login</title>${html}`);
};

const interact = async (request, response) => {
  const interaction = await provider.interactionDetails(request, response);
  const at = `/interaction/${interaction.uid}`;
  const step = request.url.slice(at.length + 1);
  if (request.method === 'GET') {
    page(response, `<form method="post" action="${at}/password"><input name="name" type="text">`
      + '<input name="password" type="password"></form>'
      + `<form method="post" action="${at}/cancel"><button name="cancel" value="yes">Cancel</button></form>`);
    return;
  }
  const form = await formOf(request);
  const [name, password] = [form.get('name'), form.get('password')];
  if (step === 'cancel') {
    await provider.interactionFinished(request, response, { error: 'access_denied' }, { mergeWithLastSubmission: false });
  } else if (step === 'password' && NAMES[name] && password === name) {
    if (config.one_factor) {
      await finish(request, response, interaction, name, { acr: 'password', amr: ['pwd'] });
      return;
    }
    identified.set(interaction.uid, name);
    page(response, `<p>Your code is <strong><code>482915</code></strong>.</p>`
      + `<form method="post" action="${at}/code"><input name="code" type="text"></form>`);
  } else if (step === 'code' && form.get('code') === '482915' && identified.has(interaction.uid)) {
    const customer = identified.get(interaction.uid);
    await finish(request, response, interaction, customer, { acr: config.acr, amr: ['pwd', 'otp'] });
  } else {
    response.statusCode = 403;
    page(response, '<p>That is wrong.</p>');
  }
};

const callback = provider.callback();
function serve(request, response) {
  const served = request.url.startsWith('/interaction/') ? interact(request, response) : callback(request, response);
  served.catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    response.statusCode = 500;
    response.end();
  });
}
const failures = [];
const note = (ctx, { error, error_description: description, error_detail: detail }) => {
  failures.push({ error, description, detail });
};
['authorization.error', 'pushed_authorization_request.error', 'grant.error', 'backchannel_authentication.error', 'server_error']
  .forEach((event) => provider.on(event, note));

const commands = {
  // Registers a client by its metadata (RFC 7591).
  register: (metadata) => { clients.set(metadata.client_id, metadata); },
  // Moves the time on by seconds.
  advance: (seconds) => { now += seconds * 1000; },
  // From now on, customers confirm this amount, whatever was asked for.
  amount: (other) => { amount = other; },
  // The customer approves, on the phone, the request that has waited longest (OpenID CIBA core), or refuses it.
  decide: async ({ approves }) => {
    const request = waiting.shift();
    const granted = () => grantTo(request.accountId, request.clientId, request.params);
    const result = approves ? await granted() : new errors.AccessDenied();
    await provider.backchannelResult(request, result, { acr: config.acr, amr: ['pwd', 'otp'], authTime: now / 1000 });
  },
  // The errors since the last time.
  failures: () => failures.splice(0),
};

answer({ issuer });
for (let line = await read(); line; line = await read()) {
  const [[name, argument]] = Object.entries(line);
  answer({ done: (await commands[name](argument)) ?? null });
}
process.exit(0);
