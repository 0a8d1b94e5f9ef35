from switchyard import Switchyard

client = Switchyard()

for event in client.demo.create(prompt="A shopping list"):
    print(event.type_)
    if event.type_ == "job.succeeded" and event.job.preview:
        print(event.job.preview.url)
