import asyncio
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx

from switchyard import (
    AsyncSwitchyard,
    AuthenticationError,
    ConnectionFailedError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    RequestTimeoutError,
    Switchyard,
    SwitchyardError,
)

BASE_URL = os.environ["SWITCHYARD_BASE_URL"]
client = Switchyard()


class Chat(unittest.TestCase):
    def test_variants(self) -> None:
        answer = client.chat.create(model="sandbox", messages=[{"role": "user", "content": "Hello"}])
        self.assertRegex(answer.id, "^chat-")
        self.assertGreater(answer.usage.total_tokens, 1)
        self.assertEqual(client.chat.create(message="Hello").finish_reason, "stop")

    def test_types_tell_the_variants_apart(self) -> None:
        messages = [{"role": "user", "content": "Hello"}]
        with self.assertRaises(InvalidRequestError):
            client.chat.create(message="Hello", messages=messages, model="sandbox")  # type: ignore[call-overload]

    def test_asynchronous(self) -> None:
        async def ask() -> str:
            async with AsyncSwitchyard() as asynchronous:
                return (await asynchronous.chat.create(message="Hello")).model

        self.assertEqual(asyncio.run(ask()), "sandbox")

    def test_stream(self) -> None:
        text = ""
        for event in client.chat.stream(message="Hello"):
            if event.type_ == "delta":
                text += event.content
        self.assertIn("sandbox", text)
        self.assertEqual(event.type_, "end")

    def test_asynchronous_stream(self) -> None:
        async def read() -> str:
            text = ""
            async with AsyncSwitchyard() as asynchronous:
                async for event in asynchronous.chat.stream(message="Hello"):
                    if event.type_ == "delta":
                        text += event.content
            return text

        self.assertIn("sandbox", asyncio.run(read()))

    def test_stream_that_is_left(self) -> None:
        for event in client.chat.stream(model="sandbox/slow", message="Hello"):
            self.assertEqual(event.type_, "start")
            break

    def test_stream_that_breaks_off(self) -> None:
        kinds = []
        with self.assertRaises(SwitchyardError) as raised:
            for event in client.chat.stream(model="sandbox/cut-stream", message="Hello"):
                kinds.append(event.type_)
        self.assertEqual(raised.exception.code, "provider_stream_interrupted")
        self.assertIn("delta", kinds)


class Reading(unittest.TestCase):
    def test_models_usage_and_requests(self) -> None:
        client.chat.create(message="Hello")
        self.assertTrue(client.models.list().default_model)
        self.assertGreater(client.usage.get(from_="2026-11-01").total.requests, 0)
        request_id = client.requests.list(limit=1).data[0].request_id
        self.assertEqual(client.requests.get(request_id).request_id, request_id)
        with self.assertRaises(NotFoundError):
            client.requests.get("req_none")

    def test_public_documents(self) -> None:
        self.assertGreater(len(client.factory.get_manifest().operations), 5)
        self.assertTrue(client.factory.get_open_api_yaml().startswith(b"openapi: "))

    def test_features(self) -> None:
        self.assertIn("keywords", [feature.id for feature in client.ai.list().data])
        text = "Solar panels turn sunlight into electricity."
        self.assertEqual(len(client.ai.keywords(input={"text": text, "limit": 2}).output.keywords), 2)
        self.assertEqual(client.ai.use("keywords", input={"text": text}).feature, "keywords")


class Agents(unittest.TestCase):
    def test_background(self) -> None:
        run = client.agents.run("assistant", input="What is 17 * 23?", background=True)
        seqs = [getattr(event, "seq", 0) for event in client.agents.events("assistant", run.id)]
        self.assertEqual(seqs[0], 1)
        rest = [getattr(event, "seq", 0) for event in client.agents.events("assistant", run.id, after=1)]
        self.assertEqual(rest, seqs[1:])
        self.assertEqual(client.agents.get_run("assistant", run.id).status, "succeeded")


class Builds(unittest.TestCase):
    def test_demo(self) -> None:
        kinds = [event.type_ for event in client.demo.create(prompt="A shopping list")]
        self.assertEqual(kinds[-1], "job.succeeded")

    def test_build(self) -> None:
        build = client.builds.create(prompt="A shopping list")
        kinds = [event.type_ for event in client.builds.events(build.id)]
        self.assertEqual(kinds[-1], "job.succeeded")
        rest = [event.type_ for event in client.builds.events(build.id, after=1)]
        self.assertNotEqual(rest[0], "job.queued")
        files = client.builds.files(build.id)
        listed = client.builds.get(build.id).files
        self.assertGreater(len(listed), 5)
        for file in listed:
            found = [content for path, content in files.items() if path == file.path or path.endswith(f"/{file.path}")]
            self.assertEqual(len(found[0]), file.bytes_, file.path)

    def test_asynchronous_build(self) -> None:
        async def build() -> list[str]:
            async with AsyncSwitchyard() as asynchronous:
                job = await asynchronous.builds.create(prompt="A shopping list")
                async for _ in asynchronous.builds.events(job.id):
                    pass
                return list(await asynchronous.builds.files(job.id))

        self.assertTrue(asyncio.run(build()))


class Errors(unittest.TestCase):
    def test_invalid_request(self) -> None:
        with self.assertRaises(InvalidRequestError) as raised:
            client.chat.create(message="Hello", temperature=3)
        self.assertEqual((raised.exception.status, raised.exception.param), (400, "temperature"))

    def test_wrong_key(self) -> None:
        with self.assertRaises(AuthenticationError) as raised:
            Switchyard(api_key="wrong").chat.create(message="Hello")
        self.assertEqual(raised.exception.code, "invalid_api_key")

    def test_spent_limit(self) -> None:
        limited = Switchyard(api_key=os.environ["SWITCHYARD_LIMITED_API_KEY"], max_retries=0)
        limited.chat.create(message="Hello")
        with self.assertRaises(RateLimitError) as raised:
            limited.chat.create(message="Hello")
        self.assertGreater(raised.exception.retry_after or 0, 0)

    def test_nobody_there(self) -> None:
        with self.assertRaises(ConnectionFailedError):
            Switchyard(base_url="http://127.0.0.1:1", max_retries=0).models.list()

    def test_timeouts(self) -> None:
        hurried = Switchyard(timeout=0.05)
        with self.assertRaises(RequestTimeoutError):
            hurried.chat.create(model="sandbox/slow", message="Hello")
        self.assertEqual(hurried.chat.create(message="Hello", timeout=60).finish_reason, "stop")
        with self.assertRaises(RequestTimeoutError):
            list(client.chat.stream(model="sandbox/slow", message="Hello", timeout=0.05))

        async def hurry() -> None:
            async with AsyncSwitchyard(timeout=0.05) as asynchronous:
                await asynchronous.chat.create(model="sandbox/slow", message="Hello")

        with self.assertRaises(RequestTimeoutError):
            asyncio.run(hurry())


class Counting(httpx.HTTPTransport):
    sent = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent += 1
        return super().handle_request(request)


class Transports(unittest.TestCase):
    def test_retries_through_a_transport_of_ones_own(self) -> None:
        transport = Counting()
        retrying = Switchyard(transport=transport)
        with self.assertRaises(SwitchyardError):
            retrying.chat.create(model="sandbox/error", message="Hello")
        self.assertEqual(transport.sent, 3)
        with self.assertRaises(InvalidRequestError):
            retrying.chat.create(message="")
        self.assertEqual(transport.sent, 4)

    def test_client_of_ones_own(self) -> None:
        seen: list[httpx.URL] = []
        with httpx.Client(event_hooks={"request": [lambda request: seen.append(request.url)]}) as own:
            Switchyard(http_client=own).models.list()
        self.assertEqual([url.path for url in seen], ["/v1/models"])

    def test_proxy(self) -> None:
        asked: list[str] = []

        class Proxy(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                answer = httpx.get(self.path, headers=dict(self.headers.items()), trust_env=False)
                self.send_response(answer.status_code)
                self.send_header("content-type", answer.headers["content-type"])
                self.end_headers()
                self.wfile.write(answer.content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Proxy) as proxy:
            threading.Thread(target=proxy.serve_forever).start()
            address = f"http://127.0.0.1:{proxy.server_address[1]}"
            self.assertTrue(Switchyard(proxy=address).models.list().data)
            self.assertEqual(asked, [f"{BASE_URL}/v1/models"])

            async def ask() -> None:
                async with AsyncSwitchyard(proxy=address) as asynchronous:
                    await asynchronous.models.list()

            asyncio.run(ask())
            self.assertEqual(len(asked), 2)
            proxy.shutdown()
