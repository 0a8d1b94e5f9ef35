import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

for await (const event of switchyard.streamAgentRun({
  path: { agent_id: 'assistant' },
  body: { input: 'What is 17 * 23?' },
})) {
  if (event.type === 'delta') console.log(event.content);
  if (event.type === 'end') console.log(event.run.status, event.run.output);
}
