from switchyard import RateLimitError, Switchyard, SwitchyardError

client = Switchyard()

try:
    client.chat.create(message="Hello", temperature=3)
except RateLimitError as error:
    print("come back in", error.retry_after, "seconds")
except SwitchyardError as error:
    print(error.status, error.code, error.param, error)
