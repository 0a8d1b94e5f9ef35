import { describe, expect, it, onTestFinished } from 'vitest';
import { type LocalLimits, LocalThread } from '../../../../src/services/features/local/thread.ts';
import { runLocally } from '../../../../src/services/features/local/worker.ts';
import { errorOf, until } from '../../../helpers/vendor-gateway.ts';

/** Short texts of one subject each. */
const texts = {
  en: 'Coral reefs cover less than one percent of the ocean floor, yet they are home to a quarter of all marine species. Rising water temperatures cause coral bleaching, in which the corals expel the algae that feed them. If the water cools in time, the corals can recover. The Great Barrier Reef has lost half of its corals since 1995. Scientists in Australia are breeding corals that tolerate warmer water. They plant the young corals on damaged reefs by hand. Tourism brings billions to coastal communities, which depend on healthy reefs. Without cuts in emissions, scientists warn, most coral reefs will be gone by 2050. A vote on the plan is due in June.',
  de: 'Die Stadtverwaltung hat am Montag neue Radwege angekündigt. Die Radwege sollen die Innenstadt mit dem Bahnhof verbinden. Am Bahnhof entstehen außerdem 400 Stellplätze für Fahrräder. Die Kosten für die Radwege liegen bei zwei Millionen Euro. Kritiker bemängeln, dass dafür Parkplätze wegfallen. Der Oberbürgermeister verweist auf gute Erfahrungen in Nachbarstädten.',
  es: 'La energía solar crece con rapidez en España. El año pasado se instalaron más paneles solares que nunca. Los paneles solares producen ya una quinta parte de la electricidad. Los agricultores alquilan sus tierras para instalar paneles. Algunos vecinos temen que cambie el paisaje. El gobierno quiere duplicar la energía solar antes de 2030.',
  fr: 'Les ruches se multiplient sur les toits de Paris. Les abeilles y trouvent plus de fleurs que dans les campagnes traitées. Les apiculteurs visitent leurs ruches une fois par semaine. Une ruche donne vingt kilos de miel par an. Les abeilles des villes vivent plus longtemps que les abeilles des champs.',
  zh: '人工智能正在改变医疗行业。医生使用人工智能分析医学影像。人工智能可以更早发现癌症。许多医院已经购买了相关设备。患者担心隐私问题。专家认为医生不会被人工智能取代。',
  ru: 'Городской музей открыл новую выставку. Музей показывает картины местных художников. Картины написаны в прошлом веке. Многие картины музей получил в подарок. Выставка работает до конца мая.',
} as const;

// biome-ignore lint/suspicious/noExplicitAny: each engine has an output of its own, which the contract's tests check.
function output(feature: string, input: object): any {
  const outcome = runLocally(feature, input);
  if (!('output' in outcome)) throw new Error(outcome.modelRequired);
  return outcome.output;
}

describe('detect-language', () => {
  it.each([
    ['en', 'Where is the nearest library, please?'],
    ['de', 'Wo ist die nächste Bücherei, bitte?'],
    ['fr', 'Où se trouve la bibliothèque la plus proche ?'],
    ['es', '¿Dónde está la biblioteca más cercana?'],
    ['pt', 'Onde fica a biblioteca mais próxima, por favor?'],
    ['it', 'Dove si trova la biblioteca più vicina?'],
    ['nl', 'Waar is de dichtstbijzijnde bibliotheek?'],
    ['pl', 'Gdzie jest najbliższa biblioteka?'],
    ['tr', 'En yakın kütüphane nerede acaba?'],
    ['ru', 'Где находится ближайшая библиотека?'],
    ['uk', 'Де знаходиться найближча бібліотека?'],
    ['ar', 'أين تقع أقرب مكتبة من هنا؟'],
    ['he', 'איפה נמצאת הספרייה הקרובה ביותר?'],
    ['hi', 'सबसे नज़दीकी पुस्तकालय कहाँ है?'],
    ['zh', '最近的图书馆在哪里？'],
    ['ja', '一番近い図書館はどこですか？'],
    ['ko', '가장 가까운 도서관은 어디에 있나요?'],
  ])('knows %s', (language, text) => {
    expect(output('detect-language', { text })).toMatchObject({ language, reliable: true });
  });

  it('names the language and puts the best candidate first', () => {
    const { name, candidates } = output('detect-language', { text: 'Goedemorgen, hoe gaat het met jou?' });
    expect(name).toBe('Dutch');
    expect(candidates[0].language).toBe('nl');
    expect(candidates.length).toBeLessThanOrEqual(5);
  });

  it.each(['🎉🎉🎉', '12 345,67', ' \n\t', 'https://example.com/a/b', '\u0000\u0001', '\ud83d'])(
    'finds no language in %j',
    (text) => expect(output('detect-language', { text })).toMatchObject({ language: null, candidates: [] }),
  );

  it.each(['OK', 'Computer', 'дякую', 'नमस्ते', 'سلام', '  chat!'])(
    'is not sure of a single word: %s',
    (text) => {
      expect(output('detect-language', { text })).toMatchObject({ reliable: false });
    },
  );

  it.each([
    ['ar', 'مرحبا'],
    ['ar', 'مرحبا بك'],
    ['fa', 'سلام دنیا'],
    ['fa', 'پنجره'],
    ['ur', 'آپ کیسے ہیں'],
  ])('tells the languages of the Arabic script by their letters: %s for %s', (language, text) => {
    const { candidates, ...found } = output('detect-language', { text });
    expect(found.language).toBe(language);
    expect(candidates[0].language).toBe(language);
  });
});

describe('summarize', () => {
  const style = 'paragraph';

  it.each([
    ['English', texts.en, ['coral bleaching', 'breeding corals']],
    ['German', texts.de, ['Radwege']],
    ['Spanish', texts.es, ['energía solar', 'paneles solares']],
    ['Chinese', texts.zh, ['人工智能']],
  ])(
    'picks sentences that carry a text in %s, word for word and in their order',
    (_language, text, about) => {
      const { summary } = output('summarize', { text, style, length: 'short' });
      for (const words of about) expect(summary).toContain(words);
      const sentences: string[] = summary.match(/[^.。]+[.。]/g) ?? [];
      expect(sentences).toHaveLength(2);
      const offsets = sentences.map((sentence) => text.indexOf(sentence.trim()));
      expect(offsets.every((offset) => offset >= 0)).toBe(true);
      expect(offsets).toEqual([...offsets].sort((one, other) => one - other));
    },
  );

  it('gives the longer summary that is asked for, and all of a short text', () => {
    const lengths = (['short', 'medium', 'long'] as const).map(
      (length) => output('summarize', { text: texts.en, style, length }).summary.length,
    );
    expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
    expect(new Set(lengths).size).toBe(3);
    const text = 'It rains.\nWe stay.';
    expect(output('summarize', { text, style, length: 'short' }).summary).toBe(text);
  });

  it('makes bullets and a headline, without the marks of the text', () => {
    const text =
      '# News\n\n- The bridge over the river opens again in May, says the city.\n- The old bridge over the river was closed for two years.\n- Ice cream costs more.';
    const bullets = output('summarize', { text, style: 'bullets', length: 'short' }).summary.split('\n');
    expect(bullets).toEqual([
      '- The bridge over the river opens again in May, says the city.',
      '- The old bridge over the river was closed for two years.',
    ]);
    expect(output('summarize', { text, style: 'headline', length: 'short' }).summary).toBe(
      bullets[0].slice(2),
    );
  });

  it.each([
    ['en', texts.en],
    ['English', texts.en],
    ['en-GB', texts.en],
    ['DE', texts.de],
    ['Deutsch', texts.de],
    ['zh-CN', texts.zh],
    ['中文', texts.zh],
  ])('takes %s for the language of the text', (language, text) => {
    const summary = (input: object) => output('summarize', { text, style, length: 'short', ...input });
    expect(summary({ language })).toEqual(summary({}));
  });

  it.each(['de', 'German', 'Klingon', 'not a language', '-', 'e'])('needs a model for %s', (language) => {
    expect(runLocally('summarize', { text: texts.en, style, length: 'short', language })).toEqual({
      modelRequired: expect.stringContaining('English'),
    });
  });

  it('needs a model for another script', () => {
    expect(
      runLocally('summarize', { text: texts.zh, style, length: 'short', language: 'zh-TW' }),
    ).toHaveProperty('modelRequired');
  });
});

describe('keywords', () => {
  const found = (text: string, limit = 3): string[] =>
    output('keywords', { text, limit }).keywords.map(({ keyword }: { keyword: string }) => keyword);

  it.each([
    ['English', texts.en, ['corals', 'Coral reefs']],
    ['German', texts.de, ['Radwege', 'Bahnhof']],
    ['Spanish', texts.es, ['paneles solares', 'energía solar']],
    ['French', texts.fr, ['ruches', 'abeilles']],
    ['Chinese', texts.zh, ['人工智能', '医生']],
    ['Russian', texts.ru, ['музей', 'картины']],
  ])('finds what a text in %s is about, spelled as there', (_language, text, expected) => {
    const keywords = found(text);
    for (const keyword of expected) expect(keywords).toContain(keyword);
  });

  it.each([
    [
      "The company will announce its new electric car next week. The car will have a range of 600 km. Analysts say the car will sell well, and the company will build a second factory. It's the company's first.",
      ['car', 'company', 'electric'],
      /\b(?:will|next|say|its|it's|have|well|km|second|first)\b|['’]s/i,
    ],
    [
      'Das Museum wird im Mai eröffnet. Laut der Stadt soll das Museum rund 200 Bilder zeigen. Die Bilder wurden von Bürgern gestiftet, sagte der Leiter.',
      ['Museum', 'Bilder'],
      /\b(?:wird|laut|soll|rund|wurden|sagte)\b/i,
    ],
    [
      "C'est l'entreprise qu'il dirige : l’entreprise fabrique des vélos. D'après la direction, l'entreprise va ouvrir une usine de vélos et doit recruter.",
      ['entreprise', 'vélos'],
      /['’]|\b(?:est|va|doit|après)\b/i,
    ],
    [
      'El nuevo puente será inaugurado en mayo. El puente tendrá cuatro carriles y podrá soportar más tráfico. Los vecinos dicen que el tráfico ha crecido.',
      ['puente', 'tráfico'],
      /será|tendrá|podrá|más|dicen|\bha\b|nuevo|cuatro/i,
    ],
    [
      "L'azienda ha aperto un nuovo negozio. Nell'azienda lavorano cento persone e il negozio dell'azienda sarà aperto ogni giorno.",
      ['azienda', 'negozio'],
      /['’]|\b(?:ha|sarà|ogni|nuovo)\b/i,
    ],
    [
      '公交公司将推出新的公交线路。公交公司表示，票价不会上涨。市民认为公交线路很方便。',
      ['公交公司', '公交线路'],
      /^.$|将|表示|认为/u,
    ],
    [
      '図書館は来月、新しい図書館カードを発行します。カードは無料です。',
      ['図書館', 'カード'],
      /^.$|です|ます/u,
    ],
    [
      'スマートフォンのアプリで音質を調整できます。スマートフォンは重さ4.5gです。',
      ['スマートフォン'],
      /^(?:スマート|フォン)$|4/u,
    ],
    [
      'Dr. Patel wrote from patel@clinic.example at 5 p.m. and asked patients to visit https://clinic.example/visit?item=2 on Jan. 5.',
      ['Patel', 'patients'],
      /clinic|item|\bp\.m|Dr|Jan/i,
    ],
  ])('leaves out what says nothing by itself: %s', (text, expected, unwanted) => {
    const keywords = found(text, 10);
    for (const keyword of expected) expect(keywords).toContain(keyword);
    expect(keywords.filter((keyword) => unwanted.test(keyword))).toEqual([]);
  });

  it('gives falling scores from 1, no more than asked for, and none of a text without words', () => {
    const { keywords } = output('keywords', { text: texts.en, limit: 5 });
    const scores = keywords.map(({ score }: { score: number }) => score);
    expect(scores[0]).toBe(1);
    expect(scores).toHaveLength(5);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    for (const text of ['🎉', '...', '  ', '1 2 3', 'the and of']) expect(found(text)).toEqual([]);
  });
});

describe('sentiment', () => {
  it.each([
    ['positive', 'Not bad at all, I love this place!'],
    ['positive', 'The room was dirty, but the staff was wonderful and helpful.'],
    ['negative', 'The food was awful and the service terrible.'],
    ['negative', 'I am not happy with it.'],
    ['negative', "It isn't good, and it doesn't help."],
    ['neutral', 'The shop opens at nine and closes at six.'],
    ['neutral', '🎉'],
    ['mixed', 'Great location. Horrible breakfast. Lovely pool. Disgusting bathroom.'],
  ])('is %s for %j', (sentiment, text) => {
    expect(output('sentiment', { text }).sentiment).toBe(sentiment);
  });

  it('tells how strongly and by which words', () => {
    const plain = output('sentiment', { text: 'The view was good.' });
    const strong = output('sentiment', { text: 'The view was extremely good.' });
    const weak = output('sentiment', { text: 'The view was slightly good.' });
    expect(strong.score).toBeGreaterThan(plain.score);
    expect(plain.score).toBeGreaterThan(weak.score);
    expect(weak.score).toBeGreaterThan(0);
    expect(output('sentiment', { text: 'I am not happy about the delay.' }).evidence).toContain('not happy');
  });

  it.each([
    ['German', 'Das Hotel war wunderbar und das Frühstück hervorragend.'],
    ['French', 'Le petit déjeuner était vraiment horrible et le personnel impoli.'],
    ['Japanese', 'このホテルはとても素晴らしかったです。'],
  ])('does not pretend to know %s', (language, text) => {
    expect(runLocally('sentiment', { text })).toEqual({ modelRequired: expect.stringContaining(language) });
  });
});

describe('compare', () => {
  it.each([
    ['identical', 'Hello  World', 'hello world'],
    ['identical', 'Ｈｅｌｌｏ', 'Hello'],
    ['near_duplicate', 'The cat sat on the mat.', 'On the mat sat the cat.'],
    ['similar', 'Jonathan Smith', 'Jonathon Smith'],
    ['similar', '我喜欢这本书，因为它很有趣。', '我喜欢这本书，因为它很好看。'],
    ['different', 'The quarterly results exceeded expectations.', 'Der Hund schläft im Garten.'],
    ['different', texts.en, texts.de],
    ['different', '🎉', 'party'],
  ])('finds %s: %j and %j', (verdict, a, b) => {
    expect(output('compare', { a, b }).verdict).toBe(verdict);
    expect(output('compare', { a: b, b: a }).verdict).toBe(verdict);
  });

  it('says what is shared and what is not', () => {
    const { shared, only_a, only_b } = output('compare', {
      a: 'The invoice is due on Monday.',
      b: 'The invoice was paid on Friday.',
    });
    expect([shared, only_a, only_b]).toEqual([['invoice'], ['due', 'monday'], ['paid', 'friday']]);
  });
});

describe('odd and huge texts', () => {
  const large = (piece: string, length = 20_000) =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const odd = [
    ['one long word', large('a')],
    ['emoji', large('👩‍👩‍👧')],
    ['right to left', large('مرحبا بالعالم. ')],
    ['control characters', large('\u0000\u0001\u200b')],
    ['combining marks', large('e\u0301')],
    ['line ends', large('\n')],
    ['list items', large('- a\n')],
    ['dots', large('.')],
    ['Chinese without end', large('我喜欢这本书今天天气很好')],
    ['lone surrogates', large('\ud83d \udc00 ')],
    ['names of the prototype', large('constructor __proto__ toString. ')],
  ] as const;

  it.each(odd)('are taken: %s', (_what, text) => {
    expect(output('summarize', { text, style: 'bullets', length: 'short' }).summary).not.toBe('');
    expect(output('keywords', { text, limit: 5 }).keywords.length).toBeLessThanOrEqual(5);
    expect(output('compare', { a: text, b: text }).similarity).toBe(1);
    expect(runLocally('sentiment', { text })).toBeDefined();
    expect(output('detect-language', { text })).toHaveProperty('language');
  });
});

describe('the thread', () => {
  const never = new AbortController().signal;
  const text = 'I love it.';

  function thread(limits: Partial<LocalLimits> = {}): LocalThread {
    const made = new LocalThread(limits);
    onTestFinished(() => made.close());
    return made;
  }

  describe('the thread of the local engines', () => {
    it('answers many calls at once, each with its own outcome', async () => {
      const local = thread();
      const words = Array.from({ length: 50 }, (_, n) => `reef${n}`);
      const outcomes = await Promise.all(
        words.map((word) => local.run('compare', { a: word, b: 'other' }, never)),
      );
      expect(outcomes.map((outcome) => 'output' in outcome && outcome.output['only_a'])).toEqual(
        words.map((word) => [word]),
      );
    });

    it('ends when it has been idle, and begins again with the next call', async () => {
      const local = thread({ idleMs: 1 });
      await local.run('sentiment', { text }, never);
      await until(() => !local.alive);
      expect(await local.run('sentiment', { text }, never)).toHaveProperty('output.sentiment', 'positive');
    });

    it('refuses more calls than may wait', async () => {
      const local = thread({ waiting: 2 });
      const taken = [local.run('sentiment', { text }, never), local.run('sentiment', { text }, never)];
      const error = await errorOf((async () => local.run('sentiment', { text }, never))());
      expect([error.code, error.info.status, error.retryAfter]).toEqual(['local_engine_busy', 503, 1]);
      await expect(Promise.all(taken)).resolves.toHaveLength(2);
    });

    it('gives up a call that takes too long, and goes on with the next', async () => {
      const local = thread({ callMs: 1 });
      expect((await errorOf(local.run('sentiment', { text }, never))).code).toBe('local_engine_busy');
      const patient = thread();
      expect(await patient.run('sentiment', { text }, never)).toHaveProperty('output');
    });

    it('drops what a client has left, waiting or running', async () => {
      const local = thread();
      const leaving = new AbortController();
      const left = [1, 2, 3].map(() => local.run('sentiment', { text }, leaving.signal));
      const staying = local.run('sentiment', { text }, never);
      leaving.abort(new Error('gone'));
      for (const call of left) await expect(call).rejects.toThrow('gone');
      expect(await staying).toHaveProperty('output');
      expect(() => local.run('sentiment', { text }, leaving.signal)).toThrow('gone');
    });

    it('passes a failure on as ours and goes on', async () => {
      const local = thread();
      await expect(local.run('no-such-engine', {}, never)).rejects.toThrow('no local engine');
      expect(await local.run('sentiment', { text }, never)).toHaveProperty('output');
    });

    it('fails what waits when the server stops', async () => {
      const local = thread();
      const call = errorOf(local.run('sentiment', { text }, never));
      await local.close();
      expect((await call).code).toBe('shutting_down');
    });
  });
});
