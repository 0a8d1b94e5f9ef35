import asyncio

from switchyard import AsyncSwitchyard


async def main() -> None:
    async with AsyncSwitchyard() as client:
        answer = await client.chat.create(message="Why is the sky blue?")
        print(answer.content)
        async for event in client.chat.stream(message="And at night?"):
            if event.type_ == "delta":
                print(event.content, end="", flush=True)


asyncio.run(main())
