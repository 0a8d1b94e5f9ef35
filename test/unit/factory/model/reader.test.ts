import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endMark, fileMark, writtenBlock } from '../../../../src/factory/model/blocks.ts';
import { joined } from '../../../../src/factory/model/generate.ts';
import { readFiles } from '../../../../src/factory/model/reader.ts';

const boundary = 'k7f3';
const page = '<!doctype html>\n<html lang="en"></html>\n';
const script = "const fence = '```';\nif (1 < 2) console.log('</file>');\n";
const style = 'p { color: red; }\n';
const files = new Map([
  ['index.html', page],
  ['src/app.js', script],
  ['src/app.css', style],
]);
const wanted = new Set(files.keys());
const read = (answer: string) => readFiles(answer, boundary, wanted);
const marked = [...files].map(([path, text]) => writtenBlock(boundary, path, text)).join('\n\n');

describe('a well-formed answer', () => {
  test('gives its files to the byte', () => {
    expect(read(marked)).toEqual({ files, cut: null, form: 'marked' });
  });

  test('may have words around it, Windows line ends and fences within', () => {
    expect(read(`Sure! Here it is:\n\n${marked}\n\nHave fun!`).files).toEqual(files);
    expect(read(marked.replaceAll('\n', '\r\n')).files).toEqual(files);
    expect(read(writtenBlock(boundary, 'src/app.css', `\`\`\`css\n${style}\`\`\``)).files).toEqual(
      new Map([['src/app.css', style]]),
    );
  });

  test('ends a file where the next begins, and takes the later of two', () => {
    const text = `${fileMark(boundary, 'src/app.js')}\nold\n${fileMark(boundary, 'src/app.css')}\n${style}${endMark(boundary)}\n${writtenBlock(boundary, 'src/app.js', script)}`;
    expect(read(text).files).toEqual(
      new Map([
        ['src/app.js', script],
        ['src/app.css', style],
      ]),
    );
  });

  test('is cut where the last file has no end', () => {
    const text = marked.slice(0, marked.indexOf('color'));
    expect(read(text)).toMatchObject({ cut: 'src/app.css', form: 'marked' });
    expect([...read(text).files.keys()]).toEqual(['index.html', 'src/app.js']);
  });

  test('marks with another boundary are text of the file', () => {
    const inside = `a\n${fileMark('zzzz', 'index.html')}\nb\n${endMark('zzzz')}\n`;
    expect(read(writtenBlock(boundary, 'src/app.js', inside)).files).toEqual(
      new Map([['src/app.js', inside]]),
    );
  });
});

describe('other forms are read too', () => {
  const forms: Record<string, [string, string]> = {
    'marks in another dress': [
      'marked',
      [...files]
        .map(
          ([path, text]) =>
            `**==== file ${boundary} \`./${path}\` ====**\n${text}==== end ${boundary} ${path}`,
        )
        .join('\n'),
    ],
    'marks without a boundary': [
      'loosely-marked',
      [...files].map(([path, text]) => `=== FILE ${path} ===\n${text}=== END ===`).join('\n'),
    ],
    'marks with a wrong boundary': [
      'loosely-marked',
      [...files].map(([path, text]) => `=== FILE k7f8 ${path}\n${text}=== END k7f8`).join('\n'),
    ],
    tags: [
      'tagged',
      [...files]
        .map(([path, text]) => `<file path="${path}">\n${text.replace('</file>', '')}</file>`)
        .join('\n'),
    ],
    'tags with blanks in them': [
      'tagged',
      `< boltArtifact id="x" title="y">${[...files].map(([path, text]) => `< boltAction type="file" filePath="/${path}" >\n${text}</ boltAction>`).join('\n')}</boltArtifact>`,
    ],
    'fences after a name': [
      'fenced',
      [...files].map(([path, text]) => `### \`${path}\`\n\n\`\`\`js\n${text}\`\`\``).join('\n\n'),
    ],
    'fences with a name behind them': [
      'fenced',
      [...files].map(([path, text]) => `\`\`\`js title="${path}"\n${text}\`\`\``).join('\n\n'),
    ],
    JSON: ['json', `Here:\n\`\`\`json\n${JSON.stringify({ files: Object.fromEntries(files) })}\n\`\`\``],
    'a list in JSON': ['json', JSON.stringify([...files].map(([path, content]) => ({ path, content })))],
    'fences with a name in them': [
      'fenced',
      [...files].map(([path, text]) => `\`\`\`\n// ${path}\n${text}\`\`\``).join('\n\n'),
    ],
  };
  test.each(Object.entries(forms))('%s', (name, [form, answer]) => {
    const result = read(answer);
    expect(result.form).toBe(form);
    expect(result.cut).toBeNull();
    const expected = new Map(files);
    if (name === 'tags') expected.set('src/app.js', script.replace('</file>', ''));
    expect(result.files).toEqual(expected);
  });

  test('a page with everything in it is taken apart', () => {
    const lone =
      '<!doctype html><html lang="en"><head><title>t</title><style>p{color:red}</style></head><body><p>x</p><script>\nlet a = "</p>";\n</script><script type="application/json">{}</script></body></html>';
    const { files: parts, form } = read(`Here you go:\n\`\`\`html\n${lone}\n\`\`\`\nEnjoy!`);
    expect(form).toBe('page');
    expect(parts.get('src/app.js')).toBe('let a = "</p>";\n');
    expect(parts.get('src/app.css')).toBe('p{color:red}\n');
    expect(parts.get('index.html')).toContain(
      '<script type="application/json">{}</script><script type="module" src="src/app.js"></script>\n</body>',
    );
    expect(parts.get('index.html')).toContain('<link rel="stylesheet" href="src/app.css">\n</head>');
  });

  test('each form can be cut', () => {
    expect(read('<file path="src/app.js">\nlet a').cut).toBe('src/app.js');
    expect(read('**src/app.js**\n```js\nlet a').cut).toBe('src/app.js');
    expect(read('```html\n<!doctype html><html><p>').cut).toBe('index.html');
  });
});

describe('what is no answer gives no files', () => {
  test.each([
    '',
    'I am sorry, but I cannot help with that.',
    '```python\nprint("hello")\n```',
    '{"files": {"src/app.js": 7, "__proto__": "x"}}',
    '{"files": {"src/other.js": "let a"}}',
    writtenBlock(boundary, '../../etc/passwd', 'x'),
    writtenBlock(boundary, '/etc/passwd', 'x'),
    writtenBlock(boundary, 'src/more.js', 'x'),
    writtenBlock(boundary, 'src/app.js/../../x', 'x'),
    '<file path="C:\\index.html">x</file>',
  ])('%j', (answer) => {
    expect(read(answer)).toEqual({ files: new Map(), cut: null, form: null });
  });
});

describe('for any text', () => {
  // Any line that is no mark, so that a body never ends its own block; a body in a fence would lose it.
  const body = fc
    .array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 12 })
    .map((lines) => `x${lines.join('\n').replaceAll('\r', '')}\n`)
    .filter((text) => !/^\s*[>*#`]*={2,}|^x[`~]{3}/m.test(text));

  test('written blocks are read back, however they are cut into an answer and its continuations', () => {
    fc.assert(
      fc.property(fc.tuple(body, body, body), fc.array(fc.nat(), { maxLength: 2 }), (bodies, cuts) => {
        const written = new Map([...wanted].map((path, index) => [path, bodies[index] ?? '']));
        const answer = [...written].map(([path, text]) => writtenBlock(boundary, path, text)).join('\n');
        const offsets = cuts.map((cut) => cut % answer.length).sort((a, b) => a - b);
        const pieces = [0, ...offsets].map((from, index) =>
          answer.slice(from, offsets[index] ?? answer.length),
        );
        const [first = '', ...others] = pieces;
        // The join leaves out what is repeated; a text may really say a thing twice.
        fc.pre(others.every((piece, index) => exact(pieces.slice(0, index + 1).join(''), piece)));
        expect(read(others.reduce(joined, first)).files).toEqual(written);
      }),
      { numRuns: 200 },
    );
  });

  const exact = (before: string, after: string) =>
    !/^\s*(?:```|={2,}\s*(?:FILE|END))/i.test(after) &&
    !Array.from({ length: after.length }, (_, at) => after.slice(0, at + 1)).some(
      (start) => start.length >= 20 && before.endsWith(start),
    );

  test('garbage never throws and never gives a path that was not asked for', () => {
    const scrap = fc.constantFrom(
      fileMark(boundary, 'src/app.js'),
      fileMark(boundary, '../x'),
      endMark(boundary),
      '=== FILE',
      '=== END',
      '```html',
      '```',
      '~~~',
      'src/app.js',
      '<file path="src/app.js">',
      '</file>',
      '<boltAction filePath=',
      '<!doctype html>',
      '<script>',
      '</html>',
      '\n',
      ' ',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(scrap, fc.string({ unit: 'binary' })), { maxLength: 30 }), (parts) => {
        const { files: found, cut } = read(parts.join(parts.length % 2 ? '\n' : ''));
        for (const path of [...found.keys(), ...(cut ? [cut] : [])]) expect(wanted.has(path)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('a million blanks, fences or brackets are read to their end, and hold no file', () => {
    for (const unit of [' ', '`', '<', '=', '\n', '< file ', '```\n', '=== FILE ']) {
      const { files: found, cut } = read(unit.repeat(1_000_000 / unit.length));
      expect([found.size, cut], unit).toEqual([0, null]);
    }
  });
});

describe('a continuation', () => {
  const long = 'const total = values.reduce((sum, value) => sum + value, 0);';
  test('is joined at the exact place', () => {
    expect(joined('const a', 'bc = 1;')).toBe('const abc = 1;');
    expect(joined(`x\n${long}`, `${long}\ny`)).toBe(`x\n${long}\ny`);
    expect(joined('  }\n', '  }\n')).toBe('  }\n  }\n');
  });

  test('may put a mark behind half a line, or open a fence again', () => {
    expect(joined('let a', `\n=== END ${boundary}`)).toBe(`let a\n=== END ${boundary}`);
    expect(joined('let a =', `\`\`\`js\n 1;\n\`\`\`\n=== END ${boundary}`)).toBe(
      `let a = 1;\n=== END ${boundary}`,
    );
  });
});
