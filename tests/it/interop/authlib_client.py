"""A TPP written with Authlib, joserfc and httpx2 from PyPI, as they come: registers, gets tokens and a customer's data, and deletes its
registration. Reads what it is on its standard input, and writes what it got. The argument is the folder with the libraries."""
import base64
import json
import ssl
import sys
import tempfile
import time
import uuid
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, sys.argv[1])

import httpx2
from authlib.integrations.httpx_client import OAuth2Client
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc import jwk, jwt

tpp = json.load(sys.stdin)


def file(text):
    """A file with this text, for the libraries that read keys from files."""
    written = tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False)
    written.write(text)
    written.close()
    return written.name


def mutual(who):
    """TLS with the certificate of this TPP."""
    context = ssl.create_default_context(cadata=tpp["ca"])
    context.load_cert_chain(file(who["certificate"]), file(who["key"]))
    return context


def sign(who, claims):
    """A JWT of this TPP."""
    key = jwk.RSAKey.import_key(who["signing"])
    return jwt.encode({"alg": "PS256", "kid": who["kid"]}, claims, key, algorithms=["PS256"])


class Assertion(PrivateKeyJWT):
    """Client assertions of PS256, where the library signs with RS256."""

    def __init__(self, who, endpoint):
        super().__init__(endpoint)
        self.who, self.endpoint = who, endpoint

    def sign(self, auth, token_endpoint):
        now = int(time.time())
        client = auth.client_id
        claims = {"iss": client, "sub": client, "aud": self.endpoint, "iat": now, "exp": now + 300, "jti": str(uuid.uuid4())}
        return sign(self.who, claims)


def session(who, client, server):
    """A session of a registered client."""
    made = OAuth2Client(
        client,
        client_secret=who["signing"],
        token_endpoint_auth_method="private_key_jwt",
        revocation_endpoint_auth_method="private_key_jwt",
        redirect_uri=who["redirect_uri"],
        token_endpoint=server["token_endpoint"],
        verify=mutual(who),
    )
    made.register_client_auth_method(Assertion(who, server["token_endpoint"]))
    return made


def payload(token):
    """What a JWT says."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


said = {}
shop, robot = tpp["unregistered"], tpp["registered"]
with httpx2.Client(verify=mutual(shop)) as http:
    server = http.get(tpp["well_known"]).json()
    now = int(time.time())
    statement = payload(shop["software_statement"])
    request = {
        "iss": statement["software_id"],
        "aud": server["issuer"],
        "iat": now,
        "exp": now + 300,
        "jti": str(uuid.uuid4()),
        "software_statement": shop["software_statement"],
        "redirect_uris": [shop["redirect_uri"]],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_signing_alg": "PS256",
        "grant_types": ["client_credentials", "authorization_code", "refresh_token"],
        "response_types": ["code id_token"],
        "application_type": "web",
        "scope": "openid accounts",
        "id_token_signed_response_alg": "PS256",
        "request_object_signing_alg": "PS256",
    }
    headers = {"content-type": "application/jose"}
    answer = http.post(server["registration_endpoint"], content=sign(shop, request), headers=headers)
    answer.raise_for_status()
    registered = answer.json()
    said["registered"] = [registered["scope"], registered["software_client_name"]]
    with session(shop, registered["client_id"], server) as own:
        token = own.fetch_token(grant_type="client_credentials")
        place = f"{server['registration_endpoint']}/{registered['client_id']}"
        bearer = {"authorization": f"Bearer {token['access_token']}"}
        said["read"] = http.get(place, headers=bearer).json() == registered
        said["deleted"] = [http.delete(place, headers=bearer).status_code, http.get(place, headers=bearer).status_code]

with session(robot, robot["client_id"], server) as own:
    token = own.fetch_token(grant_type="client_credentials", scope="accounts")
    body = {"Data": {"Permissions": ["ReadAccountsBasic", "ReadBalances"]}, "Risk": {}}
    made = own.post(f"{tpp['resource_base']}/v3.1/aisp/account-access-consents", json=body)
    consent = made.json()["Data"]["ConsentId"]
    now, state, nonce = int(time.time()), str(uuid.uuid4()), str(uuid.uuid4())
    intent = {"openbanking_intent_id": {"value": consent, "essential": True}}
    asked = {
        "iss": robot["client_id"],
        "aud": server["issuer"],
        "client_id": robot["client_id"],
        "response_type": "code id_token",
        "redirect_uri": robot["redirect_uri"],
        "scope": "openid accounts",
        "state": state,
        "nonce": nonce,
        "nbf": now,
        "exp": now + 300,
        "claims": {"id_token": intent},
    }
    outer = {"response_type": "code id_token", "scope": "openid accounts", "request": sign(robot, asked)}
    url, _ = own.create_authorization_url(server["authorization_endpoint"], state=state, **outer)
    back = parse_qs(urlsplit(httpx2.get(url, verify=mutual(robot)).headers["location"]).fragment)
    keys = jwk.KeySet.import_key_set(httpx2.get(server["jwks_uri"], verify=mutual(robot)).json())
    front = jwt.decode(back["id_token"][0], keys, algorithms=["PS256"]).claims
    said["front"] = front["nonce"] == nonce and front["openbanking_intent_id"] == consent
    tokens = own.fetch_token(grant_type="authorization_code", code=back["code"][0], redirect_uri=robot["redirect_uri"])
    accounts = own.get(f"{tpp['resource_base']}/v3.1/aisp/accounts", headers={"accept": "application/json"})
    said["accounts"] = len(accounts.json()["Data"]["Account"])
    refreshed = own.refresh_token(server["token_endpoint"], refresh_token=tokens["refresh_token"])
    said["refreshed"] = refreshed["access_token"] != tokens["access_token"]
    said["active"] = own.introspect_token(server["introspection_endpoint"], token=refreshed["access_token"]).json()["active"]
    own.revoke_token(server["revocation_endpoint"], token=refreshed["access_token"]).raise_for_status()
    said["revoked"] = own.get(f"{tpp['resource_base']}/v3.1/aisp/accounts").status_code

print(json.dumps(said))
