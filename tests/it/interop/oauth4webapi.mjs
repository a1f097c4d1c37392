// A TPP written with oauth4webapi from npm, as it comes: reads what it is on its standard input, and writes what it got.
// The argument is the folder in which npm installed the library.
import { claims, consentRequest, library, metadata, mutual, redirected, say, signing, tpp } from "./tpp.mjs";

const oauth = await library("oauth4webapi");
const options = { [oauth.customFetch]: mutual };
const issuer = new URL(tpp.issuer);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
const client = { ...metadata, client_id: tpp.client_id };
const key = await signing();
const authentication = tpp.method === "private_key_jwt" ? oauth.PrivateKeyJwt(key) : oauth.TlsClientAuth();

async function consent() {
  const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, { scope: "accounts" }, options);
  const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, response);
  const url = new URL(`${tpp.resource_base}/v4.0/aisp/account-access-consents`);
  const headers = new Headers({ "content-type": "application/json" });
  const made = await oauth.protectedResourceRequest(token, "POST", url, headers, consentRequest, options);
  return (await made.json()).Data.ConsentId;
}

/** Pushes a signed request, has the sandbox decide for its customer, and exchanges the code. */
async function authorised(parameters, validated) {
  const id = await consent();
  const [state, nonce, verifier] =
    [oauth.generateRandomState(), oauth.generateRandomNonce(), oauth.generateRandomCodeVerifier()];
  const request = {
    redirect_uri: tpp.redirect_uri, scope: "openid accounts", state, nonce, claims: claims(id), ...parameters,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
  };
  const object = await oauth.issueRequestObject(server, client, request, key);
  const pushed = await oauth.pushedAuthorizationRequest(server, client, authentication, { request: object }, options);
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, pushed);
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({ client_id: tpp.client_id, request_uri });
  const response = await validated(await redirected(url), state, nonce);
  const exchanged =
    await oauth.authorizationCodeGrantRequest(server, client, authentication, response, tpp.redirect_uri, verifier, options);
  const expected = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, expected);
  await oauth.validateApplicationLevelSignature(server, exchanged, options);
  return { id, tokens, subject: oauth.getValidatedIdTokenClaims(tokens).sub };
}

const said = {};

const hybrid = await authorised({ response_type: "code id_token" }, (url, state, nonce) =>
  oauth.validateDetachedSignatureResponse(server, client, url, nonce, state, undefined, options));
said.hybrid = { consent: hybrid.id, subject: hybrid.subject };

const jarm = await authorised({ response_type: "code", response_mode: "jwt" }, (url, state) =>
  oauth.validateJwtAuthResponse(server, client, url, state, options));
said.jarm = { consent: jarm.id, subject: jarm.subject };

const token = jarm.tokens.access_token;
const url = new URL(`${tpp.resource_base}/v4.0/aisp/accounts`);
const accounts = await oauth.protectedResourceRequest(token, "GET", url, new Headers(), null, options);
said.accounts = (await accounts.json()).Data.Account.length;

const renewed = await oauth.refreshTokenGrantRequest(server, client, authentication, jarm.tokens.refresh_token, options);
const refreshed = (await oauth.processRefreshTokenResponse(server, client, renewed)).access_token;
said.refreshed = refreshed !== token;

async function isActive() {
  const asked = await oauth.introspectionRequest(server, client, authentication, refreshed, options);
  return (await oauth.processIntrospectionResponse(server, client, asked)).active;
}
said.active = await isActive();
const told = await oauth.userInfoRequest(server, client, refreshed, options);
said.userinfo = (await oauth.processUserInfoResponse(server, client, jarm.subject, told)).sub;
await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, refreshed, options));
said.revoked = !(await isActive());

say(said);
