import type { ClaimRelease, DueQuery } from '../merchants/merchantFilter.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { drive } from './drive.ts';
import { isOpen, type Payment } from './payment.ts';
import type { World } from './ports.ts';
import { canStep } from './threeDS/steps.ts';

/** The merchants and the number of rows of one sweep. `now` comes from the world's clock. */
export type DueBatch = Omit<DueQuery, 'now'>;

/** `isMisdated`: instead of due payments, payments whose `dueAt` is too far ahead because a clock was put back. */
export type SweepBatch = DueBatch & { readonly isMisdated?: boolean };

export type SweepResult = {
  readonly looked: number;
  readonly settled: number;
  /** Payments that are immediately due again. */
  readonly stillDue: number;
  /** Payments that could not be driven: the store or a connector is out of order. */
  readonly failed: number;
  /** Age of the longest open payment that was due, for the operator's metrics. */
  readonly oldestMs: number | null;
};

/** Claims that could not be released because the store was out of order. The caller keeps the list from one sweep to the next. */
export type UnreleasedClaims = ClaimRelease[];

/** Older ones end by themselves. */
const UNRELEASED_MAX = 60;

/** Longer than most questions take. A claim that ends too early costs a question: a payment that two nodes ask about still moves once. */
const CLAIM_MS = MINUTE_MS;

/**
 * Drives every payment whose request has ended without an answer: after a crash, a lost answer, an acquirer that was down. Each is claimed
 * first, so that many sweepers do not ask the same question; it is safe even so, because a move is committed only on the revision it was
 * decided on. Claims that a sweep could not release are released by the next one: once the store is back, nothing waits for their end.
 */
export async function sweep(
  world: World,
  { isMisdated = false, ...batch }: SweepBatch,
  unreleased: UnreleasedClaims = [],
): Promise<SweepResult> {
  const now = world.clock.now();
  const { store } = world;
  const until = now + CLAIM_MS;
  await release(store, unreleased);
  const due = isMisdated ? await store.misdated({ ...batch, now }) : await store.claimDue({ ...batch, now, until });
  const [long, short] = [due.filter(({ isBrief }) => isBrief), due.filter(({ isBrief }) => !isBrief)];
  const ended = await Promise.all([
    Promise.allSettled(short.map((payment) => resume(world, payment))),
    resumeInTurn(world, long),
  ]);
  const results = ended.flat();
  if (due.length > 0 && !isMisdated) {
    unreleased.push({ payments: due.map(({ merchantId, id }) => ({ merchantId, id })), until });
    await release(store, unreleased);
  }
  const settled = results.filter((result) => result.status === 'fulfilled' && !isOpen(result.value)).length;
  const stillDue = results.filter((result) => result.status === 'fulfilled' && isDueBy(result.value, now)).length;
  const failed = results.filter((result) => result.status === 'rejected').length;
  const oldest = due.reduce<number | null>((age, { createdAt }) => Math.max(age ?? 0, now - createdAt), null);
  return { looked: due.length, settled, stillDue, failed, oldestMs: oldest };
}

/** Claims that cannot be released stay in the list, for the next sweep. */
async function release(store: World['store'], unreleased: UnreleasedClaims): Promise<void> {
  const kept = await Promise.all(
    unreleased.splice(0).map((claim) =>
      store.releaseSwept(claim).then(
        () => [],
        () => [claim],
      ),
    ),
  );
  unreleased.push(...kept.flat().slice(-UNRELEASED_MAX));
}

const isDueBy = ({ phase }: Payment, now: number): boolean => phase.at !== 'final' && phase.dueAt <= now;

const LONG_AT_ONCE = 4;
/** Others wait for the next sweep no longer than this and one question to an acquirer. */
const LONG_MS_MAX = 20_000;

/**
 * Long payments a few at a time, because all together would fill the memory. Payments that are not reached stay due, for the next sweep.
 */
async function resumeInTurn(world: World, payments: readonly Payment[]): Promise<PromiseSettledResult<Payment>[]> {
  const until = world.clock.now() + LONG_MS_MAX;
  const left = [...payments];
  const results: PromiseSettledResult<Payment>[] = [];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const work = world.clock.now() < until ? resume(world, next) : Promise.resolve(next);
      results.push(...(await Promise.allSettled([work])));
    }
  };
  await Promise.all(Array.from({ length: LONG_AT_ONCE }, lane));
  return results;
}

async function resume(world: World, payment: Payment): Promise<Payment> {
  const family = await world.store.family(payment.merchantId, payment.id);
  const current = family?.payments.find(({ id }) => id === payment.id);
  if (!family || !current) throw new Error(`payment ${payment.id} is gone`);
  return drive(world, { payment: current, version: family.version }, null);
}

const PENDING_AT_ONCE = 200;

/**
 * Drives payments whose secrets are held in this process and whose authentication another node has finished, some of them at each call.
 * Returns where the next call begins.
 */
export async function resumePendingPayments(worldOf: (merchantId: string | null) => World, start: number): Promise<number> {
  const ids = worldOf(null).pendingSecrets.ids();
  const first = start < ids.length ? start : 0;
  for (const { merchantId, paymentId } of ids.slice(first, first + PENDING_AT_ONCE)) {
    const world = worldOf(merchantId);
    const payment = await world.store.payment(merchantId, paymentId);
    if (!payment || !isOpen(payment)) world.pendingSecrets.drop(paymentId);
    else if (payment.phase.at === 'authentication' && canStep(world, payment)) await resume(world, payment);
  }
  return first + PENDING_AT_ONCE;
}
