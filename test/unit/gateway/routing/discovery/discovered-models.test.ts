import { expect, it } from 'vitest';
import { createCatalogue } from '../../../../../src/gateway/routing/catalogue.ts';
import { Discovery } from '../../../../../src/gateway/routing/discovery/discovered-models.ts';
import { providerOf, settingsOf } from '../../../../helpers/vendor-gateway.ts';

const provider = providerOf('openai', 'http://x/v1', { discover: true });

function discovery(answers: (readonly string[] | Error)[]) {
  const asked: string[] = [];
  const clock = { ms: 1 };
  const list = async ({ id }: { readonly id: string }) => {
    asked.push(id);
    const answer = answers[asked.length - 1] ?? new Error('no answer');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const others = [providerOf('anthropic', 'http://y')];
  return { asked, clock, found: new Discovery([provider, ...others], list, () => clock.ms) };
}

it('asks a provider that is to be discovered once in ten minutes, and no other', async () => {
  const { asked, clock, found } = discovery([['a', 'b', 'b', 'with space'], ['c']]);
  await Promise.all([found.refresh(), found.refresh()]);
  expect([asked, found.current]).toEqual([['openai'], [{ provider: 'openai', names: ['a', 'b'] }]]);
  clock.ms += 599_000;
  await found.refresh();
  expect(asked).toHaveLength(1);
  clock.ms += 1_000;
  await found.refresh();
  expect(asked).toHaveLength(2);
  await expect.poll(() => found.current).toEqual([{ provider: 'openai', names: ['c'] }]);
});

it('keeps the last list of a provider that fails', async () => {
  const { asked, clock, found } = discovery([['a'], new Error('down'), ['b']]);
  await found.refresh();
  clock.ms += 600_000;
  await found.refresh();
  await expect.poll(() => asked).toHaveLength(2);
  expect(found.current[0]?.names).toEqual(['a']);
  clock.ms += 60_000;
  await found.refresh();
  await expect.poll(() => found.current[0]?.names).toEqual(['b']);
});

it('shows what is discovered under the name that leads there, once', () => {
  const catalogue = createCatalogue(
    settingsOf([provider, providerOf('openai', 'http://z/v1', { id: 'groq', patterns: [] })], {
      models: [{ id: 'fast', provider: 'groq', model: 'llama-4', temperature: null, fallbacks: [] }],
      aliases: { 'gpt-mine': 'fast' },
    }),
  );
  const before = catalogue.list().data.map(({ id }) => id);
  const after = catalogue
    .list([
      { provider: 'openai', names: ['gpt-new', 'gpt-4o', 'gpt-mine', 'whisper-9'] },
      { provider: 'groq', names: ['llama-4', 'llama-5', 'gpt-oss'] },
    ])
    .data.map(({ id }) => id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length)).toEqual([
    'gpt-new',
    'openai/gpt-mine',
    'openai/whisper-9',
    'groq/llama-4',
    'groq/llama-5',
    'groq/gpt-oss',
  ]);
  for (const id of after.slice(before.length)) expect(catalogue.find(id)).toMatchObject({ id });
});

it('names what is discovered to whoever asks for a model that there is not', () => {
  const providers = [providerOf('openai', 'http://z/v1', { id: 'local', patterns: [] })];
  const current = () => [{ provider: 'local', names: ['smollm2'] }];
  const catalogue = createCatalogue(settingsOf(providers), current);
  expect(() => catalogue.resolve('smollm')).toThrow('Known are local/smollm2, sandbox');
});
