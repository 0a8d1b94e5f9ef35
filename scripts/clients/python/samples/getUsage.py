from switchyard import Switchyard

client = Switchyard()

usage = client.usage.get(from_="2026-11-01")
print(usage.plan, usage.total.requests)
