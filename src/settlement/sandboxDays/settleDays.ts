import type { MerchantFilter } from '../../merchants/merchantFilter.ts';
import { isApproved } from '../../payments/balance.ts';
import { isOpen, type Payment } from '../../payments/payment.ts';
import type { PaymentStore, World } from '../../payments/ports.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import { chargebackActs, settlementActs } from '../../spec/scenarios/money.ts';
import { playedIn } from '../../spec/scenarios/played.ts';
import { DAY_MS, MINUTE_MS } from '../../spec/time.ts';
import type { ImportResult, Source } from '../in/importFile.ts';
import type { SettlementStore } from '../ports.ts';
import { type FileNeeds, fileName, fileOfDay } from './fileOfDay.ts';
import type { SandboxSettlementStore, ScheduledAction, ScheduledSettlement, SettlementDay } from './ports.ts';

/** Minutes after midnight, in UTC: then the day before is looked at, and the file of the new day comes. */
const FILE_AT_MS = 5 * MINUTE_MS;

const dayBegin = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS;
/** When the file of the day comes that begins at this instant. */
const fileAt = (begins: number): number => begins + FILE_AT_MS;

/** Whatever moves money between the acquirer and the merchant, apart from what a bank takes back. */
const settledTypes: readonly TransactionType[] = ['DB', 'CP', 'CD', 'RF', 'RB', 'RC'];

/** What a scenario speaks of: the payment whose money it is about. Refunds and records of banks are settled whole. */
const hasScenario = ({ paymentType }: Payment): boolean => ['DB', 'CP', 'CD'].includes(paymentType);
const isChargeable = ({ paymentType }: Payment): boolean => paymentType === 'DB' || paymentType === 'CP';

type Act = { readonly at: number; readonly act: ScheduledAction };

/** Everything that becomes of the money of an approved payment. What would be nothing or less does not come. */
function moneyActs(payment: Payment): readonly Act[] {
  const acts = (hasScenario(payment) && playedIn(payment.fields)?.acts) || {};
  const paid = settlementActs(acts, payment)
    .filter(({ gross }) => gross > 0n)
    .map(({ at, gross, fee }, number): Act => ({ at, act: { does: 'pay', number, gross: String(gross), fee: String(fee) } }));
  const taken = (isChargeable(payment) ? chargebackActs(acts, payment) : [])
    .filter(({ amount }) => amount > 0n)
    .map(({ at, does, amount, code }, number): Act => ({ at, act: { does, number, amount: String(amount), code } }));
  return [...paid, ...taken];
}

/**
 * What is to be done with a payment whose day is over, as it stands at an instant. Everything counts in days: an act belongs to the file
 * of the day in which its instant lies, or to the next one when that has come already.
 */
function actsOf(
  payment: Payment,
  { now, looks }: { readonly now: number; readonly looks: number },
): readonly ScheduledSettlement[] {
  const { merchantId, id: paymentId, createdAt } = payment;
  if (isOpen(payment)) return [{ merchantId, paymentId, dueAt: now + DAY_MS, act: { does: 'look', number: looks + 1 } }];
  if (!isApproved(payment)) return [];
  return moneyActs(payment).map(({ at, act }) => ({
    merchantId,
    paymentId,
    dueAt: Math.max(now, fileAt(dayBegin(createdAt + at))),
    act,
  }));
}

export type SettleDaysNeeds = FileNeeds & {
  readonly store: SandboxSettlementStore &
    QueryStore &
    Pick<PaymentStore, 'payment'> &
    Pick<SettlementStore, 'paymentsNamed' | 'recordsOfPayments'>;
  /** The acquirer whose days these are: the name of a connector. */
  readonly connector: string;
  /** The ids of all merchants. */
  readonly allMerchants: () => Promise<readonly string[]>;
  /** The same way in as for any acquirer's file. */
  readonly importFile: (entityId: string, source: Source) => Promise<ImportResult>;
  readonly recordDisputes: () => Promise<void>;
  /** A while, because somebody else is reading a file. */
  readonly rest: () => Promise<void>;
  readonly alarm: World['alarm'];
};

/** Whose days, and what time it is for them. */
export type SettleDaysScope = { readonly merchants: MerchantFilter; readonly now: number };

const PAGE = 500;
const DAYS_AT_ONCE = 200;
/** Lines of one file at most. */
const LINES_MAX = 2_000;
/** How far back the days of somebody begin who has none. */
const BACK_DAYS = 2;
const BUSY_TRIES_MAX = 100;

/** Ends the days of the acquirer that are over, and brings the files that are due; answers how much there was to do. */
export async function settleDays(needs: SettleDaysNeeds, turn: SettleDaysScope): Promise<number> {
  const failed = new Set<string>();
  const safely = async (merchantId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.add(merchantId);
      needs.alarm('the day of the simulated acquirer could not be ended', { merchantId, why: String(error) });
    }
  };
  const left = (): SettleDaysScope => ({ ...turn, merchants: without(turn.merchants, failed) });
  const days = await endDays(needs, left, safely);
  const files = await bringFiles(needs, left, safely);
  if (files > 0) await needs.recordDisputes();
  return days + files;
}

/** What one merchant's trouble is must not be everybody's. */
type Safely = (merchantId: string, work: () => Promise<void>) => Promise<void>;

const without = (merchants: MerchantFilter, failed: ReadonlySet<string>): MerchantFilter =>
  'only' in merchants ? (failed.has(merchants.only) ? { only: '' } : merchants) : { except: [...merchants.except, ...failed] };

/** A day with payments waits for its end, and so does the one after it. */
async function endDays(needs: SettleDaysNeeds, turn: () => SettleDaysScope, safely: Safely): Promise<number> {
  for (let count = 0; ; ) {
    await beginDays(needs, turn());
    const { now, merchants } = turn();
    const due = await needs.store.daysDue({ now, merchants, limit: DAYS_AT_ONCE });
    if (due.length === 0) return count;
    for (const day of due) await safely(day.merchantId, () => endDay(needs, day));
    count += due.length;
  }
}

async function beginDays({ store, allMerchants }: SettleDaysNeeds, { merchants, now }: SettleDaysScope): Promise<void> {
  const merchantIds =
    'only' in merchants ? [merchants.only] : (await allMerchants()).filter((id) => !merchants.except.includes(id));
  const begins = await store.daysToBegin({ merchantIds, now, floor: dayBegin(now) - BACK_DAYS * DAY_MS });
  for (const { merchantId, since, firstAt } of begins) {
    const first = dayBegin(firstAt);
    await store.saveDay({ merchantId, since: first, dueAt: fileAt(first + DAY_MS) }, since);
  }
}

/** Writes down what becomes of the payments of a day. Begun again after a breakdown, it writes the same. */
async function endDay(needs: SettleDaysNeeds, day: SettlementDay): Promise<void> {
  const { store } = needs;
  const { merchantId, since } = day;
  const listing = { merchantId, entityId: null, types: settledTypes, methods: null, mode: null, shortId: null };
  const stretch = { from: since, before: since + DAY_MS };
  for (let pageNo = 1; ; pageNo += 1) {
    const { payments, count } = await store.within(listing, stretch, { pageNo, limit: PAGE });
    const acts = await actsAmong(needs, day, payments);
    if (pageNo * PAGE >= count) {
      const next = since + DAY_MS;
      // A shop that had payments will have some again; one that had none is not looked at before it has.
      await store.saveDay({ merchantId, since: next, dueAt: count > 0 ? fileAt(next + DAY_MS) : null }, since, acts);
      return;
    }
    if (!(await store.addScheduledSettlements(day, acts))) return;
  }
}

async function actsAmong(
  { store, connector }: SettleDaysNeeds,
  { merchantId, since, dueAt }: SettlementDay,
  payments: readonly Payment[],
): Promise<readonly ScheduledSettlement[]> {
  const own = payments.filter((payment) => payment.connector === connector);
  const ids = own.map(({ id }) => id);
  // A clock that was put back comes to the same day twice.
  const records = ids.length === 0 ? [] : await store.recordsOfPayments([merchantId], ids, null);
  const settled = new Set(records.flatMap(({ match }) => match.paymentIds));
  const now = dueAt ?? fileAt(since + DAY_MS);
  return own.filter(({ id }) => !settled.has(id)).flatMap((payment) => actsOf(payment, { now, looks: 0 }));
}

/** Files in the order of their days. The acts of a file are always the same ones, whoever makes it and how often. */
async function bringFiles(needs: SettleDaysNeeds, turn: () => SettleDaysScope, safely: Safely): Promise<number> {
  for (let count = 0; ; ) {
    const { now, merchants } = turn();
    const due = await needs.store.scheduledSettlementsDue({ now, merchants, limit: LINES_MAX });
    if (due.length === 0) return count;
    count += due.length;
    const looks = due.filter(({ act }) => act.does === 'look');
    for (const look of looks) await safely(look.merchantId, () => lookAgain(needs, look));
    if (looks.length > 0) continue;
    const files = filesIn(due);
    // The last one may go on behind what was read.
    const whole = due.length === LINES_MAX && files.length > 1 ? files.slice(0, -1) : files;
    for (const acts of whole) await safely(acts[0].merchantId, () => bringDay(needs, acts));
  }
}

type Acts = readonly [ScheduledSettlement, ...ScheduledSettlement[]];

/** What is due of one merchant at one instant is one file. */
const filesIn = (due: readonly ScheduledSettlement[]): readonly Acts[] =>
  [...Map.groupBy(due, ({ merchantId, dueAt }) => `${dueAt} ${merchantId}`).values()].flatMap(([first, ...others]) =>
    first ? [[first, ...others] as const] : [],
  );

async function lookAgain({ store }: SettleDaysNeeds, look: ScheduledSettlement): Promise<void> {
  const { merchantId, paymentId, dueAt, act } = look;
  const payment = await store.payment(merchantId, paymentId);
  const looks = act.does === 'look' ? act.number : 0;
  await store.finishScheduledSettlements([look], payment ? actsOf(payment, { now: dueAt, looks }) : []);
}

async function bringDay(needs: SettleDaysNeeds, acts: Acts): Promise<void> {
  const text = await fileOfDay(needs, acts);
  if (text !== null) await bringText(needs, acts[0], text);
  await needs.store.finishScheduledSettlements(acts, []);
}

async function bringText(
  { importFile: bring, rest, alarm }: SettleDaysNeeds,
  first: ScheduledSettlement,
  text: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  async function* open(): AsyncIterable<Uint8Array> {
    yield bytes;
  }
  for (let tries = 0; tries < BUSY_TRIES_MAX; tries += 1) {
    const { is, file } = await bring(first.merchantId, { name: fileName(first), open });
    if (is === 'refused') {
      const [fault] = file.faults;
      alarm('a file of the simulated acquirer was refused', { name: file.name, fault: `${fault?.line}: ${fault?.message}` });
    }
    if (is !== 'busy') return;
    await rest();
  }
  throw new Error('other files of the same PSP are being read all the time');
}
