from switchyard import Switchyard

client = Switchyard()

# A feature of any name; the built-in ones have methods of their own, which know what they take and give.
result = client.ai.use("keywords", input={"text": "Solar panels turn sunlight into electricity.", "limit": 2})
print(result.output["keywords"])
