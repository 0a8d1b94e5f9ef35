/** AI features on a server without a language model: what it answers itself, and what it says needs one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInFeatures } from '../../generated/features.gen.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { ask, eventsOf } from '../helpers/http.ts';
import { classify, replyDraft, ticketTriage } from '../helpers/vendor-answers.ts';

describe('without a provider', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ features: [ticketTriage, replyDraft] });
  });
  afterAll(() => app.close());

  it('lists every feature with its schemas and what it needs', async () => {
    const { json } = await ask(`${app.url}/v1/ai`);
    const shown = Object.fromEntries(
      json.data.map(({ id, engine, availability, configure }: Record<string, unknown>) => [
        id,
        [engine, availability, configure === null],
      ]),
    );
    expect(shown).toEqual({
      classify: [null, 'model_required', false],
      compare: ['local', 'available', false],
      'detect-language': ['local', 'available', true],
      extract: [null, 'model_required', false],
      keywords: ['local', 'available', false],
      moderate: [null, 'model_required', false],
      rewrite: [null, 'model_required', false],
      sentiment: ['local', 'available', false],
      summarize: ['local', 'available', false],
      translate: [null, 'model_required', false],
      'ticket-triage': [null, 'model_required', false],
      'reply-draft': [null, 'model_required', false],
    });
    expect(json.data.at(-2)).toMatchObject({
      operation_id: 'ticketTriage',
      url: `${app.url}/v1/ai/ticket-triage`,
      input_schema: ticketTriage.input,
    });
  });

  const local = builtInFeatures.filter(({ engines }) => engines.includes('local'));
  it.each(local.flatMap(({ id, examples }) => examples.map((example) => ({ feature: id, ...example }))))(
    'answers the example $id of $feature as the contract shows it',
    async ({ feature, input, output }) => {
      const { status, json } = await ask(`${app.url}/v1/ai/${feature}`, { body: { input } });
      expect(status).toBe(200);
      expect(json).toMatchObject({ feature, engine: 'local', model: null, usage: null, output });
    },
  );

  it('streams a local text', async () => {
    const body = { input: { text: 'It rains. We stay.' }, stream: true };
    const events = eventsOf((await ask(`${app.url}/v1/ai/summarize`, { body })).text);
    expect(events.map(({ event }) => event)).toEqual(['start', 'delta', 'end']);
    expect(events.at(-1)?.data).toMatchObject({ output: { summary: 'It rains. We stay.' }, usage: null });
  });

  it('says what to configure where only a model could answer, and uses up nothing', async () => {
    const { status, error } = await ask(`${app.url}/v1/ai/classify`, { body: classify });
    expect([status, error.code, error.retryable]).toEqual([400, 'model_required', false]);
    expect(error.message).toContain('OPENAI_API_KEY');
    expect((await ask(`${app.url}/v1/requests`)).json.data).not.toContainEqual(
      expect.objectContaining({ operation: 'classify' }),
    );
  });

  it.each(['sandbox', 'sandbox/echo', 'gpt-4o'])('never takes %s for a language model', async (model) => {
    const body = { input: { text: 'Good morning', to: 'de' }, model };
    const { status, error } = await ask(`${app.url}/v1/ai/translate`, { body });
    expect([status, error.code]).toEqual([400, 'model_required']);
    const stream = await ask(`${app.url}/v1/ai/translate`, { body: { ...body, stream: true } });
    expect([stream.status, stream.error.code]).toEqual([400, 'model_required']);
  });

  it('says that it needs a model for a language that the lexicon does not know', async () => {
    const input = { text: 'Das Essen war wirklich schrecklich und der Service sehr langsam.' };
    const { status, error } = await ask(`${app.url}/v1/ai/sentiment`, { body: { input } });
    expect([status, error.code]).toEqual([400, 'model_required']);
    expect(error.message).toContain('German');
  });

  it('answers 404 to an unknown feature, with the one that was meant or all that there are', async () => {
    const near = await ask(`${app.url}/v1/ai/ticket-triag`, { body: { input: {} } });
    expect([near.status, near.error.code, near.error.param]).toEqual([404, 'not_found', 'feature_id']);
    expect(near.error.message).toContain('Did you mean ticket-triage?');
    const far = await ask(`${app.url}/v1/ai/constructor`, { body: { input: {} } });
    expect(far.status).toBe(404);
    for (const { id } of builtInFeatures) expect(far.error.message).toContain(id);
  });

  it.each([
    ['summarize', { input: {} }, ['input.text']],
    ['summarize', { input: { text: '', style: 'song' } }, ['input.text', 'input.style']],
    ['keywords', { input: { text: 'a', limit: 51 }, strem: true }, ['strem', 'input.limit']],
    ['compare', { input: { a: 'x', b: 5, c: 1 } }, ['input.c', 'input.b']],
    ['detect-language', { input: { text: 'x' }, stream: true }, ['stream']],
    ['detect-language', { input: { text: 'x' }, engine: 'model' }, ['engine']],
    ['summarize', { input: { text: 'x' }, engine: 'local', model: 'gpt-4o' }, ['model']],
    ['ticket-triage', { input: { tickets: 'x' } }, ['input.ticket', 'input.tickets']],
    ['ticket-triage', { input: { ticket: 'x', teams: ['a', 5] } }, ['input.teams[1]']],
    ['ticket-triage', { input: { ticket: 'x' }, stream: true }, ['stream']],
    ['ticket-triage', { input: { ticket: 'x' }, engine: 'local' }, ['engine']],
  ])('refuses %s %j by its paths', async (feature, body, paths) => {
    const { status, error } = await ask(`${app.url}/v1/ai/${feature}`, { body });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.details.map(({ path }) => path).sort()).toEqual([...paths].sort());
  });

  it.each([
    ['extract', '"text":"x","schema":{"type":"object","default":DEEP}'],
    ['ticket-triage', '"ticket":"x","teams":DEEP'],
  ])('refuses an endlessly nested input of %s', async (feature, input) => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const body = `{"input":{${input.replace('DEEP', deep)}}}`;
    const { status, error } = await ask(`${app.url}/v1/ai/${feature}`, { body });
    expect([status, error.param]).toEqual([400, 'input']);
  });

  it('takes a text of the largest size and of odd characters', async () => {
    const text = `${'The quick brown fox jumps over the lazy dog. '.repeat(4400)}\u0000\ud83d 👩‍👩‍👧 \u202eשלום`;
    const { status, json } = await ask(`${app.url}/v1/ai/keywords`, { body: { input: { text, limit: 1 } } });
    expect(status).toBe(200);
    expect(json.output.keywords).toHaveLength(1);
  });
});
