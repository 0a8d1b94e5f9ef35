from switchyard import Switchyard

client = Switchyard()

for event in client.agents.stream("assistant", input="What is 17 * 23?"):
    if event.type_ == "delta":
        print(event.content)
    elif event.type_ == "end":
        print(event.run.status, event.run.output)
