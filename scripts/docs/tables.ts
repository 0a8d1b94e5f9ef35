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
