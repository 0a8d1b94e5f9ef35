"""Calls the server with the models that datamodel-code-generator makes."""

import os

import httpx
from models import (
    ChatEndEvent,
    ChatMessageRequest,
    ChatMessagesRequest,
    ChatMessageStreamRequest,
    ChatResponse,
    ChatStreamEvent,
    ErrorResponse,
)

headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
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

    stream = post("/v1/chat/stream", ChatMessageStreamRequest(model="sandbox/echo", message="Hello")).text
    events = [
        ChatStreamEvent.model_validate_json(line.removeprefix("data: ")).root
        for line in stream.splitlines()
        if line.startswith("data: ")
    ]
    assert isinstance(events[-1], ChatEndEvent) and events[-1].usage.total_tokens > 0, events

    response = client.get("/v1/agents/nobody")
    failure = ErrorResponse.model_validate_json(response.text)
    assert response.status_code == 404 and failure.error.code.value == "not_found", failure
