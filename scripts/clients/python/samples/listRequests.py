from switchyard import Switchyard

client = Switchyard()

page = client.requests.list(limit=100)
while True:
    for request in page.data:
        print(request.request_id, request.status)
    if page.next_cursor is None:
        break
    page = client.requests.list(limit=100, cursor=page.next_cursor)
