"""
Lets Schemathesis meet the administrator's operations with wrong passwords as often as it likes. The server counts those by
client, ten in a quarter of an hour. So requests come from many: before each has used its attempts up, the next one takes over,
and gives the right password first, as an administrator does. The server trusts `X-Forwarded-For` of this machine in this run.
"""

import os
from itertools import count
from urllib.request import Request, urlopen

import schemathesis

# Requests of one client. Each may be followed by two more, which a check sends with other credentials and no hook sees.
REQUESTS = 3
addresses = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in count(1))
address = None
left = 0


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
    if not is_admin(case):
        return
    if left == 0:
        take_over()
    left -= 1
    case.headers["X-Forwarded-For"] = address


@schemathesis.hook
def filter_case(context, case):
    """Leaves out what no schema can say of a conversation: the server refuses it with 400, and its own tests hold it to that."""
    if not case.operation.path.startswith(("/v1/chat", "/api/chat")) or not isinstance(case.body, dict):
        return True
    return offers_tools_once(case.body) and all(map(stands_alone, listed(case.body.get("messages"))))


def listed(value):
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def offers_tools_once(body):
    functions = [tool["function"] for tool in listed(body.get("tools")) if isinstance(tool.get("function"), dict)]
    names = [function.get("name") for function in functions]
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and isinstance(choice.get("function"), dict) and choice["function"].get("name") not in names:
        return False
    return all(names.count(name) == 1 for name in names)


def stands_alone(message):
    """A message that neither calls a tool nor answers a call of the message before it, and says something."""
    return message.get("role") != "tool" and bool(message.get("content")) and not {"tool_calls", "tool_call_id"} & set(message)
