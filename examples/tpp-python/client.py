"""A TPP in Python: reads a customer's accounts, makes a signed payment, and waits for its event.

Usage: python3 client.py DATA_FOLDER NAME [--browser]
NAME is a folder under DATA_FOLDER/tpps. Without --browser the application must be headless
(`lombard tpp create NAME --headless amelia`)."""
import base64
import hashlib
import json
import ssl
import sys
import time
import uuid
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
from authlib.integrations.httpx_client import OAuth2Client
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc import jwk, jws, jwt
from joserfc.registry import HeaderParameter

if len(sys.argv) < 3:
    sys.exit("usage: python3 client.py DATA_FOLDER NAME [--browser]")
data, name, browser = Path(sys.argv[1]), sys.argv[2], "--browser" in sys.argv[3:]
folder = data / "tpps" / name
bank = json.loads((data / "endpoints.json").read_text())
tpp = json.loads((folder / "tpp.json").read_text())
api, client = f"{bank['resource_base']}/v4.0", tpp["client_id"]
key = jwk.RSAKey.import_key((folder / "signing.key").read_text())
# The sandbox's own page shows the answer to a person; an application may have it among its redirect URIs.
uris = tpp["redirect_uris"]
redirect_uri = next((uri for uri in uris if browser and uri.endswith("/portal/callback")), uris[0])

# Mutual TLS: every connection presents the application's certificate.
tls = ssl.create_default_context(cafile=data / "ca.pem")
tls.load_cert_chain(folder / "transport.pem", folder / "transport.key")
http = httpx2.Client(verify=tls, timeout=30)
server = http.get(bank["well_known"]).raise_for_status().json()
if server["issuer"] != bank["issuer"]:
    sys.exit("the discovery document names another issuer")
bank_keys = jwk.KeySet.import_key_set(http.get(server["jwks_uri"]).raise_for_status().json())


def sign(claims):
    """A JWT of this application."""
    return jwt.encode({"alg": "PS256", "kid": tpp["signing_kid"]}, claims, key, algorithms=["PS256"])


def lifetime():
    """The claims of a JWT that is used once, within five minutes."""
    now = int(time.time())
    return {"iat": now, "nbf": now, "exp": now + 300, "jti": str(uuid.uuid4())}


class Assertion(PrivateKeyJWT):
    """Client assertions of PS256, where the library signs with RS256."""

    def sign(self, auth, token_endpoint):
        return sign({"iss": client, "sub": client, "aud": bank["issuer"], **lifetime()})


def session(scope):
    """A session with the token of the application itself, by client credentials."""
    made = OAuth2Client(
        client,
        client_secret=(folder / "signing.key").read_text(),
        token_endpoint_auth_method="private_key_jwt",
        redirect_uri=redirect_uri,
        token_endpoint=server["token_endpoint"],
        verify=tls,
        timeout=30,
    )
    made.register_client_auth_method(Assertion(server["token_endpoint"]))
    made.fetch_token(grant_type="client_credentials", scope=scope)
    return made


def call(tpp_session, method, path, **more):
    """Sends a request with the session's token; gives the body of a success, and ends with what a refusal says."""
    answer = tpp_session.request(method, f"{api}/{path}", **more)
    if answer.is_error:
        interaction = answer.headers.get("x-fapi-interaction-id")
        sys.exit(f"{method} {path}: {answer.status_code} {answer.text} (x-fapi-interaction-id {interaction})")
    return answer.json()


OWN = [f"http://openbanking.org.uk/{claim}" for claim in ("iat", "iss", "tan")]
KINDS = zip(OWN, ("int", "str", "str"))
REGISTRY = jws.JWSRegistry(header_registry={claim: HeaderParameter(claim, kind) for claim, kind in KINDS}, algorithms=["PS256"])


def signed(tpp_session, path, document):
    """Sends a signed request: a detached JWS over the bytes of the body, and an idempotency key."""
    body = json.dumps(document)
    values = [int(time.time()), f"{tpp['org_id']}/{tpp['software_id']}", "openbanking.org.uk"]
    header = {"alg": "PS256", "kid": tpp["signing_kid"], "typ": "JOSE", "cty": "application/json", **dict(zip(OWN, values)), "crit": OWN}
    head, _, signature = jws.serialize_compact(header, body, key, registry=REGISTRY).split(".")
    headers = {"content-type": "application/json", "x-idempotency-key": str(uuid.uuid4()), "x-jws-signature": f"{head}..{signature}"}
    return call(tpp_session, "POST", path, content=body, headers=headers)


def half_hash(text):
    """How an identity token names a code or a state: the left half of the SHA-256."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:16]).rstrip(b"=").decode()


def authorise(scope, consent):
    """Takes the customer to the bank for a consent, and gives a session with the customer's token."""
    made, state, nonce = session(scope), str(uuid.uuid4()), str(uuid.uuid4())
    asked = {"response_type": "code id_token", "scope": f"openid {scope}"}
    intent = {"openbanking_intent_id": {"value": consent, "essential": True}}
    claims = {"iss": client, "aud": bank["issuer"], "client_id": client, "redirect_uri": redirect_uri, "state": state, "nonce": nonce}
    request = sign({**claims, **asked, **lifetime(), "claims": {"id_token": intent}})
    url, _ = made.create_authorization_url(server["authorization_endpoint"], state=state, request=request, **asked)
    if browser:
        print(f"Open {url}\nand paste the address of the page on which you end here:", file=sys.stderr)
        back = input().strip()
    else:
        answer = http.get(url)
        back = answer.headers.get("location") or sys.exit(f"no redirect: {answer.status_code} {answer.text}")
        back.startswith("/") and sys.exit("the bank asks a person to log in: use --browser, or create the application with --headless")
    answer = {parameter: values[0] for parameter, values in parse_qs(urlsplit(back).fragment).items()}
    if "error" in answer:
        sys.exit(f"refused: {answer}")
    # The identity token signs the answer: it is this bank's, for this request, and for this code and state.
    identity = jwt.decode(answer["id_token"], bank_keys, algorithms=["PS256"]).claims
    expected = {"iss": bank["issuer"], "aud": client, "nonce": nonce, "openbanking_intent_id": consent}
    expected |= {"c_hash": half_hash(answer["code"]), "s_hash": half_hash(state)}
    jwt.JWTClaimsRegistry(**{claim: {"essential": True, "value": value} for claim, value in expected.items()}).validate(identity)
    if answer.get("state") != state:
        sys.exit("the answer is for another request")
    made.fetch_token(grant_type="authorization_code", code=answer["code"], redirect_uri=redirect_uri)
    return made


# Account information.
permissions = {"Data": {"Permissions": ["ReadAccountsDetail", "ReadBalances"]}, "Risk": {}}
access = call(session("accounts"), "POST", "aisp/account-access-consents", json=permissions)
for account in call(authorise("accounts", access["Data"]["ConsentId"]), "GET", "aisp/accounts")["Data"]["Account"]:
    print("account", account["AccountId"], account["Currency"], account.get("Description", ""))

# A payment: the consent, the customer's agreement, the order.
initiation = {
    "InstructionIdentification": uuid.uuid4().hex[:30],
    "EndToEndIdentification": "EXAMPLE-PYTHON",
    "InstructedAmount": {"Amount": "1.25", "Currency": "GBP"},
    "CreditorAccount": {"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "20000319825731", "Name": "Tea and Scones"},
}
own = session("payments")
consent = signed(own, "pisp/domestic-payment-consents", {"Data": {"Initiation": initiation}, "Risk": {}})["Data"]["ConsentId"]
order = {"Data": {"ConsentId": consent, "Initiation": initiation}, "Risk": {}}
made = signed(authorise("payments", consent), "pisp/domestic-payments", order)["Data"]
order_id = made["DomesticPaymentId"]
print("payment", order_id, made["Status"])

# Events: a poll is held until there is one. Each is verified, read and acknowledged.
for_us = jwt.JWTClaimsRegistry(iss={"essential": True, "value": bank["issuer"]}, aud={"essential": True, "value": client})
ack, seen = [], None
while not seen:
    sets = call(own, "POST", "events", json={"maxEvents": 10, "returnImmediately": False, "ack": ack})["sets"]
    ack = list(sets)
    for token in sets.values():
        event = jwt.decode(token, bank_keys, registry=REGISTRY).claims
        for_us.validate(event)
        for kind, what in event["events"].items():
            if what["subject"].get("http://openbanking.org.uk/rid") == order_id:
                seen = f"event {event['jti']} {kind.rsplit(':', 1)[1]}"
print(seen)
call(own, "POST", "events", json={"maxEvents": 0, "returnImmediately": True, "ack": ack})
print("payment", order_id, call(own, "GET", f"pisp/domestic-payments/{order_id}")["Data"]["Status"])
