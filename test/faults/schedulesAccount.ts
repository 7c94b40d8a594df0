import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Receiver } from '../webhooks/receiver.ts';
import type { RawDatabase } from './database.ts';
import type { Proof } from './verifyBooks.ts';

type Charged = { readonly id: string; readonly state: string; readonly label: string; readonly revision: number };
type Run = {
  readonly planId: string;
  readonly dueAt: number;
  readonly paymentId: string | null;
  readonly skipped: string | null;
};

/** The outcome of all instants. Each list names the offenders. */
export type Account = {
  readonly instants: number;
  readonly approved: number;
  readonly declined: number;
  readonly skipped: number;
  readonly kills: number;
  /** Due, and neither charged nor recorded as skipped. */
  readonly lost: readonly string[];
  /** More payments for a schedule than it had instants, or payments beside the records. */
  readonly doubled: readonly string[];
  /** Approved here and not at the acquirer, or the reverse. */
  readonly disagreed: readonly string[];
  readonly open: readonly string[];
  /** Without its event in the outbox, or not delivered to the webhook. */
  readonly missingEvents: readonly string[];
  readonly skips: ReadonlySet<string>;
  /** Of charges that failed. */
  readonly codes: ReadonlySet<string>;
  readonly verify: Proof;
};

type Found = Omit<Account, 'kills' | 'verify'>;

/** One instant at which a schedule was due. */
export type Instant = { readonly id: string; readonly label: string; readonly dueAt: number };
type Witnesses = { readonly expected: readonly Instant[]; readonly receiver: Receiver; readonly book: string };

export async function accountOf(raw: RawDatabase, { expected, receiver, book }: Witnesses): Promise<Found> {
  const runs = (await raw.rows('SELECT schedule_id, due_at, payment_id, skipped FROM schedule_run')).map(
    (row): Run => ({
      planId: String(row.schedule_id),
      dueAt: Number(row.due_at),
      paymentId: row.payment_id === null ? null : String(row.payment_id),
      skipped: row.skipped === null ? null : String(row.skipped),
    }),
  );
  const charges = (
    await raw.rows(
      "SELECT id, state, revision, merchant_transaction_id AS label FROM payment WHERE payment_type = 'DB' AND merchant_transaction_id LIKE 'schedule-%'",
    )
  ).map(
    (row): Charged => ({
      id: String(row.id),
      state: String(row.state),
      label: String(row.label),
      revision: Number(row.revision),
    }),
  );
  const recorded = new Set(runs.map(({ planId, dueAt }) => `${planId} ${dueAt}`));
  const named = new Set(runs.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])));
  const instantsOf = Map.groupBy(expected, ({ label }) => label);
  return {
    instants: expected.length,
    approved: charges.filter(({ state }) => state === 'approved').length,
    declined: charges.filter(({ state }) => state === 'declined').length,
    skipped: runs.filter(({ skipped }) => skipped !== null).length,
    lost: expected.filter(({ id, dueAt }) => !recorded.has(`${id} ${dueAt}`)).map(({ label, dueAt }) => `${label} at ${dueAt}`),
    doubled: [
      ...[...Map.groupBy(charges, ({ label }) => label)]
        .filter(([label, all]) => all.length > (instantsOf.get(label)?.length ?? 0))
        .map(([label, all]) => `${label}: ${all.map(({ id, state }) => `${id} ${state}`).join(', ')}`),
      ...charges.filter(({ id }) => !named.has(id)).map(({ id, label }) => `${label}: ${id} stands beside the records`),
    ],
    disagreed: disagreements(charges, book),
    open: charges.filter(({ state }) => state === 'open').map(({ id }) => id),
    missingEvents: await missingEvents(raw, charges, receiver),
    codes: await codesOf(raw, charges),
    skips: new Set(runs.flatMap(({ skipped }) => (skipped === null ? [] : [skipped]))),
  };
}

type Booked = { readonly id: string; readonly type: string; readonly answer: string; readonly pid: string };

export function bookOf(path: string): readonly Booked[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => {
    const [id = '', type = '', answer = '', pid = ''] = line.split(' ');
    return { id, type, answer, pid };
  });
}

/** The acquirer's own records. Those of an answer within our commit may be missing when the process died; all others are complete. */
function disagreements(charges: readonly Charged[], book: string): string[] {
  const last = new Map<string, string>();
  for (const { id, type, answer } of bookOf(book)) {
    // An approval that another node receives again does not undo a cancellation.
    if (type === 'DB' && last.get(id) !== 'cancelled') last.set(id, answer);
  }
  const ours = new Map(charges.map(({ id, state }) => [id, state]));
  return [
    ...charges
      .filter(({ id, state }) => last.has(id) && (state === 'approved') !== (last.get(id) === 'approved'))
      .map(({ id, state }) => `${id}: ${state} here, ${last.get(id)} at the acquirer`),
    ...[...last]
      .filter(([id, answer]) => answer === 'approved' && !ours.has(id))
      .map(([id]) => `${id}: known to the acquirer alone`),
  ];
}

/** Every revision must have one event, and every event must be delivered. */
async function missingEvents(raw: RawDatabase, charges: readonly Charged[], { accepted }: Receiver): Promise<string[]> {
  const events = await raw.rows('SELECT subject_id, revision FROM outbox');
  const eventsById = Map.groupBy(events, (row) => String(row.subject_id));
  const delivered = new Map<string, Set<string>>();
  for (const { text, id } of accepted) {
    const about = text === null ? null : (JSON.parse(text) as { readonly payload?: { readonly id?: string } }).payload?.id;
    if (about) delivered.set(about, (delivered.get(about) ?? new Set()).add(id));
  }
  return charges.flatMap(({ id, revision, label }) => {
    const revisions = (eventsById.get(id) ?? []).map((row) => Number(row.revision));
    const isWhole = revisions.includes(revision) && new Set(revisions).size === revisions.length;
    if (!isWhole) return [`${label}: ${id} at revision ${revision} has events of ${revisions.join(', ')}`];
    const count = delivered.get(id)?.size ?? 0;
    return count === revisions.length ? [] : [`${label}: ${id} has ${revisions.length} events, ${count} were delivered`];
  });
}

async function codesOf(raw: RawDatabase, charges: readonly Charged[]): Promise<ReadonlySet<string>> {
  const events = await raw.rows('SELECT subject_id, revision, code FROM outbox');
  const codes = new Map(events.map((row) => [`${row.subject_id} ${row.revision}`, String(row.code)]));
  return new Set(
    charges.filter(({ state }) => state === 'declined').map(({ id, revision }) => codes.get(`${id} ${revision}`) ?? ''),
  );
}

export const describeAccount = (name: string, { instants, approved, declined, skipped, kills, verify: proof }: Account): string =>
  `${name}: ${instants} instants, ${approved} approved, ${declined} declined, ${skipped} skipped, ${kills} kills; ${proof.text.split('\n')[0]}`;

export function assertEachOnce(account: Account): void {
  const { lost, doubled, disagreed, open, missingEvents: missing } = account;
  const wrong = Object.entries({ lost, doubled, disagreed, open, missing })
    .filter(([, offenders]) => offenders.length > 0)
    .map(([what, offenders]) => `${offenders.length} ${what}, such as:\n${offenders.slice(0, 5).join('\n')}`);
  assert.equal(wrong.length, 0, wrong.join('\n'));
  assert.ok(account.verify.ok, account.verify.text);
  assert.equal(account.approved + account.declined + account.skipped, account.instants);
  // The simulated acquirer dies with its node: it does not know that request, which is cancelled.
  assert.deepEqual(
    [...account.codes].filter((code) => code !== '900.100.301'),
    [],
  );
  assert.deepEqual(
    [...account.skips].filter((why) => !why.startsWith('missed')),
    [],
  );
}
