"""A client that openapi-python-client generated: reads accounts over mutual TLS. The arguments are the folder with the library, the
folder with the generated package `account_info`, and the file with what it is and needs; it writes what it got."""
import json
import ssl
import sys
import tempfile

sys.path[:0] = sys.argv[1:3]

from account_info import AuthenticatedClient
from account_info.api.accounts_v4_0 import get_accounts_v_4_0

with open(sys.argv[3]) as file:
    told = json.load(file)


def written(text):
    """A file with this text, for the library that reads keys from files."""
    part = tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False)
    part.write(text)
    part.close()
    return part.name


tls = ssl.create_default_context(cadata=told["ca"])
tls.load_cert_chain(written(told["certificate"]), written(told["key"]))
client = AuthenticatedClient(base_url=told["mtls"], token=told["token"], verify_ssl=tls)
answer = get_accounts_v_4_0.sync_detailed(client=client)
accounts = answer.parsed.data.account
print(json.dumps({"accounts": len(accounts), "currencies": [account.currency for account in accounts]}))
