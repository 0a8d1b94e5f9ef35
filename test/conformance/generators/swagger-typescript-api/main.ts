/** Calls the server with the clients that swagger-typescript-api makes of 3.1 and of 3.0. */
import { Api, type FactoryJob } from './client/openapi';
import { Api as Api30 } from './client/openapi-3.0';

declare const process: { env: Record<string, string> };

function expect(fits: boolean, value: unknown): void {
  if (!fits) throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

async function main(): Promise<void> {
  const options = {
    headers: { Authorization: `Bearer ${process.env.API_KEY}`, 'X-API-Key': `${process.env.API_KEY}` },
  };
  for (const api of [Api, Api30].map((Made) => new Made({ baseUrl: process.env.SERVER_URL }))) {
    const message = { model: 'sandbox/echo', message: 'Hello' };
    const { data: answer } = await api.v1.createChat(message, options);
    expect(answer.content === 'Hello' && answer.usage.total_tokens > 0, answer);

    const stream = await (await api.v1.streamChat(message, options)).text();
    expect(stream.startsWith('event: start\n') && stream.includes('event: end\n'), stream);

    // Its operations leave the body to the caller where the contract has the reply as a reference, as here.
    const job: FactoryJob = await (
      await api.api.createFactoryJob({ prompt: 'a packing list' }, options)
    ).json();
    await (await api.api.streamFactoryJobEvents(job.id, {}, options)).text();
    const built: FactoryJob = await (await api.api.getFactoryJob(job.id, options)).json();
    expect(built.status === 'succeeded' && Number(built.artifact?.bytes) > 0, built);

    const failure = await api.v1.getAgent('nobody', options).catch((reply) => reply);
    expect(failure.status === 404 && failure.error.error.code === 'not_found', failure);
  }
}

main();
