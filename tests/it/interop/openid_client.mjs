// A TPP written with openid-client from npm, as it comes: reads what it is on its standard input, and writes what it got.
// The argument is the folder in which npm installed the library.
import { claims, consentRequest, library, metadata, mutual, redirected, say, signing, tpp } from "./tpp.mjs";

const client = await library("openid-client");
const key = await signing();
const authentication = tpp.method === "private_key_jwt" ? client.PrivateKeyJwt(key) : client.TlsClientAuth();

async function configured(...features) {
  const options = { [client.customFetch]: mutual, algorithm: "oidc" };
  const config = await client.discovery(new URL(tpp.issuer), tpp.client_id, metadata, authentication, options);
  client.enableNonRepudiationChecks(config);
  features.forEach((enable) => enable(config));
  return config;
}

async function consent(config) {
  const { access_token: token } = await client.clientCredentialsGrant(config, { scope: "accounts" });
  const headers = new Headers({ "content-type": "application/json" });
  const url = new URL(`${tpp.resource_base}/v4.0/aisp/account-access-consents`);
  const made = await client.fetchProtectedResource(config, token, url, "POST", consentRequest, headers);
  return (await made.json()).Data.ConsentId;
}

/** Has the sandbox decide for its customer, whose tokens are then the TPP's. */
async function authorised(config, responseType, parameters, pushed) {
  const id = await consent(config);
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  const challenge = { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" };
  const request = {
    redirect_uri: tpp.redirect_uri, scope: "openid accounts", state, nonce, claims: claims(id), response_type: responseType,
    ...challenge, ...parameters,
  };
  let url = await client.buildAuthorizationUrlWithJAR(config, request, key);
  if (pushed) {
    url = await client.buildAuthorizationUrlWithPAR(config, url.searchParams);
  } else {
    // OpenID Connect wants these beside a request object by value (Core, section 6.1).
    url.searchParams.set("response_type", responseType);
    url.searchParams.set("scope", request.scope);
  }
  const back = await redirected(url);
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  return { id, tokens, subject: tokens.claims().sub };
}

const said = {};

const hybrid = await configured(client.useCodeIdTokenResponseType, client.enableDetachedSignatureResponseChecks);
const first = await authorised(hybrid, "code id_token", {}, false);
said.hybrid = { consent: first.id, subject: first.subject };

const jarm = await configured(client.useJwtResponseMode);
const second = await authorised(jarm, "code", { response_mode: "jwt" }, true);
said.jarm = { consent: second.id, subject: second.subject };

const token = second.tokens.access_token;
const accounts = await client.fetchProtectedResource(jarm, token, new URL(`${tpp.resource_base}/v4.0/aisp/accounts`), "GET");
said.accounts = (await accounts.json()).Data.Account.length;
const refreshed = await client.refreshTokenGrant(jarm, second.tokens.refresh_token);
said.refreshed = refreshed.access_token !== token;
said.active = (await client.tokenIntrospection(jarm, refreshed.access_token)).active;
said.userinfo = (await client.fetchUserInfo(jarm, refreshed.access_token, second.subject)).sub;
await client.tokenRevocation(jarm, refreshed.access_token);
said.revoked = !(await client.tokenIntrospection(jarm, refreshed.access_token)).active;

if (tpp.ciba) {
  const id = await consent(jarm);
  // A request object of its own: the library signs authorisation requests only.
  const asked = { scope: "openid accounts", "openbanking-intent-id": id, login_hint_token: tpp.login_hint_token };
  const url = await client.buildAuthorizationUrlWithJAR(jarm, asked, key, {
    [client.modifyAssertion]: (header, payload) => {
      payload.nbf ??= Math.floor(Date.now() / 1000);
      delete payload.client_id;
      delete payload.response_mode;
      delete payload.response_type;
    },
  });
  const started = await client.initiateBackchannelAuthentication(jarm, { request: url.searchParams.get("request") });
  const tokens = await client.pollBackchannelAuthenticationGrant(jarm, started);
  said.ciba = { consent: id, subject: tokens.claims().sub };
}

say(said);
