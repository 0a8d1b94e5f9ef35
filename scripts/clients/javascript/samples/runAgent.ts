import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const run = await switchyard.runAgent({
  path: { agent_id: 'assistant' },
  body: { input: 'What is 17 * 23?' },
});
console.log(run.status, run.output);
