from switchyard import Switchyard

client = Switchyard()

for model in client.models.list().data:
    print(model.id, model.provider)
