import { isBinary, mediaTypesOf, operationsOf } from '../../src/contract/served/document.ts';
import { contract } from './contract.ts';

/**
 * `.ci/end-to-end` runs these tests with Prism between them and the server, which holds every reply against the contract, and
 * names its address here. Behind it a switch passes each request on to the server of its test, whose port a header names.
 */
const prism = process.env['PRISM_URL'];

/** What Prism can pass on: it answers what the contract does not name itself, and reads binary replies as text. */
const operations = operationsOf(contract)
  .filter(({ operation }) => !mediaTypesOf(contract, operation).some(isBinary))
  .map(({ method, path }) => ({ method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

interface Way {
  readonly to: string;
  readonly marks: Readonly<Record<string, string>>;
  /**
   * Whether to take a connection for this request alone: when Prism has been busy for seconds with a large body, it first closes
   * the connections that were idle, and only then reads what was sent on them.
   */
  readonly reset: boolean;
}

/** To the server without a detour. */
export const straight = (url: string): Way => ({ to: url, marks: {}, reset: false });

/** Where a request goes: by way of Prism in a run with it, if Prism can pass it on. */
export function byPrism(url: string, method: string): Way {
  const { pathname, search, port } = new URL(url);
  const passes = operations.some(
    (operation) => operation.method === method.toLowerCase() && operation.path.test(pathname),
  );
  if (prism === undefined || !passes) return straight(url);
  return { to: `${prism}${pathname}${search}`, marks: { 'x-switch-to': port }, reset: true };
}

/** Whether Prism has answered itself, as it does when it reaches no server. */
export function isOfPrism(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['content-type'] === 'application/problem+json';
}
