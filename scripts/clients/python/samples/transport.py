import httpx

from switchyard import Switchyard

# Through a proxy; by default as HTTPS_PROXY and NO_PROXY say
proxied = Switchyard(proxy="http://127.0.0.1:3128")

# A transport of httpx with settings of your own
client = Switchyard(transport=httpx.HTTPTransport(retries=1, local_address="127.0.0.1"))
print(client.models.list().default_model)

# A client of httpx of your own
with httpx.Client(event_hooks={"request": [lambda request: print(request.url)]}) as http_client:
    print(Switchyard(http_client=http_client).models.list().default_model)
