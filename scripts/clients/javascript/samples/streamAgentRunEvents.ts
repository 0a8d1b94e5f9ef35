import { StreamInterruptedError, Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

// A run that goes on when the connection is closed.
const run = await switchyard.runAgent({
  path: { agent_id: 'assistant' },
  body: { input: 'What is 17 * 23?', background: true },
});

// Its events from the first to the last, also when the connection breaks on the way.
const path = { agent_id: 'assistant', run_id: run.id };
let after = 0;
for (let done = false; !done; ) {
  try {
    for await (const event of switchyard.streamAgentRunEvents({ path, query: { after } })) {
      if ('seq' in event) after = event.seq;
      console.log(event.type);
    }
    done = true;
  } catch (error) {
    if (!(error instanceof StreamInterruptedError)) throw error;
  }
}
