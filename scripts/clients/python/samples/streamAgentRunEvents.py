from switchyard import StreamInterruptedError, Switchyard

client = Switchyard()

# A run that goes on when the connection is closed.
run = client.agents.run("assistant", input="What is 17 * 23?", background=True)

# Its events from the first to the last, also when the connection breaks on the way.
after = 0
done = False
while not done:
    try:
        for event in client.agents.events("assistant", run.id, after=after):
            after = getattr(event, "seq", after)
            print(event.type_)
        done = True
    except StreamInterruptedError:
        continue
