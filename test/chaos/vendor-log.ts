import { readFileSync } from 'node:fs';
import type { VendorCall } from './evidence.ts';
import type { VendorLine } from './vendor.ts';

/**
 * What reached the vendor, from its log.
 * @param start the byte from which it is read
 * @param offset what is added to the vendor's clock to get this process's
 */
export function readVendorLog(file: string, start: number, offset: number): VendorCall[] {
  const calls = new Map<number, { -readonly [Field in keyof VendorCall]: VendorCall[Field] }>();
  for (const text of readFileSync(file).toString('utf8', start).split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as VendorLine;
    const at = line.at + offset;
    if (line.type === 'came') {
      const usage = { prompt: line.prompt, completion: line.completion };
      calls.set(line.call, { id: line.id, from: at, to: null, whole: false, usage });
      continue;
    }
    const call = calls.get(line.call);
    if (!call) continue;
    call.to ??= at;
    call.whole ||= line.whole;
    if (line.garbled) call.usage = null;
  }
  return [...calls.values()].filter(({ id }) => id !== '');
}

/** What has to be added to `process.hrtime` in milliseconds, which all processes share, to get `performance.now()`. */
export function clockOffset(): number {
  return performance.now() - Number(process.hrtime.bigint()) / 1e6;
}
