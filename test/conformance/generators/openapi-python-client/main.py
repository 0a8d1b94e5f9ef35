"""Calls the server with the client that openapi-python-client makes, in the package that it is given."""

import importlib
import os
import pkgutil
import sys

made = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(made.__path__, f"{made.__name__}."):
    importlib.import_module(module.name)


def operation(name):
    return importlib.import_module(f"{made.__name__}.api.{name}")


models = importlib.import_module(f"{made.__name__}.models")
client = made.AuthenticatedClient(os.environ["SERVER_URL"], os.environ["API_KEY"])

body = models.ChatMessageRequest(model="sandbox/echo", message="Hello")
answer = operation("chat.create_chat").sync(client=client, body=body)
assert answer.content == "Hello" and answer.usage.total_tokens > 0, answer

body = models.ChatMessageStreamRequest(model="sandbox/echo", message="Hello")
stream = operation("chat.stream_chat").sync(client=client, body=body)
assert stream.startswith("event: start\n") and "event: end\n" in stream, stream

builder = made.AuthenticatedClient(os.environ["SERVER_URL"], os.environ["API_KEY"], "", "X-API-Key")
body = models.JobRequest(prompt="a packing list")
job = operation("factory_jobs.create_factory_job").sync(client=builder, body=body)
operation("factory_jobs.stream_factory_job_events").sync(job.id, client=builder)
job = operation("factory_jobs.get_factory_job").sync(job.id, client=builder)
assert job.status == "succeeded" and job.artifact.bytes_ > 0, job

missing = operation("agents.get_agent").sync_detailed("nobody", client=client)
assert missing.status_code == 404 and missing.parsed.error.code == "not_found", missing
