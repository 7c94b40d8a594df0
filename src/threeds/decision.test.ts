import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { networks } from './networks.ts';
import { codesByKind, policyChoices } from './outcome.ts';
import { directives } from './sandbox/directives.ts';

const page = readFileSync(join(import.meta.dirname, '../../decisions/0015-three-d-secure.md'), 'utf8');
const rows = new Set(page.split('\n').filter((line) => line.startsWith('| ')));
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tables: Readonly<Record<string, readonly string[]>> = {
  indicators: Object.values(networks).map(({ brands, eci }) =>
    row(brands.join(', '), eci.authenticated, eci.attempted, eci.none, eci.informational),
  ),
  codes: Object.entries(codesByKind).map(([kind, { stop, standalone }]) => row(kind, stop, standalone)),
  choices: Object.entries(policyChoices).map(([name, { says, otherwise }]) => row(name, says, otherwise)),
  directives: Object.values(directives).map(({ parameter, takes, effect }) => row(`\`${parameter}\``, takes, effect)),
};

for (const [name, expected] of Object.entries(tables)) {
  test(`decision 0015 prints the table of ${name} as it is`, () => {
    assert.deepEqual(
      expected.filter((line) => !rows.has(line)),
      [],
    );
  });
}
