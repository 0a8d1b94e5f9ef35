import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { allSettings } from '../../../src/config/settings.ts';
import { root } from '../../helpers/contract.ts';

it.each(allSettings)('the README explains $name', ({ name, fallback, about }) => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8').replaceAll(/ +/g, ' ');
  const shown = fallback ? `\`${fallback}\`` : '';
  expect(readme).toContain(`| \`${name}\` | ${shown} | ${about} |`.replaceAll(/ +/g, ' '));
});
