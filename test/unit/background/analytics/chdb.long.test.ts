/**
 * The engine of ClickHouse, as a library for Python (chdb), makes the table that the guide prints and takes the rows that
 * leave. `CHDB_PYTHON` names a Python that has it; without one these tests are skipped.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linesOf } from '../../../../src/background/analytics/row.ts';
import { analyticsSample } from '../../../helpers/analytics.ts';
import { root } from '../../../helpers/contract.ts';
import { blocksIn } from '../../../helpers/guides.ts';

const run = promisify(execFile);
const python = process.env['CHDB_PYTHON'] ?? 'python3';

function hasChdb(): boolean {
  try {
    execFileSync(python, ['-c', 'import chdb'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const script = `
import json, sys
from chdb import session
given = json.load(open(sys.argv[1]))
db = session.Session(sys.argv[2])
db.query(given["table"])
for token, lines in given["inserts"]:
    db.query("INSERT INTO switchyard_requests SETTINGS insert_deduplication_token = '" + token + "', "
        "date_time_input_format = 'best_effort', input_format_skip_unknown_fields = 1 FORMAT JSONEachRow " + lines)
print(json.dumps([json.loads(str(db.query(ask, "JSON")))["data"] for ask in given["asks"]]))
`;

describe.skipIf(!hasChdb())('the table of the guide', () => {
  it('takes the rows, one batch once, and answers for one row of each request', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-chdb-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const guide = await readFile(path.join(root, 'docs/guides/analytics.md'), 'utf8');
    const [table, sums] = blocksIn(guide)
      .filter(({ lang }) => lang === 'sql')
      .map(({ text }) => text);
    const quoting = {
      ...analyticsSample,
      id: 'second',
      model: 'naïve "model"\n',
      cost_micro_usd: null,
      tags: {},
    };
    const late = {
      ...analyticsSample,
      status: 'interrupted',
      settled_at: '2026-03-10T12:00:01.000Z',
      cost_micro_usd: 9,
    };
    const first = linesOf([late, quoting]);
    const inserts = [
      ['batch-1', first],
      ['batch-1', first],
      ['batch-2', linesOf([analyticsSample])],
    ];
    const asks = [
      'SELECT count() AS rows FROM switchyard_requests',
      'SELECT id, status, model, toString(created_at) AS created_at, tags, cost_micro_usd FROM switchyard_requests FINAL ORDER BY id',
      sums,
    ];
    const file = path.join(folder, 'given.json');
    await writeFile(file, JSON.stringify({ table, inserts, asks }));
    const { stdout } = await run(python, ['-c', script, file, path.join(folder, 'data')]);
    const [counted, rows, summed] = JSON.parse(stdout);
    expect(counted).toEqual([{ rows: 3 }]);
    expect(rows).toEqual([
      {
        id: '01SAMPLE',
        status: 'succeeded',
        model: 'gpt-4o',
        created_at: '2026-03-10 12:00:00.123',
        tags: { team: 'red' },
        cost_micro_usd: 400,
      },
      {
        id: 'second',
        status: 'succeeded',
        model: 'naïve "model"\n',
        created_at: '2026-03-10 12:00:00.123',
        tags: {},
        cost_micro_usd: null,
      },
    ]);
    expect(summed).toMatchObject([
      { tenant_id: 'acme', model: 'gpt-4o', requests: 1, cost_usd: 0.0004 },
      { tenant_id: 'acme', requests: 1 },
    ]);
  });
});
