from switchyard import RequestTimeoutError, Switchyard

# For every call of this client, in seconds
client = Switchyard(timeout=60)

try:
    # For this call
    client.chat.create(model="sandbox/slow", message="Hello", timeout=0.1)
except RequestTimeoutError as error:
    print(error)
