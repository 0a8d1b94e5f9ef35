import {
  clientWires,
  type Disposition,
  type FieldRow,
  wireNames,
  wires,
} from '../../src/gateway/wires/fields/field-rows.ts';
import { fieldTable } from '../../src/gateway/wires/fields/table.ts';
import type { VendorWire } from '../../src/model/parts.ts';

/** What becomes of each field of a wire towards each of the others. */
export function fieldsTable(name: string): string {
  const wire = clientWires.find((one) => one === name);
  if (!wire) throw new Error(`there is no wire ${name}`);
  // Who speaks Chat Completions is asked for the older Completions as they come.
  const own = wire === 'openai-completions' ? 'openai-chat' : wire;
  const targets = wires.filter((one) => one !== own);
  const { published, rows } = fieldTable(wire);
  const head = ['Field', ...targets.map((target) => wireNames[target]), 'Note'];
  return [
    `Compared with ${published}.\n`,
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((row) => `| ${cellsOf(row, targets).join(' | ')} |`),
  ].join('\n');
}

const marks: Readonly<Record<Disposition, string>> = {
  mapped: 'mapped',
  dropped: '*dropped*',
  refused: '**refused**',
};

function cellsOf(row: FieldRow, targets: readonly VendorWire[]): string[] {
  return [fieldOf(row.path), ...targets.map((target) => marks[row.to[target]]), noteOf(row)];
}

/** A path; where it is of several kinds or of a value, those are named beside it. */
function fieldOf(path: string): string {
  const [, before, items, by, kinds = ''] = /^(.*?)(\[?)\{?(\w+)=([^\]}]+)[\]}]$/.exec(path) ?? [];
  if (before === undefined) {
    const [, field, value] = /^(.*)=([^\]}]+)$/.exec(path) ?? [];
    return field ? `${code(field)}, the value ${code(value ?? '')}` : code(path);
  }
  return `${code(`${before}${items ? '[]' : ''}`)} of ${by} ${kinds.split('|').map(code).join(', ')}`;
}

function noteOf({ note, harmless, source, sameAs, to }: FieldRow): string {
  const counts = harmless?.map((value) => code(JSON.stringify(value))).join(' or ');
  return [
    note,
    sameAs && `Below it as below ${code(sameAs)}.`,
    // Where a field is carried over everywhere, so are these.
    counts && wires.some((wire) => to[wire] !== 'mapped') && `${counts} counts as left out.`,
    source && `Source: ${source.replace(/https?:\/\/[^\s),]+/, '<$&>')}.`,
  ]
    .filter((sentence) => sentence)
    .join(' ');
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
