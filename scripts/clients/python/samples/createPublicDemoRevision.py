from switchyard import Switchyard
from switchyard.models import JobSucceededEvent

client = Switchyard()

for event in client.demo.create(prompt="A shopping list"):
    if isinstance(event, JobSucceededEvent):
        first = event.job

# A change is a build of its own
for event in client.demo.revise(first.id, instruction="call it Groceries"):
    if isinstance(event, JobSucceededEvent):
        print(event.job.revision.number, event.job.title)
