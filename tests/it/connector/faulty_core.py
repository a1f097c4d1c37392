"""The core of examples/core-python with one fault, named by the first argument."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples/core-python"))
import core  # noqa: E402


def answering(name, change):
    """Replaces the answers of a method: `change` has the database, the request and the method as it was."""
    function, needs = core.METHODS[name]
    core.METHODS[name] = (lambda db, asked: change(db, asked, function), needs)


def with_update_lost():
    add = core.add_payment_update
    core.add_payment_update = lambda db, order, status: None if status == "ACCC" else add(db, order, status)


def with_update_numbered_twice():
    def change(db, asked, answer):
        found = answer(db, asked)
        for update in found["StatusUpdate"]:
            update["Number"] = 1
        return found
    answering("status-updates", change)


def with_updates_forgotten_when_read():
    def change(db, asked, answer):
        found = answer(db, asked)
        db.execute("UPDATE status_update SET is_acknowledged = 1")
        return found
    answering("status-updates", change)


def with_acknowledged_updates_forgotten():
    def change(db, asked, answer):
        found = answer(db, asked)
        for order in found["Standing"]:
            order["StatusUpdate"] = [update for update in order["StatusUpdate"] if update["Number"] > order["AcknowledgedNumber"]]
        return found
    answering("orders", change)


def with_order_taken_twice():
    def change(db, asked, answer):
        for order in asked["Order"]:
            if db.execute("SELECT 1 FROM payment_order WHERE id = ?", [order["OrderId"]]).fetchone():
                core.add_entry(db, order["DebtorAccountId"], f"again-{core.now()}", core.now(),
                               -core.minor_units(order["Payment"]["InstructedAmount"]), "Again")
        return answer(db, asked)
    answering("submit", change)


def with_repeated_order_answered_differently():
    def change(db, asked, answer):
        found = answer(db, asked)
        for order in found["Order"]:
            order["CoreState"] = core.now()
        return found
    answering("submit", change)


def with_late_consent_change_applied():
    def change(db, asked, answer):
        db.execute("DELETE FROM consent WHERE id = ?", [asked["ConsentId"]])
        return answer(db, asked)
    answering("consent-change", change)


def with_wrong_page_order():
    def change(db, asked, answer):
        found = answer(db, asked)
        found["Transaction"].reverse()
        return found
    answering("transactions", change)


def with_repeated_record():
    def change(db, asked, answer):
        if asked.get("Direction") == "Next":
            asked = {**asked, "Position": {"Id": asked["Position"]["Id"] + "~"}}
        return answer(db, asked)
    answering("transactions", change)


def with_endless_pages():
    def change(db, asked, answer):
        found = answer(db, asked)
        if found["Transaction"] and "Next" not in found:
            found["Next"] = {"Id": "~"}
        return found
    answering("transactions", change)


def with_unknown_account_as_empty():
    def change(db, asked, answer):
        return {**answer(db, asked), "Open": True}
    answering("transactions", change)


def with_balance_in_wrong_sign():
    def change(db, asked, answer):
        found = answer(db, asked)
        for balance in found["Balance"]:
            balance["CreditDebitIndicator"] = "Debit"
        return found
    answering("balances", change)


def with_money_moved_without_entry():
    def add_entry(db, account, entry_id, at, minor, text, statement_id=None):
        db.execute("UPDATE entry SET balance = balance + ? WHERE seq = (SELECT max(seq) FROM entry WHERE account = ?)", [minor, account])
    core.add_entry = add_entry


def with_payment_without_funds():
    execute, booked = core.execute, core.booked

    def generous(db, order):
        seen = iter([10 ** 15])  # what the check of the funds sees; entries are added to the true balance
        core.booked = lambda db, account: next(seen, None) or booked(db, account)
        try:
            execute(db, order)
        finally:
            core.booked = booked
    core.execute = generous


def with_bad_error():
    def __init__(self, status, code, message, faults=()):
        Exception.__init__(self, message)
        self.status, self.body = status, {"error": code.lower(), "detail": message}
    core.Refused.__init__ = __init__


def with_caller_without_certificate():
    load = core.ssl.create_default_context

    class Lenient:
        def __init__(self, *arguments, **named):
            object.__setattr__(self, "context", load(*arguments, **named))

        def __setattr__(self, name, value):
            setattr(self.context, name, core.ssl.CERT_OPTIONAL if name == "verify_mode" else value)

        def __getattr__(self, name):
            return getattr(self.context, name)
    core.ssl.create_default_context = Lenient


globals()["with_" + sys.argv.pop(1).replace(" ", "_")]()
core.main()
