from switchyard import Switchyard

client = Switchyard()

for event in client.chat.stream(message="Why is the sky blue?"):
    if event.type_ == "delta":
        print(event.content, end="", flush=True)
    elif event.type_ == "end":
        print(f"\n{event.finish_reason}, {event.usage.total_tokens} tokens")
