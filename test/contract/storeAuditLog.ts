import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { type AuditAction, type AuditEntry, chainEntries } from '../../src/audit/entry.ts';
import { chainPages } from '../../src/audit/service.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import { createAuditWriter, sealOf } from '../../src/audit/writer.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, nextId, type Open, type Opened } from './storeFixtures.ts';

export const digest = (owner: string, text: string): string =>
  createHmac('sha256', 'a key').update(`${owner}|${text}`).digest('hex');

export const act = (changes: Partial<AuditAction> = {}): AuditAction => ({
  who: nextId(),
  whoName: 'Ann Example <ann@shop.example>',
  what: 'createWebhook',
  entityId: nextId(),
  objectId: nextId(),
  result: 'done',
  from: '192.0.2.7',
  ...changes,
});

export const writerOf = (store: Store, node = 'node1', now = () => NOW) => createAuditWriter({ store, digest, now, node });

export const prove = (store: Store) =>
  verifyAudit({
    head: store.auditHead,
    pages: (after) => chainPages({ store, rest: async () => {} }, after),
    sealOf: async (head) => sealOf(digest, head),
  });

/** An entry is kept as it was written, behind the one before it, and is found by its age and its number. */
export function auditLogContract(name: string, open: Open): void {
  test(`${name}: the audit log begins empty and stores entries`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual(await store.auditHead(), { number: 0, hash: '', seal: '' });
    assert.deepEqual(await store.auditChain(0, 10), []);
    const [first, second] = [act(), act({ who: '', entityId: null, objectId: null, result: '800.900.300', note: 'Büro; "1"' })];
    const writer = writerOf(store);
    await writer.write(first);
    await writer.write(second);
    const expected = chainEntries(
      { number: 0, hash: '' },
      [first, second].map((one) => ({ ...one, at: NOW, node: 'node1' })),
    );
    assert.deepEqual(await store.auditChain(0, 10), expected);
    assert.deepEqual(await store.auditChain(1, 10), expected.slice(1));
    const { number, hash } = expected[1] as AuditEntry;
    assert.deepEqual(await store.auditHead(), { number, hash, seal: sealOf(digest, { number, hash }) });
    assert.deepEqual(await prove(store), { entries: 2, head: { number, hash }, seal: 'right', findings: [], found: 0 });
  });

  test(`${name}: nothing is written after an old head`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const head = await store.auditHead();
    const [one] = chainEntries(head, [{ ...act(), at: NOW, node: 'node1' }]) as [AuditEntry];
    const next = { number: 1, hash: one.hash, seal: 'x' };
    const both = await Promise.all([store.appendAudit(head, [one], next), store.appendAudit(head, [one], next)]);
    assert.deepEqual(both.toSorted(), [false, true]);
    assert.equal(await store.appendAudit(head, [one], next), false);
    assert.equal((await store.auditChain(0, 10)).length, 1);
  });

  test(`${name}: entries are paged, the newest first, within a time frame`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    let now = NOW;
    const writer = writerOf(store, 'node1', () => now);
    // Clocks of nodes differ a little: what is written later may be older.
    for (const later of [5, 1, 3, 3, 9]) {
      now = NOW + later;
      await writer.write(act());
    }
    const numbers = async (asked: Omit<Parameters<Store['auditEntries']>[0], 'limit'>, limit = 10) =>
      (await store.auditEntries({ ...asked, limit })).map(({ number }) => number);
    assert.deepEqual(await numbers({}), [5, 1, 4, 3, 2]);
    assert.deepEqual(await numbers({}, 2), [5, 1]);
    assert.deepEqual(await numbers({ before: { at: NOW + 3, number: 4 } }), [3, 2]);
    assert.deepEqual(await numbers({ from: NOW + 3, to: NOW + 9 }), [1, 4, 3]);
    assert.deepEqual(await numbers({ before: { at: NOW + 5, number: 1 }, from: NOW + 3, to: NOW + 9 }), [4, 3]);
    assert.deepEqual(await numbers({ to: NOW }), []);
  });
}

const attempts: readonly (readonly [statement: string, refusal: RegExp])[] = [
  ["UPDATE audit_entry SET result = 'done'", /audit_entry_fixed/],
  ['DELETE FROM audit_entry', /audit_entry_no_delete/],
  ['UPDATE audit_head SET number = 1', /audit_head_advances/],
  ['DELETE FROM audit_head', /audit_head_no_delete/],
  ["INSERT INTO audit_head (id, number, hash, seal) VALUES (2, 9, '', '')", /audit_head_one/],
  [
    `INSERT INTO audit_entry SELECT number + 7, at, actor, who, who_name, what, entity_id, object_id, origin, result, node, note, previous, hash
     FROM audit_entry WHERE number = 1`,
    /audit_entry_follows|audit_entry_begins/,
  ],
];

/** The database keeps the log against raw statements too. */
export function auditLogRawContract(name: string, opened: () => Opened): void {
  test(`${name}: by raw SQL, nothing in the audit log can be changed, removed or inserted`, async () => {
    const { store, database } = opened();
    const writer = writerOf(store);
    for (let count = 0; count < 3; count += 1) await writer.write(act());
    const further =
      name === 'sqlite'
        ? [['INSERT OR REPLACE INTO audit_entry SELECT * FROM audit_entry WHERE number = 2', /audit_entry_follows/] as const]
        : [
            ['TRUNCATE audit_entry', /audit_entry_no_truncate/] as const,
            ['TRUNCATE audit_head', /audit_head_no_truncate/] as const,
          ];
    for (const [statement, refusal] of [...attempts, ...further]) {
      await assert.rejects(
        async () => database?.raw(statement),
        (error: Error) => {
          const constraint = 'constraint_name' in error ? String(error.constraint_name) : '';
          assert.match(`${constraint} ${error.message}`, refusal, statement);
          return true;
        },
      );
    }
    assert.equal((await prove(store)).found, 0);
  });
}

/** Many nodes write one chain. */
export function auditLogNodesContract(name: string, open: Open): void {
  test(`${name}: nodes that write at the same time make one chain`, async (t) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    // Two nodes, and of each several who do not know of each other, like commands beside a gateway.
    const writers = [first.store, second].flatMap((store, at) => [writerOf(store, `n${at}`), writerOf(store, `c${at}`)]);
    const acts = Array.from({ length: 20 }, () => act());
    await Promise.all(acts.map((one, at) => writers[at % writers.length]?.write(one)));
    const entries = await second.auditChain(0, 100);
    assert.deepEqual(
      entries.map(({ number }) => number),
      acts.map((_, at) => at + 1),
    );
    assert.deepEqual(new Set(entries.map(({ who }) => who)), new Set(acts.map(({ who }) => who)));
    assert.deepEqual(new Set(entries.map(({ node }) => node)), new Set(['n0', 'c0', 'n1', 'c1']));
    const { found, seal, entries: count } = await prove(first.store);
    assert.deepEqual({ found, seal, count }, { found: 0, seal: 'right', count: 20 });
  });
}
