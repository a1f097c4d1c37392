"""A small core that serves Lombard's core API (docs/reference/core-api.yaml): mutual TLS, and a SQLite database.

It needs Python 3.11 and nothing else. docs/operating/core.md walks through it. bank.sql has its tables and two customers.
"""
import argparse
import datetime
import decimal
import json
import pathlib
import sqlite3
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE = "/core/v1/"
BODY_BYTES_MAX = 8 * 1024 * 1024
METHODS = {}  # name: (function, the members that a request needs, with their types)

# ---- Values -----------------------------------------------------------------------------------------------------------------------
def instant(text):
    """A time as it is stored: UTC with microseconds, so that texts sort as times do. None stays None."""
    at = text and datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc)
    return at and at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
def now():
    return instant(datetime.datetime.now(datetime.timezone.utc).isoformat())
def digits(currency):
    return 0 if currency == "JPY" else 2
def amount(minor, currency):
    """An amount without its sign, from the smallest units of its currency. Never use floating point for money."""
    text = str(decimal.Decimal(abs(minor)).scaleb(-digits(currency)))
    return {"Amount": text, "Currency": currency}
def minor_units(value):
    """An amount of a request in the smallest units of its currency; None if it has more decimals."""
    minor = decimal.Decimal(value["Amount"]).scaleb(digits(value["Currency"]))
    return int(minor) if minor == int(minor) else None
def signed(minor, currency):
    return {"CreditDebitIndicator": "Credit" if minor >= 0 else "Debit", "Amount": amount(minor, currency)}
def marks(values):
    return ",".join("?" * len(values))

# ---- Accounts ---------------------------------------------------------------------------------------------------------------------
def method(name, **needs):
    """Registers the function that answers a method."""
    def register(function):
        METHODS[name] = (function, needs)
        return function
    return register

def open_accounts(db, ids):
    """The open accounts among these, in the order of the ids. Closed and unknown ones are left out of every answer."""
    rows = db.execute(f"SELECT * FROM account WHERE is_open AND id IN ({marks(ids)})", ids)
    found = {row["id"]: row for row in rows}
    return [found[it] for it in ids if it in found]

def booked(db, account):
    row = db.execute("SELECT balance FROM entry WHERE account = ? ORDER BY seq DESC LIMIT 1", [account]).fetchone()
    return row["balance"] if row else 0

def account_record(db, row):
    name = db.execute("SELECT name FROM customer WHERE id = ?", [row["customer"]]).fetchone()["name"]
    number = {"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": row["number"], "Name": name}
    return {"AccountId": row["id"], "Status": "Enabled", "StatusUpdateDateTime": row["since"], "Currency": row["currency"],
            "AccountType": "Personal", "AccountSubType": "CurrentAccount", "Nickname": row["nickname"], "Account": [number]}

@method("accounts")
def accounts(db, asked):
    return {"Account": [account_record(db, row) for row in open_accounts(db, asked.get("AccountId") or [])]}

@method("eligible-accounts", PSU=str)
def eligible_accounts(db, asked):
    rows = db.execute("SELECT * FROM account WHERE is_open AND customer = ? ORDER BY id", [asked["PSU"]])
    return {"Account": [account_record(db, row) for row in rows.fetchall()]}

@method("balances")
def balances(db, asked):
    """Both kinds are the same here: this core reserves nothing and gives no credit."""
    at = now()
    return {"Balance": [{"AccountId": row["id"], "Type": kind, "DateTime": at, **signed(booked(db, row["id"]), row["currency"])}
                        for row in open_accounts(db, asked.get("AccountId") or [])
                        for kind in ("InterimBooked", "InterimAvailable")]}

def page(db, asked, select, values, place, newest_first=False):
    """A page of `select`, whose rows sort by the text `place`, which is also the position that Lombard sends back."""
    size, position = asked["PageSize"], (asked.get("Position") or {}).get("Id")
    is_back = asked.get("Direction") == "Previous"
    order = "DESC" if newest_first != is_back else "ASC"
    after = f"WHERE place {'<' if order == 'DESC' else '>'} ?" if position else ""
    rows = db.execute(f"SELECT * FROM (SELECT *, {place} AS place FROM ({select})) {after} ORDER BY place {order} LIMIT ?",
                      [*values, *([position] if position else []), size + 1]).fetchall()
    has_more, rows = len(rows) > size, rows[:size]
    has_other = bool(position) and bool(rows)  # the page that was left lies on the other side
    if is_back:
        rows.reverse()
        has_more, has_other = has_other, has_more
    answer = {"AsOf": asked.get("AsOf") or 0, "Open": bool(open_accounts(db, asked.get("AccountId") or []))}
    if has_more:
        answer["Next"] = {"Id": rows[-1]["place"]}
    if has_other:
        answer["Previous"] = {"Id": rows[0]["place"]}
    return rows, answer

def period(asked, prefix, start, end):
    """The part of a WHERE clause for a period, with its values: what the consent covers, or what is asked for. Bounds belong to it."""
    bounds = [(f"AND {start} >= ?", instant(asked.get(prefix + "FromDateTime"))), (f"AND {end} <= ?", instant(asked.get(prefix + "ToDateTime")))]
    return " ".join(term for term, at in bounds if at), [at for _, at in bounds if at]

def span(db, answer, first, last, select, values):
    """Adds the available period of a list: of everything that the consent covers, whatever was asked for."""
    row = db.execute(f"SELECT min({first}) AS first, max({last}) AS last FROM ({select})", values).fetchone()
    if row["first"]:
        answer.update(FirstAvailableDateTime=row["first"], LastAvailableDateTime=row["last"])

@method("transactions", PageSize=int)
def transactions(db, asked):
    ids = [row["id"] for row in open_accounts(db, asked.get("AccountId") or [])]
    # Later pages leave out what was booked after the first one was read.
    as_of = asked.get("AsOf") or db.execute("SELECT coalesce(max(seq), 0) AS seq FROM entry").fetchone()["seq"]
    terms, bounds = period(asked, "Covered", "at", "at")
    select = f"SELECT entry.*, currency FROM entry JOIN account ON account.id = account WHERE account IN ({marks(ids)}) AND seq <= ? {terms}"
    values = [*ids, as_of, *bounds]
    if direction := asked.get("CreditDebitIndicator"):
        select += " AND minor >= 0" if direction == "Credit" else " AND minor < 0"
    if statement_id := asked.get("StatementId"):
        select, values = select + " AND statement = ?", [*values, statement_id]
    terms, bounds = period(asked, "", "at", "at")
    rows, answer = page(db, {**asked, "AsOf": as_of}, f"{select} {terms}", [*values, *bounds], "at || '/' || id", True)
    span(db, answer, "at", "at", select, values)
    return {**answer, "Transaction": [{
        "AccountId": row["account"], "TransactionId": row["id"], **signed(row["minor"], row["currency"]), "Status": "Booked",
        "BookingDateTime": row["at"], "ValueDateTime": row["at"], "TransactionInformation": row["text"],
        "StatementReference": [row["statement"]] if row["statement"] else [],
        "Balance": {"Type": "InterimBooked", **signed(row["balance"], row["currency"])}} for row in rows]}

def record_list(name, member):
    """Registers a method that answers a list of stored records, by account, then id."""
    @method(name, PageSize=int)
    def records(db, asked):
        ids = [row["id"] for row in open_accounts(db, asked.get("AccountId") or [])]
        select = f"SELECT * FROM record WHERE kind = ? AND account IN ({marks(ids)})"
        rows, answer = page(db, asked, select, [name, *ids], "account || '/' || id")
        return {**answer, member: [json.loads(row["body"]) for row in rows]}

for _name, _member in {"beneficiaries": "Beneficiary", "direct-debits": "DirectDebit", "standing-orders": "StandingOrder",
                       "scheduled-payments": "ScheduledPayment", "products": "Product", "offers": "Offer",
                       "parties": "AccountParty"}.items():
    record_list(_name, _member)

@method("party", PSU=str)
def party(db, asked):
    row = db.execute("SELECT * FROM customer WHERE id = ?", [asked["PSU"]]).fetchone()
    return {"Party": {"PartyId": row["id"], "Name": row["name"]}} if row else {}

def statement_record(row):
    amounts = [{"Type": f"UK.OBIE.{kind}", **signed(minor, row["currency"])}
               for kind, minor in (("StartingBalance", row["opening"]), ("ClosingBalance", row["closing"]))]
    return {"AccountId": row["account"], "StatementId": row["id"], "StatementReference": row["id"], "Type": "RegularPeriodic",
            "StartDateTime": row["start"], "EndDateTime": row["at"], "CreationDateTime": row["at"], "StatementAmount": amounts}

STATEMENTS = "SELECT statement.*, currency FROM statement JOIN account ON account.id = account WHERE is_open AND account"

@method("statements", PageSize=int)
def statements(db, asked):
    ids = asked.get("AccountId") or []
    terms, bounds = period(asked, "Covered", "start", "at")
    select, values = f"{STATEMENTS} IN ({marks(ids)}) {terms}", [*ids, *bounds]
    terms, bounds = period(asked, "", "start", "at")
    rows, answer = page(db, asked, f"{select} {terms}", [*values, *bounds], "at || '/' || id", True)
    span(db, answer, "start", "at", select, values)
    return {**answer, "Statement": [statement_record(row) for row in rows]}

@method("statement", AccountId=str, StatementId=str)
def statement(db, asked):
    row = db.execute(f"{STATEMENTS} = ? AND statement.id = ?", [asked["AccountId"], asked["StatementId"]]).fetchone()
    return {"Statement": statement_record(row)} if row else {}

# ---- Payments ---------------------------------------------------------------------------------------------------------------------
def payer_record(db, row):
    record = account_record(db, row)
    return {"Account": record, "Name": record["Account"][0]["Name"], "Available": signed(booked(db, row["id"]), row["currency"]),
            "Authorisers": 1, "Signatory": [row["customer"]]}

@method("payers", PSU=str)
def payers(db, asked):
    rows = db.execute("SELECT * FROM account WHERE is_open AND customer = ? ORDER BY id", [asked["PSU"]]).fetchall()
    return {"Payer": [payer_record(db, row) for row in rows]}

@method("payer", AccountId=str)
def payer(db, asked):
    return {"Payer": payer_record(db, row) for row in open_accounts(db, [asked["AccountId"]])}

@method("payer-by-number", SchemeName=str, Identification=str)
def payer_by_number(db, asked):
    row = find_by_number(db, asked)
    return {"Payer": payer_record(db, row)} if row else {}

def find_by_number(db, number):
    if number["SchemeName"] != "UK.OBIE.SortCodeAccountNumber":
        return None
    return db.execute("SELECT * FROM account WHERE is_open AND number = ?", [number["Identification"]]).fetchone()

@method("quote-conditions", ReadRefundAccount=bool)
def quote_conditions(db, asked):
    """No charges, no cut-off: paid at once."""
    at = now()
    return {"Conditions": {"ExpectedExecutionDateTime": at, "ExpectedSettlementDateTime": at}}

# What this core does not have: versions of entries, exchange of currencies, Confirmation of Payee, and files of statements.
METHODS["entries-version"] = (lambda db, asked: {}, {})
METHODS["quote-rate"] = (lambda db, asked: {}, {"UnitCurrency": str, "RateType": str, "CurrencyOfTransfer": str})
METHODS["agreed-rate"] = (lambda db, asked: {"Agreed": False}, {"PSU": str, "ExchangeRate": str, "ContractIdentification": str})
METHODS["confirm-payee"] = (lambda db, asked: {"Confirmation": {"Outcome": "Unavailable", "Reason": "NotOffered"}}, {"CreditorAccount": dict})
METHODS["statement-file"] = (lambda db, asked: None, {"AccountId": str, "StatementId": str, "Format": str})

@method("exchange-price", UnitCurrency=str, CurrencyOfTransfer=str)
def exchange_price(db, asked):
    return {"ExchangeRate": "1"} if asked["UnitCurrency"] == asked["CurrencyOfTransfer"] else {}

@method("submit", Order=list)
def submit(db, asked):
    """Takes each order once, by its id: one that is known is answered as before, and has no further effect."""
    for order in asked["Order"]:
        amount = json.dumps(order["Payment"]["InstructedAmount"])
        if db.execute("INSERT OR IGNORE INTO payment_order VALUES (?, ?, ?, ?, ?)",
                      [order["OrderId"], "taken " + now(), order["DebtorAccountId"], amount, now()]).rowcount:
            execute(db, order)
    ids = [order["OrderId"] for order in asked["Order"]]
    states = dict(db.execute(f"SELECT id, core_state FROM payment_order WHERE id IN ({marks(ids)})", ids).fetchall())
    return {"Order": [{"OrderId": it, "CoreState": states[it]} for it in ids]}

def execute(db, order):
    payment, money = order["Payment"], order["Payment"]["InstructedAmount"]
    debtor, minor = open_accounts(db, [order["DebtorAccountId"]]), minor_units(money)
    if not debtor:
        return add_update(db, order, {"Change": "Refused", "Reason": "DebtorAccountUnusable"})
    # This core pays at once and within one currency; a real one keeps scheduled orders, and says `Warehoused`.
    is_later = "RequestedExecutionDate" in payment or "StandingOrder" in payment
    if is_later or "Domestic" not in payment or minor is None or money["Currency"] != debtor[0]["currency"]:
        return add_update(db, order, {"Change": "Refused", "Reason": "RefusedByScheme"})
    if booked(db, debtor[0]["id"]) < minor:
        return add_update(db, order, {"Change": "Refused", "Reason": "InsufficientFunds"})
    creditor = find_by_number(db, payment["Domestic"]["CreditorAccount"])
    text = payment["Domestic"].get("RemittanceReference") or "Payment"
    add_payment_update(db, order, "ACSP")
    add_entry(db, debtor[0]["id"], "out-" + order["OrderId"], now(), -minor, text)
    add_payment_update(db, order, "ACSC")
    if creditor and creditor["currency"] == money["Currency"]:
        add_entry(db, creditor["id"], "in-" + order["OrderId"], now(), minor, text)
    add_payment_update(db, order, "ACCC")

def add_entry(db, account, entry_id, at, minor, text, statement_id=None):
    db.execute("INSERT INTO entry (account, id, at, minor, balance, text, statement) VALUES (?, ?, ?, ?, ?, ?, ?)",
               [account, entry_id, at, minor, booked(db, account) + minor, text, statement_id])

def add_payment_update(db, order, status):
    day = now()[:10]
    payment = {"Number": 1, "DueDate": day, "PaymentDate": day, "Amount": order["Payment"]["InstructedAmount"], "Status": status}
    add_update(db, order, {"Change": "PaymentChanged", "Payment": payment})

def add_update(db, order, change):
    """Updates are numbered within their order, from 1 without gaps, in the transaction that changes the order."""
    number = db.execute("SELECT coalesce(max(number), 0) + 1 AS next FROM status_update WHERE payment_order = ?",
                        [order["OrderId"]]).fetchone()["next"]
    body = {"OrderId": order["OrderId"], "Number": number, "DateTime": now(), **change}
    db.execute("INSERT INTO status_update (payment_order, number, body) VALUES (?, ?, ?)", [order["OrderId"], number, json.dumps(body)])

@method("status-updates", Limit=int)
def status_updates(db, asked):
    left_out = asked.get("ExceptOrderId") or []
    rows = db.execute(f"SELECT body FROM status_update WHERE NOT is_acknowledged AND payment_order NOT IN ({marks(left_out)}) "
                      "ORDER BY seq LIMIT ?", [*left_out, asked["Limit"]])
    return {"StatusUpdate": [json.loads(row["body"]) for row in rows]}

@method("acknowledge-status-updates")
def acknowledge_status_updates(db, asked):
    for it in asked.get("Acknowledged") or []:
        db.execute("UPDATE status_update SET is_acknowledged = 1 WHERE payment_order = ? AND number <= ?", [it["OrderId"], it["Number"]])
    return {}

@method("orders")
def orders(db, asked):
    """How orders stand, after a restore of either database. Orders that this core does not hold are left out."""
    ids = asked.get("OrderId") or []
    rows = {row["id"]: row for row in db.execute(f"SELECT * FROM payment_order WHERE id IN ({marks(ids)})", ids).fetchall()}
    return {"Standing": [standing(db, rows[it]) for it in ids if it in rows]}

@method("orders-received", FromDateTime=str, Limit=int)
def orders_received(db, asked):
    values = [instant(asked["FromDateTime"]), asked.get("AfterOrderId") or "", min(asked["Limit"], 500)]
    rows = db.execute("SELECT * FROM payment_order WHERE (received_at, id) > (?, ?) ORDER BY received_at, id LIMIT ?", values)
    return {"Standing": [standing(db, row) for row in rows.fetchall()]}

def standing(db, row):
    updates = db.execute("SELECT body, is_acknowledged FROM status_update WHERE payment_order = ? ORDER BY number", [row["id"]]).fetchall()
    return {"OrderId": row["id"], "DebtorAccountId": row["debtor"], "InstructedAmount": json.loads(row["amount"]),
            "ReceivedDateTime": row["received_at"], "LastNumber": len(updates),
            "AcknowledgedNumber": sum(update["is_acknowledged"] for update in updates),
            "StatusUpdate": [json.loads(update["body"]) for update in updates]}

# ---- Changes of consents and of accounts ------------------------------------------------------------------------------------------
@method("consent-change", ConsentId=str, Number=int, Change=str)
def consent_change(db, asked):
    """Keeps the latest change, for mandates. One with a lower number than that comes late and is ignored."""
    db.execute("INSERT INTO consent VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET number = excluded.number, "
               "core_state = excluded.core_state, body = excluded.body WHERE excluded.number > consent.number",
               [asked["ConsentId"], asked["Number"], f"{asked['Change']} by {asked['Number']}", json.dumps(asked)])
    return dict(db.execute("SELECT core_state AS CoreState FROM consent WHERE id = ?", [asked["ConsentId"]]).fetchone())

@method("account-changes", Limit=int)
def account_changes(db, asked):
    """Accounts that were closed. Lombard tells the TPPs whose consents select them."""
    rows = db.execute("SELECT number AS Number, account AS AccountId, at AS DateTime, reason AS Reason FROM account_change "
                      "WHERE NOT is_acknowledged ORDER BY number LIMIT ?", [asked["Limit"]])
    return {"AccountChange": [dict(row) for row in rows]}

@method("acknowledge-account-changes", Number=int)
def acknowledge_account_changes(db, asked):
    db.execute("UPDATE account_change SET is_acknowledged = 1 WHERE number <= ?", [asked["Number"]])
    return {}

# ---- The wire ---------------------------------------------------------------------------------------------------------------------
class Refused(Exception):
    """A request that is not answered with 200."""
    def __init__(self, status, code, message, faults=()):
        super().__init__(message)
        self.status = status
        self.body = {"Error": code, "Message": message, "Fault": [{"Path": path, "Message": text} for path, text in faults]}

def answer_request(core, name, body):
    """Runs a method in a transaction of its own: all of its effect, or none."""
    if name not in METHODS:
        raise Refused(404, "UnknownMethod", "There is no such method.")
    function, needs = METHODS[name]
    try:
        asked = json.loads(body)
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        raise Refused(400, "Invalid", "The request cannot be read.", [("", "Must be a JSON object.")])
    asked = {key: value for key, value in asked.items() if value is not None}  # null and absent say the same
    faults = [(key, "Is missing." if key not in asked else "Has the wrong type.")
              for key, kind in needs.items() if type(asked.get(key)) is not kind]
    if faults:
        raise Refused(400, "Invalid", "The request cannot be read.", faults)
    with core.lock, core.db:  # commits at the end, and rolls back if the method raises
        core.db.execute("BEGIN IMMEDIATE")
        return function(core.db, asked)

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    def do_GET(self):
        self.send(200, b"") if self.path == BASE + "health" else self.refuse(Refused(404, "UnknownMethod", "There is no such method."))
    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length") or 0)
            if length > BODY_BYTES_MAX:
                self.close_connection = True
                raise Refused(413, "TooLarge", "The request is too large.")
            answer = answer_request(self.server, self.path.removeprefix(BASE), self.rfile.read(length))
        except Refused as refused:
            return self.refuse(refused)
        except Exception as error:  # the log has what went wrong; the answer has nothing of a customer's
            print(f"{self.path}: {error!r}", file=sys.stderr)
            return self.refuse(Refused(500, "Failed", "The core has failed."))
        self.send(204 if answer is None else 200, b"" if answer is None else json.dumps(answer).encode())
    def refuse(self, refused):
        self.send(refused.status, json.dumps(refused.body).encode())
    def send(self, status, body):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

class Core(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, asked):
        super().__init__(("127.0.0.1", asked.port), Handler)
        self.lock = threading.Lock()  # one connection, one call at a time: enough for an example
        self.db = open_database(asked.database)
        self.tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=asked.client_ca)
        self.tls.verify_mode = ssl.CERT_REQUIRED
        self.tls.load_cert_chain(asked.certificate, asked.key)

    def finish_request(self, request, client_address):
        """Runs in the connection's own thread, so that a slow handshake delays nobody."""
        request.settimeout(Handler.timeout)
        with self.tls.wrap_socket(request, server_side=True) as connection:
            super().finish_request(connection, client_address)

    def handle_error(self, request, client_address):
        print(f"{client_address[0]}: {sys.exception()!r}", file=sys.stderr)

def open_database(path):
    """Opens the database; a new one gets its tables and customers."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        sample = pathlib.Path(__file__).with_name("bank.sql").read_text(encoding="utf-8")
        db.executescript(f"BEGIN; {sample} COMMIT;")
    return db

def main():
    parser = argparse.ArgumentParser(description="Serves the core API of Lombard over a SQLite database.")
    parser.add_argument("--database", required=True, help="the database; it is made with two customers if there is none")
    parser.add_argument("--port", type=int, default=8600, help="the port on 127.0.0.1; 0 for any that is free")
    for option, about in (("--certificate", "the certificate of this server (PEM), with its chain"), ("--key", "its private key (PEM)"),
                          ("--client-ca", "the authority that issued Lombard's certificate (PEM)")):
        parser.add_argument(option, required=True, help=about)
    core = Core(parser.parse_args())
    print(f"The core listens on https://localhost:{core.server_address[1]}", flush=True)
    core.serve_forever()

if __name__ == "__main__":
    main()
