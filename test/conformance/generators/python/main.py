"""Calls the server with the client that OpenAPI Generator makes for Python."""

import importlib
import os
import pkgutil

import openapi_client
from openapi_client import (
    AgentsApi,
    ApiClient,
    ChatApi,
    ChatMessage,
    ChatMessageContent,
    ChatMessageRequest,
    ChatMessagesRequest,
    ChatMessageStreamRequest,
    ChatRequest,
    ChatStreamRequest,
    Configuration,
    FactoryJobsApi,
    JobRequest,
)
from openapi_client.exceptions import NotFoundException

for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(module.name)

key = os.environ["API_KEY"]
with ApiClient(Configuration(access_token=key, api_key={"apiKeyAuth": key})) as client:
    chat = ChatApi(client)

    single = ChatMessageRequest(model="sandbox/echo", message="Hello")
    answer = chat.create_chat(ChatRequest(single))
    assert answer.content == "Hello" and answer.usage.total_tokens > 0, answer

    messages = [ChatMessage(role="user", content=ChatMessageContent("Hello again"))]
    conversation = ChatMessagesRequest(model="sandbox/echo", messages=messages)
    answer = chat.create_chat(ChatRequest(conversation))
    assert answer.content == "Hello again", answer

    stream = chat.stream_chat(ChatStreamRequest(ChatMessageStreamRequest(model="sandbox/echo", message="Hello")))
    assert stream.startswith("event: start\n") and "event: end\n" in stream, stream

    builds = FactoryJobsApi(client)
    job = builds.create_factory_job(JobRequest(prompt="a packing list"))
    builds.stream_factory_job_events(job.id)
    job = builds.get_factory_job(job.id)
    assert job.status == "succeeded" and job.artifact.bytes > 0, job

    try:
        AgentsApi(client).get_agent("nobody")
        raise AssertionError("found an agent that is not there")
    except NotFoundException as failure:
        assert failure.status == 404 and failure.data.error.code == "not_found", failure
