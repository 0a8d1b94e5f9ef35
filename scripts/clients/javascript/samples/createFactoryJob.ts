import { filesOf, Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const build = await switchyard.createFactoryJob({ body: { prompt: 'A to-do list for a family' } });
const path = { job_id: build.id };

// Follow it to its end
for await (const event of switchyard.streamFactoryJobEvents({ path })) console.log(event.type);

// What it made: a list of the files, and the files themselves
const { status, files } = await switchyard.getFactoryJob({ path });
console.log(status, files.length);
const contents = await filesOf(await switchyard.getFactoryJobArtifact({ path }));
for (const [name, bytes] of contents) console.log(name, bytes.length);
