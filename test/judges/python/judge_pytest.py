"""A pytest plugin that reports each test as a case of a judge, on file descriptor 3, as soon as it has run.

MUST is a regular expression: a test whose `group::name` it finds has to pass although the mock cannot do it, as it asks for what
the server does itself.
"""

import json
import os
import re
import sys

KEY = os.environ["KEY"]
MUST = os.environ.get("MUST")
# What tells that a request was refused for good reason, by lane: a conversation or file that OpenAI would not know either; a field that
# no other vendor has, stop sequences, which reasoning models of OpenAI refuse, a kind of media, or a conversation whose only message
# is one of the role developer; what the sandbox does not play, and files that are only text.
REFUSALS = {
    "native": ["Previous response with id", "No such File object"],
    "translated": [
        "cannot be translated",
        "takes no stop sequences",
        "takes no audio here",
        "needs at least one message of the role user or assistant",
        "No such File object",
    ],
    "sandbox": [
        "is not kept here",
        "the sandbox stores no",
        "No such File object",
        "is not possible with this model",
        "must be a whole number of at least 1",
        "must be a picture",
        "must be a file of sound",
    ],
}


def pytest_collection_finish(session):
    # The SDKs' own tests have their key in a variable of their conftest.
    conftest = sys.modules.get("tests.conftest")
    if conftest is not None and hasattr(conftest, "api_key"):
        conftest.api_key = KEY


class Reporter:
    def pytest_runtest_logreport(self, report):
        # A test that passes reports its call; one that fails in a fixture has no call.
        if report.skipped or (report.passed and report.when != "call"):
            return
        if report.when == "teardown" and report.passed:
            return
        path, _, name = report.nodeid.partition("::")
        case = {"case": name, "group": group(path), "ok": report.passed}
        if MUST and re.search(MUST, f"{case['group']}::{name}"):
            case["must"] = True
        if report.failed:
            case["detail"] = problem(report)
            refused = refusal(case["detail"])
            if refused:
                case.update(ok=True, detail=f"refused: {refused}")
        os.write(3, (json.dumps(case) + "\n").encode())


def pytest_configure(config):
    # Only the process that collects the reports of the others writes.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter())


def group(path):
    name = path.removesuffix(".py").removeprefix("tests/").removeprefix("api_resources/")
    return name.replace("test_", "")


def refusal(text):
    """What a request was refused for, which is the only other right answer than the answer."""
    if "Error code: 400" not in text and "400 INVALID_ARGUMENT" not in text:
        return None
    for reason in REFUSALS.get(os.environ["TARGET"], []):
        before, found, after = text.partition(reason)
        if found:
            return (before.split(" - ")[-1][-80:] + found + after[:80]).strip()
    return None


def problem(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return " ".join(text.split())[:600]
