"""The OpenAI Agents SDK: agents with tools, types and streams, on Responses (its own way) and on Chat Completions."""

import openai
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool
from agents import set_tracing_disabled
from judge_cases import BASE, KEY, LONG, MODEL_OPENAI, PARALLEL, PLAIN, PNG, WEATHER, case, check, run
from openai.types.responses import ResponseTextDeltaEvent
from pydantic import BaseModel

set_tracing_disabled(True)
client = openai.AsyncOpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0, timeout=20)
asked = []


@function_tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    asked.append(city)
    return f"21 degrees in {city}"


class Person(BaseModel):
    name: str
    age: int


async def failure(kind, awaitable):
    try:
        result = await awaitable
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}, but {result!r}")


async def streamed(agent, prompt, text=None):
    result = Runner.run_streamed(agent, prompt)
    text = [] if text is None else text
    async for event in result.stream_events():
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            text.append(event.data.delta)
    return "".join(text), result


for name, kind in [("responses", OpenAIResponsesModel), ("chat", OpenAIChatCompletionsModel)]:
    # Models of their own for what fails: the server leaves a model alone for a while that has failed repeatedly.
    model, broken, cut = (
        kind(model=f"{MODEL_OPENAI}{suffix}", openai_client=client) for suffix in ("", f"-{name}-broken", f"-{name}-cut")
    )
    def agent(model=model, **options):
        return Agent(
            name="Judge", instructions="Be brief.", model=model, model_settings=ModelSettings(include_usage=True), **options
        )

    @case(f"{name}: plain text")
    async def _(agent=agent):
        check((await Runner.run(agent(), "JUDGE plain")).final_output, PLAIN)

    @case(f"{name}: stream with usage")
    async def _(agent=agent):
        text, result = await streamed(agent(), "JUDGE long")
        check(text, LONG)
        check(result.final_output, LONG)
        usage = result.context_wrapper.usage
        check((usage.input_tokens, usage.output_tokens), (21, 34))

    @case(f"{name}: tool call, then text")
    async def _(agent=agent):
        asked.clear()
        result = await Runner.run(agent(tools=[get_weather]), "JUDGE weather")
        check((asked, result.final_output), (["Paris"], WEATHER))

    @case(f"{name}: tool call in a stream, then text")
    async def _(agent=agent):
        asked.clear()
        text, _ = await streamed(agent(tools=[get_weather]), "JUDGE weather")
        check((asked, text), (["Paris"], WEATHER))

    @case(f"{name}: parallel tool calls")
    async def _(agent=agent):
        asked.clear()
        result = await Runner.run(agent(tools=[get_weather]), "JUDGE parallel")
        check((sorted(asked), result.final_output), (["Oslo", "Paris"], PARALLEL))

    @case(f"{name}: parallel tool calls in a stream")
    async def _(agent=agent):
        asked.clear()
        text, _ = await streamed(agent(tools=[get_weather]), "JUDGE parallel")
        check((sorted(asked), text), (["Oslo", "Paris"], PARALLEL))

    @case(f"{name}: JSON by schema")
    async def _(agent=agent):
        result = await Runner.run(agent(output_type=Person), "JUDGE schema")
        check(result.final_output, Person(name="Ada", age=36))

    @case(f"{name}: image")
    async def _(agent=agent):
        content = [
            {"type": "input_text", "text": "JUDGE image"},
            {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"},
        ]
        result = await Runner.run(agent(), [{"role": "user", "content": content}])
        check(result.final_output, "I see a red square.")

    @case(f"{name}: error 429")
    async def _(agent=agent):
        error = await failure(openai.RateLimitError, Runner.run(agent(), "JUDGE error 429"))
        assert error.body["message"], error.body

    @case(f"{name}: error 500")
    async def _(agent=agent, model=broken):
        await failure(openai.InternalServerError, Runner.run(agent(model), "JUDGE error 500"))

    @case(f"{name}: cut stream is an error")
    async def _(agent=agent, model=cut):
        text = []
        await failure(Exception, streamed(agent(model), "JUDGE cut", text))
        check("".join(text)[:4], "This")


@case("conversation of two turns")
async def _():
    agent = Agent(name="Judge", model=OpenAIResponsesModel(model=MODEL_OPENAI, openai_client=client), tools=[get_weather])
    first = await Runner.run(agent, "JUDGE weather")
    second = await Runner.run(agent, [*first.to_input_list(), {"role": "user", "content": "JUDGE plain"}])
    check(second.final_output, PLAIN)


run()
