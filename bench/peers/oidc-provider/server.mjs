// Issues tokens by client credentials with the package oidc-provider: clients authenticate by private_key_jwt, tokens are bound to the
// client's certificate, and everything is kept in memory.
//
// The one argument is a file of JSON: port; certificate, key and ca in PEM, as paths; issuer, which assertions are addressed to; token,
// the path of the token endpoint; client, its id; keys, its public JWKs; scope, what it may ask for.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import Provider from 'oidc-provider';

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const provider = new Provider(config.issuer, {
  clients: [{
    client_id: config.client,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    scope: config.scope,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'PS256',
    tls_client_certificate_bound_access_tokens: true,
    jwks: { keys: config.keys },
  }],
  clientAuthMethods: ['private_key_jwt'],
  enabledJWA: { clientAuthSigningAlgValues: ['PS256'] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    mTLS: {
      enabled: true,
      certificateBoundAccessTokens: true,
      getCertificate: (ctx) => ctx.socket.getPeerX509Certificate?.(),
    },
  },
  routes: { token: config.token },
  scopes: [config.scope],
  ttl: { ClientCredentials: 3_600 },
});

const server = createServer({
  cert: readFileSync(config.certificate), key: readFileSync(config.key), ca: readFileSync(config.ca), requestCert: true,
}, provider.callback());
server.keepAliveTimeout = 3_600_000;
server.listen(config.port, '127.0.0.1');
