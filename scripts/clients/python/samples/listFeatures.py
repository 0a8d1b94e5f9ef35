from switchyard import Switchyard

client = Switchyard()

for feature in client.ai.list().data:
    print(feature.id, feature.availability)
