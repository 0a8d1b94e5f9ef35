"""Pydantic AI on all four wires."""

import base64

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
    WEATHER,
    case,
    check,
    run,
)
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, NativeOutput, ToolOutput
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ThinkingPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

openai = OpenAIProvider(openai_client=AsyncOpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0, timeout=20))
anthropic = AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=BASE, api_key=KEY, max_retries=0, timeout=20))
google = GoogleProvider(api_key=KEY, base_url=BASE)
# Models of their own for what fails: the server leaves a model alone for a while that has failed repeatedly.
models = {
    "chat": lambda suffix="": OpenAIChatModel(MODEL_OPENAI + suffix, provider=openai),
    "responses": lambda suffix="": OpenAIResponsesModel(MODEL_OPENAI + suffix, provider=openai),
    "messages": lambda suffix="": AnthropicModel(MODEL_ANTHROPIC + suffix, provider=anthropic),
    "gemini": lambda suffix="": GoogleModel(MODEL_GEMINI + suffix, provider=google),
}
asked = []
# Each of them reads what is its own.
THINKING = {
    "max_tokens": 4096,
    "anthropic_thinking": {"type": "enabled", "budget_tokens": 1024},
    "google_thinking_config": {"include_thoughts": True},
    "openai_reasoning_effort": "low",
    "openai_reasoning_summary": "auto",
}


class Person(BaseModel):
    name: str
    age: int


async def get_weather(city: str) -> str:
    """The weather of a city."""
    asked.append(city)
    return f"21 degrees in {city}"


async def failure(kind, awaitable):
    try:
        result = await awaitable
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}, but {result!r}")


async def streamed(agent, prompt, text=None):
    text = [] if text is None else text
    async with agent.run_stream(prompt) as result:
        async for delta in result.stream_text(delta=True, debounce_by=None):
            text.append(delta)
        usage = result.usage() if callable(result.usage) else result.usage
    return "".join(text), usage


for name, named in models.items():
    model = named()
    broken = named(f"-{name}-broken")
    cut = named(f"-{name}-cut")

    @case(f"{name}: plain text")
    async def _(model=model):
        check((await Agent(model, instructions="Be brief.").run("JUDGE plain")).output, PLAIN)

    @case(f"{name}: stream with usage")
    async def _(model=model):
        text, usage = await streamed(Agent(model), "JUDGE long")
        check((text, usage.input_tokens, usage.output_tokens), (LONG, 21, 34))

    @case(f"{name}: tool call, then text")
    async def _(model=model):
        asked.clear()
        result = await Agent(model, tools=[get_weather]).run("JUDGE weather")
        check((asked, result.output), (["Paris"], WEATHER))

    @case(f"{name}: tool call in a stream, then text")
    async def _(model=model):
        asked.clear()
        text, _ = await streamed(Agent(model, tools=[get_weather]), "JUDGE weather")
        check((asked, text), (["Paris"], WEATHER))

    @case(f"{name}: parallel tool calls")
    async def _(model=model):
        asked.clear()
        result = await Agent(model, tools=[get_weather]).run("JUDGE parallel")
        check((sorted(asked), result.output), (["Oslo", "Paris"], PARALLEL))

    @case(f"{name}: JSON by schema")
    async def _(model=model):
        result = await Agent(model, output_type=NativeOutput(Person)).run("JUDGE schema")
        check(result.output, Person(name="Ada", age=36))

    @case(f"{name}: JSON by a forced tool")
    async def _(model=model):
        result = await Agent(model, output_type=ToolOutput(Person, name="person")).run("JUDGE person")
        check(result.output, Person(name="Ada", age=36))

    @case(f"{name}: image")
    async def _(model=model):
        picture = BinaryContent(base64.b64decode(PNG), media_type="image/png")
        result = await Agent(model).run(["JUDGE image", picture])
        check(result.output, "I see a red square.")

    @case(f"{name}: error 429")
    async def _(model=model):
        error = await failure(ModelHTTPError, Agent(model).run("JUDGE error 429"))
        check(error.status_code, 429)

    @case(f"{name}: error 500")
    async def _(model=broken):
        error = await failure(ModelHTTPError, Agent(model).run("JUDGE error 500"))
        assert error.status_code >= 500, error

    @case(f"{name}: cut stream is an error")
    async def _(model=cut):
        text = []
        await failure(Exception, streamed(Agent(model), "JUDGE cut", text))
        check("".join(text)[:4], "This")

    if name != "chat":

        @case(f"{name}: thinking")
        async def _(model=model):
            result = await Agent(model, model_settings=THINKING).run("JUDGE thinking")
            check(result.output, "The answer is 4.")
            thoughts = [
                part.content for message in result.new_messages() for part in message.parts if isinstance(part, ThinkingPart)
            ]
            check(thoughts, ["Two and two make four."])
            again = await Agent(model).run("JUDGE plain", message_history=result.all_messages())
            check(again.output, PLAIN)


run()
