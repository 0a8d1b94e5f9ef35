import json
import os
import urllib.request

request = urllib.request.Request(
    "http://127.0.0.1:8080/v1/chat/stream",
    data=json.dumps({"model": "sandbox/echo", "message": "Why is the sky blue?"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
)
complete = False
with urllib.request.urlopen(request) as response:
    for line in response:
        if not line.startswith(b"data: "):
            continue
        event = json.loads(line[len(b"data: ") :])
        if event["type"] == "delta":
            print(event["content"], end="", flush=True)
        if event["type"] == "error":
            raise SystemExit(event["error"]["message"])
        complete = complete or event["type"] == "end"
if not complete:
    raise SystemExit("the stream broke off")
print()
