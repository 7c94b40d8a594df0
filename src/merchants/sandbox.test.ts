import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hierarchy } from './directory.ts';
import { holdsSandbox, sandbox, sandboxRows } from './sandbox.ts';
import { tokenHash, tokenOf } from './tokens.ts';

test('the ids and tokens are the published ones', () => {
  assert.equal(sandbox.psp, '5eed00000000000000000000000000d0');
  assert.equal(sandbox.demoShop.channelId, '5eed0000000000000000000000000001');
  assert.equal(sandbox.demoShop.lenientChannelId, '5eed0000000000000000000000000002');
  assert.equal(sandbox.otherShop.channelId, '5eed0000000000000000000000000003');
  assert.equal(sandbox.demoShop.token, tokenOf('5eed00000000000000000000000000a1', 'sandbox-demo'));
  assert.equal(sandbox.otherShop.token, tokenOf('5eed00000000000000000000000000a2', 'sandbox-other'));
});

test('the seed makes sense and keeps no token in clear', () => {
  const rows = sandboxRows(1_000);
  assert.equal(hierarchy(rows.entities).size, 7);
  assert.deepEqual(
    rows.tokens.map((row) => row.tokenHash),
    [tokenHash(sandbox.demoShop.token), tokenHash(sandbox.otherShop.token)],
  );
  assert.ok(!JSON.stringify(rows).includes(sandbox.demoShop.token));
});

test('no limit of the sandbox is met by trying things out', () => {
  const shop = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId);
  for (const operation of ['pay', 'refer', 'read'] as const) assert.equal(shop?.settings.throttle[operation]?.requests, 100_000);
});

const { entities, tokens } = sandboxRows(0);
const foreign = { ...tokens[0], userId: 'f'.repeat(32), tokenHash: tokenHash('another'), entityId: 'f'.repeat(32), createdAt: 0 };
const cases: [what: string, rows: Parameters<typeof holdsSandbox>[0], expected: boolean][] = [
  ['an empty database', { entities: [], tokens: [] }, false],
  ['a database of another installation', { entities: [], tokens: [foreign] }, false],
  ['one entity of the sandbox', { entities: entities.slice(0, 1), tokens: [] }, true],
  ['one token of the sandbox', { entities: [], tokens: tokens.slice(0, 1) }, true],
  [
    'its token under another user',
    { entities: [], tokens: [{ ...foreign, tokenHash: tokenHash(sandbox.otherShop.token) }] },
    true,
  ],
];
for (const [what, rows, expected] of cases) test(`${what}: ${expected}`, () => assert.equal(holdsSandbox(rows), expected));
