import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { writtenDialects } from '../../src/gateway/dialects/dialect.ts';
import { ruleSchemas } from '../../src/gateway/dialects/rules.ts';
import { builtinModels, substitutions } from '../../src/gateway/routing/builtin.ts';
import { planIds, plansOf } from '../../src/tenants/accounts/plans.ts';

const vendors = [
  { provider: 'openai', name: 'OpenAI' },
  { provider: 'anthropic', name: 'Anthropic' },
  { provider: 'gemini', name: 'Gemini' },
];

/** The models that are known by name, by vendor. */
export function modelsTable(): string {
  const rows = vendors.map(({ provider, name }) => {
    const [first, ...others] = builtinModels(provider).map(({ id }) => `\`${id}\``);
    return `| ${name} | ${first} | ${others.join(', ')} |`;
  });
  return ['| Vendor | Default | Others |', '|---|---|---|', ...rows].join('\n');
}

/** The names that are sent as the successor of a model that its vendor has withdrawn. */
export function substitutionsTable(): string {
  const rows = substitutions.map(
    ({ name, sentAs, since, source }) => `| \`${name}\` | \`${sentAs}\` | ${since} | [page](${source}) |`,
  );
  return ['| You send | The vendor gets | Withdrawn on | Declared by |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** The limits of the plans, in both tables that `LIMITS_VARIANT` chooses from. */
export function limitsTable(): string {
  const rows = planIds.map((id) => {
    const cells = (['A', 'B'] as const).map((variant) => {
      const { requestsPerMinute, requestsPerDay, requestsPerMonth } = plansOf(variant)[id];
      const limits = [
        [requestsPerMinute, 'a minute'],
        [requestsPerDay, 'a day'],
        [requestsPerMonth, 'a month'],
      ].flatMap(([limit, window]) => (limit === null ? [] : [`${limit?.toLocaleString('en')} ${window}`]));
      return limits.join(', ') || 'unlimited, or as set for the tenant';
    });
    return `| ${id.charAt(0).toUpperCase()}${id.slice(1)} | ${cells.join(' | ')} |`;
  });
  return ['| Plan | `LIMITS_VARIANT=A` | `LIMITS_VARIANT=B` |', '|---|---|---|', ...rows].join('\n');
}

/** What generators of others make of the contract. */
export function generatorsTable(root: string): string {
  const file = path.join(root, 'test/conformance/generators/matrix.yaml');
  const tools = parse(readFileSync(file, 'utf8')) as ({ readonly run?: readonly string[] } & Partial<
    Record<'tool' | 'folder' | '3.1' | '3.0' | 'finding' | 'on', string>
  >)[];
  const rows = tools.map(({ tool, folder, '3.1': in31 = '', '3.0': in30 = '', run = [], finding, on }) => {
    const why = finding ? `, \`findings/${finding}.sh\`` : '';
    const done = ['chat', 'error', 'stream', 'build'].map((step) => (run.includes(step) ? 'yes' : ''));
    return `| ${[tool, in31 + why, in30, ...done, folder ? on : `${on}, by hand`].join(' | ')} |`;
  });
  return [
    '| Generator | from 3.1 | from 3.0 | chat | error | stream | build | tried |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** What each rule of a dialect says. */
export function dialectRulesTable(): string {
  const rows = Object.entries(ruleSchemas).map(([name, { about }]) => `| \`${name}\` | ${about} |`);
  return ['| Rule | What it says |', '|---|---|', ...rows].join('\n');
}

/** The dialects, each with the lines of its file. */
export function dialectSections(): string {
  return Object.entries(writtenDialects())
    .map(([name, { title, like = [], hosts = [], models, lines }]) => {
      const known = [
        ...(hosts.length > 0 ? [`at ${hosts.map((host) => `\`${host}\``).join(', ')}`] : []),
        ...(models === undefined ? [] : [`by models \`${models.replaceAll('|', '\\|')}\``]),
      ];
      const about = [
        `\`${name}\``,
        ...(like.length > 0 ? [`like ${like.map((other) => `\`${other}\``).join(', ')}`] : []),
        ...(known.length > 0 ? [`known ${known.join(', or ')}`] : []),
      ].join('; ');
      const rows = lines.map(({ on, model, rule, is, source, seen }) => {
        const cells = [
          on.join(', '),
          model === undefined ? '' : `\`${model}\``,
          `\`${rule}\``,
          `\`${JSON.stringify(is)}\``,
        ];
        return `| ${[...cells, linked(source), seen].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
      });
      const head = ['| On | Models | Rule | Is | Source | Seen |', '|---|---|---|---|---|---|'];
      return [`### ${title}`, '', `${about}.`, ...(rows.length > 0 ? ['', ...head, ...rows] : [])].join('\n');
    })
    .join('\n\n');
}

function linked(source: string): string {
  return source.replaceAll(/https:\/\/\S+/g, (url) => `[${new URL(url).hostname}](${url})`);
}
