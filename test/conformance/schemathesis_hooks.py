"""
Lets Schemathesis meet the administrator's operations with wrong passwords as often as it likes. The server counts those by
client, ten in a quarter of an hour. So requests come from many: before each has used its attempts up, the next one takes over,
and gives the right password first, as an administrator does. The server trusts `X-Forwarded-For` of this machine in this run.

And gives each request an idempotency key of its own: simple keys come up again and again, and a key that another request has used
is refused, which no schema can say. The same with tags, whose grammar a pattern could only say in part.
"""

import os
import re
from itertools import count
from urllib.request import Request, urlopen

import jsonschema_rs
import schemathesis

# Requests of one client. Each may be followed by two more, which a check sends with other credentials and no hook sees.
REQUESTS = 3
addresses = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in count(1))
address = None
left = 0
numbers = count(1)
PLAIN = re.compile(r"[!#-~][!-~]{0,254}")
QUOTED = re.compile(r'"([!#-\[\]-~]|\\["\\]){1,255}"')


def is_admin(case):
    return case.operation.path.startswith("/api/admin/")


def take_over():
    global address, left
    address, left = next(addresses), REQUESTS
    headers = {"X-Forwarded-For": address, "Authorization": f"Bearer {os.environ['ADMIN_PASSWORD']}"}
    urlopen(Request(f"{os.environ['SERVER_URL']}/api/admin/tenants?limit=1", headers=headers)).close()


@schemathesis.hook
def before_call(context, case, kwargs):
    global left
    key = (case.headers or {}).get("idempotency-key")
    # One that is not well-formed stays as it is: it has to be refused.
    if isinstance(key, str) and PLAIN.fullmatch(key):
        case.headers["idempotency-key"] = f"{key[:240]}{next(numbers)}"
    elif isinstance(key, str) and QUOTED.fullmatch(key):
        case.headers["idempotency-key"] = f'"{next(numbers)}"'
    if "x-switchyard-tags" in (case.headers or {}):
        case.headers["x-switchyard-tags"] = f"team=search, run={next(numbers) % 10}"
    if not is_admin(case):
        return
    if left == 0:
        take_over()
    left -= 1
    case.headers["X-Forwarded-For"] = address


@schemathesis.hook
def filter_case(context, case):
    """Leaves out what no schema can say of a conversation: the server refuses it with 400, and its own tests hold it to that."""
    if not case.operation.path.startswith(("/v1/chat", "/api/chat", "/v1/estimate")) or not isinstance(case.body, dict):
        return True
    body = case.body
    return offers_tools_once(body) and wants_schema(body) and all(map(stands_alone, listed(body.get("messages"))))


def listed(value):
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def offers_tools_once(body):
    functions = [tool["function"] for tool in listed(body.get("tools")) if isinstance(tool.get("function"), dict)]
    names = [function.get("name") for function in functions]
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and isinstance(choice.get("function"), dict) and choice["function"].get("name") not in names:
        return False
    return all(names.count(name) == 1 for name in names)


def wants_schema(body):
    """Whether the JSON schema of the answer, if there is one, is a schema."""
    wanted = body.get("response_format")
    described = wanted.get("json_schema") if isinstance(wanted, dict) else None
    schema = described.get("schema") if isinstance(described, dict) else None
    return not isinstance(schema, dict) or jsonschema_rs.meta.is_valid(schema)


def stands_alone(message):
    """A message that neither calls a tool nor answers a call of the message before it, and says something."""
    parts = listed(message.get("content"))
    if message.get("role") == "tool" or not message.get("content") or {"tool_calls", "tool_call_id"} & set(message):
        return False
    return all(has_own_field(part) for part in parts)


def has_own_field(part):
    """The served contract has the fields of all parts in one object, of which each type takes its own."""
    return not isinstance(part.get("type"), str) or set(part) == {"type", part["type"]}
