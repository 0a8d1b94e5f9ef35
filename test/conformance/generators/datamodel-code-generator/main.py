"""Calls the server with the models that datamodel-code-generator makes."""

import os

import httpx
from models import (
    BuildEvent,
    ChatEndEvent,
    ChatMessageRequest,
    ChatMessagesRequest,
    ChatMessageStreamRequest,
    ChatResponse,
    ChatStreamEvent,
    ErrorResponse,
    FactoryJob,
    JobRequest,
    JobSucceededEvent,
)

key = os.environ["API_KEY"]
headers = {"Authorization": f"Bearer {key}", "X-API-Key": key}
with httpx.Client(base_url=os.environ["SERVER_URL"], headers=headers) as client:

    def post(path, body):
        return client.post(path, json=body.model_dump(mode="json", exclude_none=True))

    single = ChatMessageRequest(model="sandbox/echo", message="Hello")
    answer = ChatResponse.model_validate_json(post("/v1/chat", single).text)
    assert answer.content == "Hello" and answer.usage.total_tokens > 0, answer

    messages = [{"role": "user", "content": "Hello again"}]
    conversation = ChatMessagesRequest(model="sandbox/echo", messages=messages)
    answer = ChatResponse.model_validate_json(post("/v1/chat", conversation).text)
    assert answer.content == "Hello again", answer

    def events_of(stream, model):
        lines = (line for line in stream.text.splitlines() if line.startswith("data: "))
        return [model.model_validate_json(line.removeprefix("data: ")).root for line in lines]

    streamed = ChatMessageStreamRequest(model="sandbox/echo", message="Hello")
    events = events_of(post("/v1/chat/stream", streamed), ChatStreamEvent)
    assert isinstance(events[-1], ChatEndEvent) and events[-1].usage.total_tokens > 0, events

    job = FactoryJob.model_validate_json(post("/api/v1/factory/jobs", JobRequest(prompt="a packing list")).text)
    events = events_of(client.get(f"/api/v1/factory/jobs/{job.id.root}/events"), BuildEvent)
    assert isinstance(events[-1], JobSucceededEvent) and events[-1].job.artifact.bytes > 0, events

    response = client.get("/v1/agents/nobody")
    failure = ErrorResponse.model_validate_json(response.text)
    assert response.status_code == 404 and failure.error.code.value == "not_found", failure
