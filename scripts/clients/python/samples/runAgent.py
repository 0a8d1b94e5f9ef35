from switchyard import Switchyard

client = Switchyard()

run = client.agents.run("assistant", input="What is 17 * 23?")
print(run.status, run.output)
