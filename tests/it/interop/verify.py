"""Verifies what the bank signed with the PyPI package `joserfc`. The first argument is the folder it is installed in; what is
to be verified comes as JSON on standard input, and what was found goes to standard output, as JSON."""

import json
import sys

sys.path.insert(0, sys.argv[1])

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.registry import HeaderParameter

asked = json.load(sys.stdin)
names = {f"http://openbanking.org.uk/{name}": kind for name, kind in [("iat", "int"), ("iss", "str"), ("tan", "str")]}
registry = jws.JWSRegistry(
    header_registry={name: HeaderParameter(name, kind, required=True) for name, kind in names.items()},
    algorithms=["PS256"],
)


def verified(token, keys, body=None):
    return jws.deserialize_compact(token, KeySet.import_key_set(keys), registry=registry, payload=body)


def refuses(token, keys, body=None):
    try:
        verified(token, keys, body)
    except (JoseError, ValueError):
        return True
    return False


claims = [json.loads(verified(token, asked["keys"]).payload) for token in asked["sound"]]
refused = sum(refuses(token, asked["keys"]) for token in asked["unsound"])
message = asked["message"]
verified(message["signature"], message["keys"], message["body"])
refused += refuses(message["signature"], message["keys"], message["body"] + " ")
print(json.dumps({"claims": claims, "refused": refused}))
