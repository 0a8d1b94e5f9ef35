import { parseArgs } from 'node:util';
import { type Figures, simulate } from './simulate.ts';
import { oneTenant, VirtualTime, zipfTenants } from './world.ts';

/**
 * `npm run chaos -- --virtual`, or `npm run simulate`: limits on many servers, in virtual time. The leases are the product's
 * (`src/limits/`), with an authority in memory; servers, their clocks and crashes, tenants and the network are made up from a
 * seed, so that a run can be had again. Ends with 1 when anybody was admitted more than its limit in any 60 seconds.
 *
 *   --servers N      (100)
 *   --tenants N      (1000000)
 *   --per-second N   requests of all tenants  (4000)
 *   --minutes N      after one in which windows fill  (2)
 *   --seed TEXT      (1)
 */

const { values } = parseArgs({
  options: {
    virtual: { type: 'boolean' },
    servers: { type: 'string', default: '100' },
    tenants: { type: 'string', default: '1000000' },
    'per-second': { type: 'string', default: '4000' },
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
const servers = numberOf('servers', 1_000);
const tenants = numberOf('tenants', 10_000_000);
const perSecond = numberOf('per-second', 1_000_000);
const minutes = numberOf('minutes', 60);

const worlds = [
  [`${tenants} tenants, half of the busy ones beyond their limits`, zipfTenants(tenants, perSecond, true)],
  [`${tenants} tenants, all within their limits`, zipfTenants(tenants, perSecond, false)],
  ['One tenant, beyond its limit', oneTenant(perSecond, true)],
  ['One tenant, within its limit', oneTenant(perSecond, false)],
] as const;

console.log(`${servers} servers, ${perSecond} requests a second, seed ${values.seed}\n`);
for (const [title, of] of worlds) {
  const time = new VirtualTime();
  time.install();
  const figures = await simulate({ servers, tenants: of, perSecond, minutes, seed: values.seed }, time);
  console.log(reportOf(title, figures));
  if (figures.worst.share > 1) process.exitCode = 1;
}

function numberOf(name: Exclude<keyof typeof values, 'virtual' | 'seed'>, max: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Error(`--${name} takes a whole number from 1 to ${max}, not "${values[name]}"`);
}

/** What came out of a simulation, as text. */
function reportOf(title: string, figures: Figures): string {
  const { counts, seconds, calls, asks, crashes, cuts, saturated, admittedOfLimit, withheld, worst } =
    figures;
  const { requests, admitted, fromLeases, refused, refusedHere, undecided } = counts;
  const of = (part: number, whole: number) => percent(whole === 0 ? 0 : part / whole);
  const rows = [
    ['requests', `${requests}: ${admitted} admitted, ${refused} refused, ${undecided} undecided`],
    ['decided without the authority', of(fromLeases + refusedHere, requests)],
    [
      'calls of the authority',
      `${(calls / seconds).toFixed(0)} a second, ${(calls / requests).toFixed(3)} a request`,
    ],
    ['requests in a call', (asks / Math.max(1, calls)).toFixed(2)],
    ['saturated tenants', String(saturated)],
    ['admitted of their limits', admittedOfLimit === null ? '-' : percent(admittedOfLimit)],
    ['withheld of their limits', withheld === null ? '-' : percent(withheld)],
    [
      'worst 60 seconds',
      `${percent(worst.share)} of a limit (tenant ${worst.tenant}: ${worst.admitted} of ${worst.limit})`,
    ],
    ['crashes, cuts of the network', `${crashes}, ${cuts}`],
  ] as const;
  return `${title}\n${rows.map(([name, value]) => `  ${name.padEnd(30)}${value}`).join('\n')}\n`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
