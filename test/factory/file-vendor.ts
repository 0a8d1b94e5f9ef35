import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** A vendor that speaks OpenAI's Chat Completions and knows no answer: somebody puts each into a file. */
export interface FileVendor {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** How often to look for an answer, in milliseconds. */
const lookMs = 200;

/**
 * Writes each question into `folder` as `001.json`, and answers it with what is put into `001.answer.txt`, whoever writes that:
 * a person, or a model that no server has. A question that was answered before, word for word, is answered by the same file.
 */
export async function startFileVendor(folder: string): Promise<FileVendor> {
  mkdirSync(folder, { recursive: true });
  const numbers = new Map<string, string>();
  const stem = (number: string) => path.join(folder, number);
  for (let count = 1; existsSync(`${stem(named(count))}.json`); count++)
    numbers.set(questionIn(readFileSync(`${stem(named(count))}.json`, 'utf8')), named(count));
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const question = questionIn(body);
    const number = numbers.get(question) ?? named(numbers.size + 1);
    if (!numbers.has(question)) {
      numbers.set(question, number);
      writeFileSync(`${stem(number)}.json`, `${JSON.stringify(JSON.parse(body), null, 2)}\n`);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => {
      if (!existsSync(`${stem(number)}.answer.txt`)) {
        response.write(': nobody has answered yet\n\n');
        return;
      }
      clearInterval(timer);
      // A boundary is new each time: whoever has answered before used that of then.
      const mark = boundaryIn(readFileSync(`${stem(number)}.json`, 'utf8'));
      const said = readFileSync(`${stem(number)}.answer.txt`, 'utf8');
      answer(response, mark === null ? said : said.replaceAll(mark, boundaryIn(body) ?? mark));
    }, lookMs);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const named = (count: number): string => String(count).padStart(3, '0');

const boundaryIn = (question: string): string | null => /=== REQUEST (\w{8})/.exec(question)?.[1] ?? null;

/** What is asked, without what differs from time to time. */
function questionIn(body: string): string {
  const text = JSON.stringify((JSON.parse(body) as { messages: unknown }).messages);
  const mark = boundaryIn(text);
  return (mark === null ? text : text.replaceAll(mark, '')).replace(/Today is \w+, [\d-]+\./, '');
}

function answer(response: ServerResponse, content: string): void {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-file',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'file',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`;
  response.end(`${chunk({ role: 'assistant', content }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
}
