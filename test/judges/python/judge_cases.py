"""What the judges written in Python share: cases as functions, run one after the other, each within its own time."""

import asyncio
import inspect
import json
import os
import signal
import sys
import traceback

BASE = os.environ["BASE"]
KEY = os.environ["KEY"]
MODEL_OPENAI = os.environ["MODEL_OPENAI"]
MODEL_ANTHROPIC = os.environ["MODEL_ANTHROPIC"]
MODEL_GEMINI = os.environ["MODEL_GEMINI"]
TARGET_NAME = os.environ["TARGET_NAME"]

SECONDS = 25

# What the mock's fixtures say for each case.
PLAIN = "Plain words from the mock."
LONG = " ".join(["One two three four five six seven eight nine ten."] * 3)
WEATHER = "It is 21 degrees in Paris."
PARALLEL = "21 degrees in Paris, 7 degrees in Oslo."
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)

_cases = []


def case(name):
    """Makes a function a case. It fails by what it raises; what it returns is its detail."""

    def register(function):
        _cases.append((name, function))
        return function

    return register


def raises(kind, call):
    """Calls and returns the error, which has to be of a kind, or of one of several. Any other passes through."""
    try:
        result = call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind}, but {result!r}")


def check(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


def run():
    """Runs all cases and prints a line for each."""
    out = os.fdopen(os.dup(1), "w")
    # What a library prints is no case.
    os.dup2(2, 1)
    signal.signal(signal.SIGALRM, _late)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    for name, function in _cases:
        result = {"case": name, "ok": True}
        signal.alarm(SECONDS)
        try:
            returned = function()
            if inspect.isawaitable(returned):
                returned = loop.run_until_complete(returned)
            if returned is not None:
                result["detail"] = str(returned)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            result = {"case": name, "ok": False, "detail": _line(error)}
        finally:
            signal.alarm(0)
        print(json.dumps(result), file=out, flush=True)


def _late(*_):
    raise TimeoutError(f"took longer than {SECONDS} s")


def _line(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
