import { writeFile } from 'node:fs/promises';
import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const zip = await switchyard.getPublicDemoArtifact({ path: { job_id: 'job_5x2k8q0v7c3m9r1t6w4y0z8b2d' } });
await writeFile('build.zip', new Uint8Array(await zip.arrayBuffer()));
