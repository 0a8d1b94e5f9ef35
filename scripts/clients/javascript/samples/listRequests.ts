import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

let page = await switchyard.listRequests({ query: { limit: 100 } });
for (;;) {
  for (const request of page.data) console.log(request.request_id, request.status);
  if (page.next_cursor === null) break;
  page = await switchyard.listRequests({ query: { limit: 100, cursor: page.next_cursor } });
}
