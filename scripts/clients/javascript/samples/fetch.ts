import { Switchyard } from '@switchyard/client';

// Sees every request, and sends it as it likes, for example through a proxy.
const switchyard = new Switchyard({
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    console.log(response.status, response.url);
    return response;
  },
});
await switchyard.listModels();
