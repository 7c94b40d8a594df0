import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import type { UserNeeds } from '../../src/users/ports.ts';
import { testDatabase } from '../postgres.ts';
import { startGateway } from './gateway.ts';
import { browserOf, createUserWithPassword, PASSWORD } from './userFixture.ts';

/** Guesses at once against two gateways on one database, as an attacker sends them. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-sign-in-'));
const database = await testDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['SQLite', () => openSqliteStore({ dataDir: folder })],
  ['PostgreSQL', () => openPostgresStore({ url: database.url })],
];
const GUESSES = 100;

/** Counts how often a node opens the secret of an app: it does so once for each code that it compares. */
function watch(needs: UserNeeds): () => number {
  let opened = 0;
  const { vault } = needs;
  const watched: UserNeeds['vault'] = {
    digest: (purpose, text) => vault.digest(purpose, text),
    ready: (owner) => vault.ready(owner),
    seal: (record, text) => vault.seal(record, text),
    open: (record, sealed) => {
      opened += 1;
      return vault.open(record, sealed);
    },
  };
  Object.assign(needs, { vault: watched });
  return () => opened;
}

for (const [name, open] of stores) {
  test(`${name}: ${GUESSES} codes at once over two nodes: five are compared, and the address is locked on both`, async (t) => {
    const gateways = [
      await startGateway({ store: await open() }),
      await startGateway({ store: await open(), nodeName: 'test-2' }),
    ];
    t.after(async () => {
      for (const one of gateways) await one.close();
    });
    const [first] = gateways as [(typeof gateways)[number]];
    const who = await createUserWithPassword(first);
    const opened = gateways.map((one) => watch(one.services.users.needs));
    const near = [-1, 0, 1, 2].map((steps) => who.code(steps));
    const wrong = Array.from({ length: 2 * GUESSES }, (_, at) => String(at).padStart(6, '0')).filter(
      (code) => !near.includes(code),
    );
    const ask = gateways.map(({ backOfficeUrl }) => browserOf(backOfficeUrl, null, null));
    const asked = (at: number) => ask[at % ask.length] as (typeof ask)[number];
    const half = await asked(0)('POST', '/session', { email: who.user.email, password: PASSWORD });
    const { ticket } = half.body;
    const replies = await Promise.all(
      wrong.slice(0, GUESSES).map((code, at) => asked(at)('POST', '/session/second', { ticket, code })),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [401]);
    const compared = opened.reduce((sum, count) => sum + count(), 0);
    assert.ok(compared <= 5, `${compared} codes were compared`);
    for (const at of [0, 1]) {
      assert.equal(
        (await asked(at)('POST', '/session/second', { ticket, code: who.code() })).status,
        401,
        'the right one, too late',
      );
      assert.equal((await asked(at)('POST', '/session', { email: who.user.email, password: PASSWORD })).status, 401, 'locked');
    }
    const passwords = await createUserWithPassword(first);
    // None of them is right: a right one among the first five is no failure, and then only four count.
    const guesses = Array.from({ length: 19 }, (_, at) => `four quiet herons at dusk ${at}`);
    await Promise.all(guesses.map((password, at) => asked(at)('POST', '/session', { email: passwords.user.email, password })));
    const late = await asked(1)('POST', '/session', { email: passwords.user.email, password: PASSWORD });
    assert.equal(late.status, 401, 'nineteen wrong passwords at once lock');
  });
}
