"""LiteLLM as a client of each wire: it turns every answer into Chat Completions, and reads each field to do so."""

import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from judge_cases import (
    BASE,
    KEY,
    LONG,
    MODEL_ANTHROPIC,
    MODEL_GEMINI,
    MODEL_OPENAI,
    PARALLEL,
    PLAIN,
    PNG,
    TARGET_NAME,
    WEATHER,
    case,
    check,
    raises,
    run,
)

litellm.telemetry = False
litellm.num_retries = 0
wires = {
    "chat": {"model": f"openai/{MODEL_OPENAI}", "api_base": f"{BASE}/v1"},
    "messages": {"model": f"anthropic/{MODEL_ANTHROPIC}", "api_base": BASE},
    "gemini": {"model": f"gemini/{MODEL_GEMINI}", "api_base": f"{BASE}/v1beta"},
}
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "person",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name", "age"],
            "additionalProperties": False,
        },
    },
}


def ask(wire, content, **options):
    messages = [{"role": "user", "content": content}] if isinstance(content, str) else content
    return litellm.completion(messages=messages, api_key=KEY, timeout=20, max_retries=0, **wire, **options)


def stream(wire, content, **options):
    return list(ask(wire, content, stream=True, stream_options={"include_usage": True}, **options))


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def with_results(question, message):
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": f"21 degrees in {json.loads(call.function.arguments)['city']}"}
        for call in message.tool_calls
    ]
    return [{"role": "user", "content": question}, message.model_dump(exclude_none=True), *results]


for name, wire in wires.items():
    # Models of their own for what fails: the server leaves a model alone for a while that has failed repeatedly.
    broken = {**wire, "model": f"{wire['model']}-broken"}
    cut = {**wire, "model": f"{wire['model']}-cut"}

    @case(f"{name}: plain text")
    def _(wire=wire):
        answer = ask(wire, "JUDGE plain")
        check((answer.choices[0].message.content, answer.choices[0].finish_reason), (PLAIN, "stop"))
        check((answer.usage.prompt_tokens, answer.usage.completion_tokens), (12, 9))

    @case(f"{name}: stream with usage")
    def _(wire=wire):
        chunks = stream(wire, "JUDGE long")
        check(text_of(chunks), LONG)
        [usage] = [chunk.usage for chunk in chunks if getattr(chunk, "usage", None)]
        check((usage.prompt_tokens, usage.completion_tokens), (21, 34))

    @case(f"{name}: tool call, then text")
    def _(wire=wire):
        message = ask(wire, "JUDGE weather", tools=[TOOL]).choices[0].message
        check(json.loads(message.tool_calls[0].function.arguments), {"city": "Paris"})
        answer = ask(wire, with_results("JUDGE weather", message), tools=[TOOL])
        check(answer.choices[0].message.content, WEATHER)

    @case(f"{name}: tool call in a stream")
    def _(wire=wire):
        whole = litellm.stream_chunk_builder(stream(wire, "JUDGE weather", tools=[TOOL]))
        [call] = whole.choices[0].message.tool_calls
        check((call.function.name, json.loads(call.function.arguments)), ("get_weather", {"city": "Paris"}))
        check(whole.choices[0].finish_reason, "tool_calls")

    @case(f"{name}: parallel tool calls")
    def _(wire=wire):
        message = ask(wire, "JUDGE parallel", tools=[TOOL]).choices[0].message
        cities = [json.loads(call.function.arguments)["city"] for call in message.tool_calls]
        check(cities, ["Paris", "Oslo"])
        assert message.tool_calls[0].id != message.tool_calls[1].id
        answer = ask(wire, with_results("JUDGE parallel", message), tools=[TOOL])
        check(answer.choices[0].message.content, PARALLEL)

    @case(f"{name}: JSON by schema")
    def _(wire=wire):
        answer = ask(wire, "JUDGE schema", response_format=SCHEMA)
        check(json.loads(answer.choices[0].message.content), {"name": "Ada", "age": 36})

    @case(f"{name}: image")
    def _(wire=wire):
        content = [
            {"type": "text", "text": "JUDGE image"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        ]
        answer = ask(wire, [{"role": "user", "content": content}])
        check(answer.choices[0].message.content, "I see a red square.")

    @case(f"{name}: finish by length")
    def _(wire=wire):
        check(ask(wire, "JUDGE length", max_tokens=8).choices[0].finish_reason, "length")

    # On Responses the mock says that the answer failed, and not why.
    if name != "messages" or TARGET_NAME != "translated-again":

        @case(f"{name}: refusal")
        def _(wire=wire):
            # On Gemini's wire it leaves out the text of a candidate that was stopped for safety.
            choice = ask(wire, "JUDGE refusal").choices[0]
            assert choice.finish_reason in ("content_filter", "refusal"), choice

    if name != "gemini":

        @case(f"{name}: thinking")
        def _(name=name, wire=wire):
            options = {"thinking": {"type": "enabled", "budget_tokens": 1024}} if name == "messages" else {}
            message = ask(wire, "JUDGE thinking", max_tokens=4096, **options).choices[0].message
            check((message.content, message.reasoning_content), ("The answer is 4.", "Two and two make four."))

    @case(f"{name}: error 429")
    def _(wire=wire):
        raises(litellm.RateLimitError, lambda: ask(wire, "JUDGE error 429"))

    @case(f"{name}: error 500")
    def _(wire=broken):
        # On Gemini's wire it knows a 502 as no more than a lost connection.
        kinds = (litellm.InternalServerError, litellm.ServiceUnavailableError, litellm.BadGatewayError, litellm.APIConnectionError)
        error = raises(kinds, lambda: ask(wire, "JUDGE error 500"))
        assert error.status_code >= 500, error

    @case(f"{name}: cut stream is an error")
    def _(wire=cut):
        text = ""
        try:
            for chunk in ask(wire, "JUDGE cut", stream=True):
                text += text_of([chunk])
        except Exception:
            check(text[:4], "This")
            return
        raise AssertionError(f"no error after {text!r}")


@case("embeddings")
def _():
    answer = litellm.embedding(
        model="openai/text-embedding-3-small", input=["one", "two"], api_base=f"{BASE}/v1", api_key=KEY, encoding_format="float"
    )
    check(len(answer.data), 2)


run()
