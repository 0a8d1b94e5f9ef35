from switchyard import Switchyard

client = Switchyard()

result = client.ai.keywords(input={"text": "Solar panels turn sunlight into electricity.", "limit": 2})
for found in result.output.keywords:
    print(found.keyword, found.score)
