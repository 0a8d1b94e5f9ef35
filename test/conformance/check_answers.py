"""Holds the answers of a run of Newman against a served contract, by openapi-core.

    python check_answers.py contract.json newman.json known-answers.json

Fails for an answer that the validator refuses, unless the last file says why, and for a reason that no answer needs.
"""

import json
import sys
from urllib.parse import urlsplit

from openapi_core import Config, OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest, MockResponse

# For openapi-core what it has no reader for is bytes, and no text: bytes that are `type: string` in the contract are read as one.
TEXTS = ["text/event-stream", "text/csv", "application/yaml", "application/zip", "audio/mpeg", "application/octet-stream"]


def as_text(data, **_):
    return data if isinstance(data, str) else data.decode("latin-1")


def path_of(url):
    """The path that was sent: a segment such as `:job_id` is a variable."""
    values = {f":{variable['key']}": variable["value"] for variable in url.get("variable", [])}
    return "/" + "/".join(values.get(segment, segment) for segment in url["path"])


def why_refused(contract, server, run):
    """What the validator says of an answer, None if it takes it."""
    request, response = run["request"], run["response"]
    headers = {header["key"]: header["value"] for header in response["header"]}
    answer = MockResponse(
        data=bytes((response.get("stream") or {}).get("data", [])),
        status_code=response["code"],
        headers=headers,
        content_type=headers.get("content-type", ""),
    )
    try:
        contract.validate_response(MockRequest(server, request["method"].lower(), path_of(request["url"])), answer)
    except OpenAPIError as error:
        problems = getattr(error.__cause__, "schema_errors", None) or []
        texts = [f"{'/'.join(map(str, problem.path))}: {problem.message[:200]}" for problem in problems]
        return "; ".join(texts) or str(error)[:300]
    return None


def main(contract_file, runs_file, known_file):
    with open(contract_file) as file:
        document = json.load(file)
    with open(runs_file) as file:
        runs = json.load(file)["run"]["executions"]
    with open(known_file) as file:
        known = json.load(file)
    readers = {media_type: as_text for media_type in TEXTS}
    contract = OpenAPI.from_dict(document, config=Config(extra_media_type_deserializers=readers))
    parts = urlsplit(document["servers"][0]["url"])
    refused = {}
    for run in runs:
        why = why_refused(contract, f"{parts.scheme}://{parts.netloc}", run)
        if why is not None:
            refused[f"{run['request']['method']} {path_of(run['request']['url'])}"] = why
    others = {place: why for place, why in refused.items() if place not in known}
    needless = [place for place in known if place not in refused]
    for place, why in others.items():
        print(f"refused: {place}: {why}", file=sys.stderr)
    for place in needless:
        print(f"not refused any more, take it from {known_file}: {place}", file=sys.stderr)
    print(f"OpenAPI {document['openapi']}: openapi-core takes {len(runs) - len(refused)} of {len(runs)} answers.")
    return 1 if others or needless or len(runs) < 150 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
