import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AuditEntry, chainEntries, entryHash } from '../../src/audit/entry.ts';
import { type AuditVerdict, type RecordedHead, verifyAudit } from '../../src/audit/verify.ts';
import { sealOf } from '../../src/audit/writer.ts';
import { auditCells, auditColumns } from '../../src/store/areas/users.ts';
import { withAudit } from '../../src/store/open.ts';
import { act, digest, writerOf } from '../contract/storeAuditLog.ts';
import { NOW, type Open, type Opened } from '../contract/storeFixtures.ts';
import { openPostgres, openSqlite } from '../contract/storeOpen.ts';

/** An attacker with all rights on the database changes the log. Every change is found and named. */

const COUNT = 8;
type Raw = NonNullable<Opened['database']>['raw'];
type Stage = { readonly raw: Raw; readonly entries: readonly AuditEntry[] };

const quoted = (cell: string | number | null): string =>
  cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`;
const insertion = (entry: AuditEntry): string =>
  `INSERT INTO audit_entry (${auditColumns}) VALUES (${auditCells(entry).map(quoted).join(', ')})`;

const texts = ['actor', 'who', 'who_name', 'what', 'entity_id', 'object_id', 'origin', 'result', 'node', 'previous', 'hash'];

/** Entries from a number on, rewritten with valid hashes. */
function rewritten(entries: readonly AuditEntry[], from: number, change: Partial<AuditEntry>): readonly AuditEntry[] {
  let previous = entries[from - 2]?.hash ?? '';
  return entries.slice(from - 1).map((entry) => {
    const entryAnew = { ...entry, ...(entry.number === from && change), previous };
    previous = entryHash(entryAnew);
    return { ...entryAnew, hash: previous };
  });
}

const moveHead = ({ number, hash }: RecordedHead, seal = 'seal'): string =>
  `UPDATE audit_head SET number = ${number}, hash = '${hash}', seal = ${seal === 'seal' ? 'seal' : quoted(seal)}`;

type Tampering = readonly [what: string, statements: (stage: Stage) => readonly string[], entry: number | null, says: RegExp];

const tamperings: readonly Tampering[] = [
  ...texts.map(
    (column): Tampering => [
      `a byte of ${column}`,
      () => [`UPDATE audit_entry SET ${column} = 'x' || substr(${column}, 2) WHERE number = 4`],
      4,
      column === 'previous' ? /does not carry the hash of the entry before/ : /its hash is not that of what it says/,
    ],
  ),
  ...['at', 'note'].map(
    (column): Tampering => [
      `the column ${column}`,
      () => [`UPDATE audit_entry SET ${column} = ${column === 'at' ? 'at + 1' : "'x'"} WHERE number = 4`],
      4,
      /its hash is not that of what it says/,
    ],
  ),
  ['an entity forgotten', () => ['UPDATE audit_entry SET entity_id = NULL WHERE number = 4'], 4, /hash is not that/],
  ['an entry removed', () => ['DELETE FROM audit_entry WHERE number = 3'], 4, /the entry before it is missing/],
  ['the beginning removed', () => ['DELETE FROM audit_entry WHERE number < 3'], 3, /2 entries before it are missing/],
  ['the end cut off', () => ['DELETE FROM audit_entry WHERE number > 6'], 8, /ends with entry 6: the last 2 are missing/],
  ['everything removed', () => ['DELETE FROM audit_entry'], 8, /ends with entry 0/],
  [
    'an entry removed and the numbers closed up',
    () => [
      'DELETE FROM audit_entry WHERE number = 3',
      ...[4, 5, 6, 7, 8].map((number) => `UPDATE audit_entry SET number = ${number - 1} WHERE number = ${number}`),
    ],
    3,
    /does not carry the hash of the entry before it/,
  ],
  [
    'two entries exchanged',
    () => [
      'UPDATE audit_entry SET number = 99 WHERE number = 3',
      'UPDATE audit_entry SET number = 3 WHERE number = 4',
      'UPDATE audit_entry SET number = 4 WHERE number = 99',
    ],
    3,
    /its hash is not that of what it says/,
  ],
  [
    'an entry put between',
    ({ entries }) => [
      ...[8, 7, 6, 5].map((number) => `UPDATE audit_entry SET number = ${number + 1} WHERE number = ${number}`),
      insertion(chainEntries(entries[3] as AuditEntry, [{ ...act(), at: NOW, node: 'node1' }])[0] as AuditEntry),
    ],
    6,
    /does not carry the hash of the entry before it/,
  ],
  [
    'an entry put behind the end',
    ({ entries }) => [insertion(chainEntries(entries[7] as AuditEntry, [{ ...act(), at: NOW, node: 'x' }])[0] as AuditEntry)],
    9,
    /the head counts only 8 entries/,
  ],
  [
    'an entry put behind the end, and the head moved',
    ({ entries }) => {
      const [entry] = chainEntries(entries[7] as AuditEntry, [{ ...act(), at: NOW, node: 'x' }]) as [AuditEntry];
      return [insertion(entry), moveHead(entry)];
    },
    null,
    /the seal/,
  ],
  [
    'the chain written anew from an entry on',
    ({ entries }) => {
      const anew = rewritten(entries, 5, { who: 'somebody else' });
      return ['DELETE FROM audit_entry WHERE number > 4', ...anew.map(insertion), moveHead(anew.at(-1) as AuditEntry)];
    },
    null,
    /the seal/,
  ],
  [
    'the end cut off, and the head set back',
    ({ entries }) => ['DELETE FROM audit_entry WHERE number > 6', moveHead(entries[5] as AuditEntry)],
    null,
    /the seal/,
  ],
  ['the hash of the head', () => ["UPDATE audit_head SET hash = 'x'"], 8, /the head carries another hash/],
  ['the seal of the head', () => ["UPDATE audit_head SET seal = 'x'"], null, /the seal/],
  ['the head removed', () => ['DELETE FROM audit_head'], 8, /the head counts only 0 entries/],
];

const engines: readonly (readonly [name: string, open: Open, off: readonly string[]])[] = [
  [
    'sqlite',
    openSqlite,
    [
      ...['audit_entry_no_delete', 'audit_entry_fixed', 'audit_entry_follows', 'audit_head_no_delete', 'audit_head_advances'].map(
        (trigger) => `DROP TRIGGER ${trigger}`,
      ),
      'PRAGMA ignore_check_constraints = ON',
    ],
  ],
  [
    'postgres',
    openPostgres,
    [
      'ALTER TABLE audit_entry DISABLE TRIGGER ALL',
      'ALTER TABLE audit_head DISABLE TRIGGER ALL',
      'ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_begins',
    ],
  ],
];

for (const [name, open, off] of engines) {
  describe(name, () => {
    let opened: Opened;
    let stage: Stage;
    before(async () => {
      opened = await open();
      const writer = writerOf(opened.store);
      for (let count = 0; count < COUNT; count += 1) await writer.write(act());
      const raw = opened.database?.raw as Raw;
      stage = { raw, entries: await opened.store.auditChain(0, COUNT) };
      for (const statement of [
        ...off,
        'CREATE TABLE kept_entry AS SELECT * FROM audit_entry',
        'CREATE TABLE kept_head AS SELECT * FROM audit_head',
      ])
        await raw(statement);
    });
    after(() => opened.end());

    const prove = (kept: readonly RecordedHead[] = []): Promise<AuditVerdict> => {
      const { databaseUrl, dataDir } = opened.database?.place ?? { databaseUrl: null, dataDir: '' };
      return withAudit(databaseUrl === null ? { dataDir } : { databaseUrl }, (audit) =>
        verifyAudit({ head: audit.logHead, pages: audit.log, recorded: kept, sealOf: async (head) => sealOf(digest, head) }),
      );
    };
    const restore = async () => {
      for (const table of ['entry', 'head']) {
        await stage.raw(`DELETE FROM audit_${table}`);
        await stage.raw(`INSERT INTO audit_${table} SELECT * FROM kept_${table}`);
      }
    };

    test(`${name}: an untouched log is valid`, async () => {
      const { found, entries, seal } = await prove();
      assert.deepEqual({ found, entries, seal }, { found: 0, entries: COUNT, seal: 'right' });
    });

    for (const [what, statements, entry, says] of tamperings) {
      test(`${name}: found: ${what}`, async () => {
        for (const statement of statements(stage)) await stage.raw(statement);
        const { findings } = await prove();
        await restore();
        assert.ok(
          findings.some(({ number, says: finding }) => number === entry && says.test(finding)),
          JSON.stringify(findings),
        );
        assert.equal((await prove()).found, 0);
      });
    }

    test(`${name}: an older head with its own seal is found with a newer recorded head`, async () => {
      const [sixth, last] = [stage.entries[5] as AuditEntry, stage.entries[7] as AuditEntry];
      await stage.raw('DELETE FROM audit_entry WHERE number > 6');
      await stage.raw(moveHead(sixth, sealOf(digest, sixth)));
      const [unknowing, knowing] = [await prove(), await prove([last])];
      await restore();
      assert.equal(unknowing.found, 0, 'nothing in the database can tell');
      assert.deepEqual(knowing.findings, [{ number: 8, says: 'it was kept as the end of the log once, and is missing' }]);
    });
  });
}

test('postgres: a role that may only add, as docs/audit.md sets it up, adds and does nothing else', async (t) => {
  const opened = await openPostgres();
  const raw = opened.database?.raw as Raw;
  const [log, gateway] = [`log_${process.pid}`, `gateway_${process.pid}`];
  t.after(async () => {
    await raw('RESET ROLE');
    for (const role of [gateway, log]) await raw(`DROP OWNED BY ${role}`).then(() => raw(`DROP ROLE ${role}`));
    await opened.end();
  });
  for (const statement of [
    `CREATE ROLE ${log} NOLOGIN`,
    `CREATE ROLE ${gateway} NOLOGIN`,
    `ALTER TABLE audit_entry OWNER TO ${log}`,
    `ALTER TABLE audit_head OWNER TO ${log}`,
    `GRANT SELECT, INSERT ON audit_entry TO ${gateway}`,
    `GRANT SELECT, UPDATE ON audit_head TO ${gateway}`,
    `SET ROLE ${gateway}`,
  ])
    await raw(statement);
  const [entry] = chainEntries({ number: 0, hash: '' }, [{ ...act(), at: NOW, node: 'node1' }]) as [AuditEntry];
  await raw(moveHead(entry));
  await raw(insertion(entry));
  for (const statement of [
    "UPDATE audit_entry SET who = 'x'",
    'DELETE FROM audit_entry',
    'TRUNCATE audit_entry',
    'DELETE FROM audit_head',
    'ALTER TABLE audit_entry DISABLE TRIGGER ALL',
    'DROP TRIGGER audit_entry_fixed ON audit_entry',
    'DROP TABLE audit_entry',
  ])
    await assert.rejects(raw(statement), /permission denied|must be owner/, statement);
});
