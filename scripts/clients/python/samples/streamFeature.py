from switchyard import Switchyard

client = Switchyard()

text = "Solar panels turn sunlight into electricity. They work best at noon."
for event in client.ai.stream("summarize", input={"text": text, "style": "headline"}):
    if event.type_ == "delta":
        print(event.content)
    elif event.type_ == "end":
        print(event.output.to_dict())
