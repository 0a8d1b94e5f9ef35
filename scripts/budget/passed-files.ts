/**
 * Which files of `src/` a warm request passes: those of which a function is called, by V8's precise coverage. Prints them, one a
 * line, for a chat, a native stream and a translated stream, each answered by a vendor beside it.
 *
 * Usage: node scripts/budget/passed-files.ts [chat | native | translated]
 */
import { Session } from 'node:inspector/promises';
import { startApp } from '../../test/helpers/app.ts';
import { ask } from '../../test/helpers/http.ts';
import { openAiFixture } from '../../test/helpers/vendor-fixtures.ts';
import { providerOf } from '../../test/helpers/vendor-gateway.ts';
import { textAnswers } from '../../test/helpers/wire-clients.ts';
import { startVendor } from '../../test/lib/vendor.ts';

const { model } = openAiFixture;
const message = { role: 'user', content: 'Why is the sky blue?' };

const requests = {
  chat: { path: '/v1/chat', body: { model, messages: [message] } },
  native: { path: '/v1/chat/completions', body: { model, messages: [message], stream: true } },
  translated: { path: '/v1/messages', body: { model, messages: [message], stream: true, max_tokens: 100 } },
} as const;

export type PassedBy = keyof typeof requests;

/** The files that a request passes each time, by their paths from the root, sorted. Starts a server and a vendor of its own. */
export async function passedFiles(what: PassedBy): Promise<string[]> {
  const vendor = await startVendor(({ request, events, json }) =>
    request.json['stream'] ? events(textAnswers['openai-chat'].stream) : json(openAiFixture.reply),
  );
  const app = await startApp({ models: { providers: [providerOf('openai', vendor.baseUrl)] } });
  const session = new Session();
  session.connect();
  try {
    const { path, body } = requests[what];
    const send = async () => {
      const { status, text } = await ask(app.url + path, { method: 'POST', body, direct: true });
      if (status !== 200) throw new Error(`${what} is answered ${status}: ${text}`);
    };
    // What is made once, such as connections and validators, is no part of a warm request.
    for (let n = 0; n < 5; n += 1) await send();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    const rounds: Set<string>[] = [];
    for (let n = 0; n < 5; n += 1) {
      await send();
      rounds.push(await called(session));
    }
    // What a timer calls meanwhile is in some rounds only.
    const [first = new Set<string>(), ...others] = rounds;
    return [...first].filter((file) => others.every((files) => files.has(file))).sort();
  } finally {
    session.disconnect();
    await app.close();
    await vendor.close();
  }
}

async function called(session: Session): Promise<Set<string>> {
  const sources = new URL('../../src/', import.meta.url).href;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = result.filter(
    ({ url, functions }) =>
      url.startsWith(sources) &&
      functions.some(({ functionName, ranges }) => functionName && ranges[0]?.count),
  );
  return new Set(scripts.map(({ url }) => url.slice(sources.length - 'src/'.length)));
}

if (import.meta.main) {
  const only = process.argv[2] as PassedBy | undefined;
  for (const what of only ? [only] : (Object.keys(requests) as PassedBy[])) {
    const files = await passedFiles(what);
    console.log(`${what}: ${files.length} files\n${files.map((file) => `  ${file}`).join('\n')}`);
  }
}
