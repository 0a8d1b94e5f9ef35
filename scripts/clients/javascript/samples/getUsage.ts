import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const usage = await switchyard.getUsage({ query: { from: '2026-11-01' } });
console.log(usage.plan, usage.total.requests);
