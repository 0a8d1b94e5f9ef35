import asyncio
import datetime
import unittest

import httpx

# sample start
import os

from switchyard import Switchyard

client = Switchyard(
    api_key=os.environ["SWITCHYARD_API_KEY"],
    base_url=os.environ.get("SWITCHYARD_BASE_URL", "http://127.0.0.1:8080"),
)
# end
from switchyard import (
    AuthenticationError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    SwitchyardError,
)
from switchyard.api.chat import create_chat
from switchyard.api.factory import get_manifest, get_open_api_yaml
from switchyard.models import (
    ChatDeltaEvent,
    ChatMessageRequest,
    FinishReason,
)
from switchyard.streams import acreate_chat_stream, create_chat_stream

BASE_URL = os.environ["SWITCHYARD_BASE_URL"]
HELLO = ChatMessageRequest(message="Hello")


class Chat(unittest.TestCase):
    def test_variant_a(self) -> None:
        # sample createChat: A conversation (variant A)
        from switchyard.api.chat import create_chat
        from switchyard.models import ChatMessage, ChatMessageRole, ChatMessagesRequest

        answer = create_chat.sync(
            client=client,
            body=ChatMessagesRequest(
                model="sandbox",
                messages=[
                    ChatMessage(role=ChatMessageRole.SYSTEM, content="You answer in one sentence."),
                    ChatMessage(role=ChatMessageRole.USER, content="Why is the sky blue?"),
                ],
                temperature=0.7,
            ),
        )
        print(answer.content, answer.usage.total_tokens)
        # end
        self.assertRegex(answer.id, "^chat-")
        self.assertGreater(answer.usage.total_tokens, 1)

    def test_variant_b(self) -> None:
        # sample createChat: A single message (variant B)
        from switchyard.api.chat import create_chat
        from switchyard.models import ChatMessageRequest

        answer = create_chat.sync(client=client, body=ChatMessageRequest(message="Why is the sky blue?"))
        print(answer.content)
        # end
        self.assertEqual(answer.finish_reason, FinishReason.STOP)

    def test_asynchronous(self) -> None:
        answer = asyncio.run(create_chat.asyncio(client=Switchyard(base_url=BASE_URL), body=HELLO))
        self.assertEqual(answer.model, "sandbox")

    def test_stream(self) -> None:
        text = ""
        # sample streamChat: A stream
        from switchyard.models import ChatDeltaEvent, ChatEndEvent, ChatMessageRequest
        from switchyard.streams import create_chat_stream

        for event in create_chat_stream(client=client, body=ChatMessageRequest(message="Why is the sky blue?")):
            if isinstance(event, ChatDeltaEvent):
                text += event.content
            elif isinstance(event, ChatEndEvent):
                print(text, event.usage.total_tokens)
        # end
        self.assertIn("sandbox", text)

    def test_asynchronous_stream(self) -> None:
        async def read() -> str:
            text = ""
            async for event in acreate_chat_stream(client=Switchyard(base_url=BASE_URL), body=HELLO):
                if isinstance(event, ChatDeltaEvent):
                    text += event.content
            return text

        self.assertIn("sandbox", asyncio.run(read()))

    def test_stream_that_breaks_off(self) -> None:
        body = ChatMessageRequest(model="sandbox/cut-stream", message="Hello")
        events = []
        with self.assertRaises(SwitchyardError) as raised:
            for event in create_chat_stream(client=client, body=body):
                events.append(event)
        self.assertEqual(raised.exception.code, "provider_stream_interrupted")
        self.assertTrue(any(isinstance(event, ChatDeltaEvent) for event in events))


class Reading(unittest.TestCase):
    def test_models_usage_and_requests(self) -> None:
        create_chat.sync(client=client, body=HELLO)
        # sample listModels
        from switchyard.api.models import list_models

        models = list_models.sync(client=client)
        for model in models.data:
            print(model.id, model.provider)
        # end
        self.assertTrue(models.default_model)
        # sample getUsage
        from switchyard.api.usage import get_usage

        usage = get_usage.sync(client=client, from_=datetime.date(2026, 11, 1))
        print(usage.plan, usage.total.requests)
        # end
        self.assertGreater(usage.total.requests, 0)
        # sample listRequests
        from switchyard.api.usage import list_requests

        page = list_requests.sync(client=client, limit=10)
        for request in page.data:
            print(request.request_id, request.status)
        # end
        request_id = page.data[0].request_id
        # sample getRequest
        from switchyard.api.usage import get_request

        record = get_request.sync(request_id, client=client)
        print(record.status, record.attempts)
        # end
        self.assertEqual(record.request_id, request_id)
        with self.assertRaises(NotFoundError):
            get_request.sync("req_none", client=client)

    def test_public_documents(self) -> None:
        public = Switchyard(api_key="", base_url=BASE_URL)
        self.assertGreater(len(get_manifest.sync(client=public).operations), 5)
        text = get_open_api_yaml.sync(client=public).payload.read()
        self.assertRegex(text.decode(), "^openapi: ")


# if useFeature
class Features(unittest.TestCase):
    def test_features(self) -> None:
        # sample listFeatures
        from switchyard.api.ai_features import list_features

        for feature in list_features.sync(client=client).data:
            print(feature.id, feature.availability)
        # end
        # sample keywords
        from switchyard.api.ai_features import keywords
        from switchyard.models import KeywordsCall, KeywordsInput

        text = "Solar panels turn sunlight into electricity."
        result = keywords.sync(client=client, body=KeywordsCall(input_=KeywordsInput(text=text, limit=2)))
        for found in result.output.keywords:
            print(found.keyword, found.score)
        # end
        self.assertEqual(len(result.output.keywords), 2)
        # sample useFeature
        from switchyard.api.ai_features import use_feature
        from switchyard.models import AiCall, AiCallInput

        call = AiCall(input_=AiCallInput.from_dict({"text": text, "limit": 2}))
        used = use_feature.sync("keywords", client=client, body=call)
        print(used.output.to_dict())
        # end
        self.assertEqual(used.feature, "keywords")


# end if
# if runAgent
class Agents(unittest.TestCase):
    def test_agents(self) -> None:
        # sample runAgent: The whole run
        from switchyard.api.agents import run_agent
        from switchyard.models import AgentRunRequest

        run = run_agent.sync("assistant", client=client, body=AgentRunRequest(input_="What is 17 * 23?"))
        print(run.status, run.output)
        # end
        self.assertEqual(run.status, "succeeded")
        events = []
        # sample streamAgentRun: A stream
        from switchyard.streams import run_agent_stream

        body = AgentRunRequest(input_="What is 17 * 23?")
        for event in run_agent_stream(agent_id="assistant", client=client, body=body):
            events.append(event.type_)
        # end
        self.assertEqual(events[-1], "end")


# end if
# if createFactoryJob
class Builds(unittest.TestCase):
    def test_demo(self) -> None:
        events = []
        # sample createPublicDemo
        from switchyard.models import DemoRequest
        from switchyard.streams import create_public_demo

        for event in create_public_demo(client=client, body=DemoRequest(prompt="A shopping list")):
            print(event.type_)
            events.append(event.type_)
        # end
        self.assertEqual(events[-1], "job.succeeded")

    def test_build(self) -> None:
        # sample createFactoryJob
        from switchyard.api.factory_jobs import create_factory_job
        from switchyard.models import JobRequest
        from switchyard.streams import stream_factory_job_events

        job = create_factory_job.sync(client=client, body=JobRequest(prompt="A shopping list"))
        for event in stream_factory_job_events(job_id=job.id, client=client):
            print(event.type_)
        # end
        # sample getFactoryJobArtifact
        from switchyard.api.factory_jobs import get_factory_job_artifact

        zip_file = get_factory_job_artifact.sync(job.id, client=client)
        print(len(zip_file.payload.read()))
        # end


# end if
class Errors(unittest.TestCase):
    def test_invalid_request(self) -> None:
        # sample errors
        try:
            create_chat.sync(client=client, body=ChatMessageRequest(message="Hello", temperature=3))
        except RateLimitError as error:
            print("come back in", error.retry_after, "seconds")
        except SwitchyardError as error:
            print(error.status, error.code, error.param, error)
        # end
        with self.assertRaises(InvalidRequestError) as raised:
            create_chat.sync(client=client, body=ChatMessageRequest(message="Hello", temperature=3))
        self.assertEqual((raised.exception.status, raised.exception.param), (400, "temperature"))

    def test_wrong_key(self) -> None:
        with self.assertRaises(AuthenticationError) as raised:
            create_chat.sync(client=Switchyard(api_key="wrong", base_url=BASE_URL), body=HELLO)
        self.assertEqual(raised.exception.code, "invalid_api_key")

    def test_spent_limit(self) -> None:
        key = os.environ["SWITCHYARD_LIMITED_API_KEY"]
        limited = Switchyard(api_key=key, base_url=BASE_URL, max_retries=0)
        create_chat.sync(client=limited, body=HELLO)
        with self.assertRaises(RateLimitError) as raised:
            create_chat.sync(client=limited, body=HELLO)
        self.assertGreater(raised.exception.retry_after or 0, 0)

    def test_retries(self) -> None:
        class Counting(httpx.HTTPTransport):
            sent = 0

            def handle_request(self, request: httpx.Request) -> httpx.Response:
                Counting.sent += 1
                return super().handle_request(request)

        retrying = Switchyard(base_url=BASE_URL)
        transport = retrying.get_httpx_client()._transport
        transport._sync = Counting()  # type: ignore[attr-defined]
        with self.assertRaises(SwitchyardError):
            create_chat.sync(client=retrying, body=ChatMessageRequest(model="sandbox/error", message="Hello"))
        self.assertEqual(Counting.sent, 3)
        with self.assertRaises(InvalidRequestError):
            create_chat.sync(client=retrying, body=ChatMessageRequest(message=""))
        self.assertEqual(Counting.sent, 4)
