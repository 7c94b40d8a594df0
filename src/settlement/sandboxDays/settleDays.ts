import { exceptMerchants, type MerchantFilter, onlyMerchant } from '../../merchants/merchantFilter.ts';
import { isApproved } from '../../payments/balance.ts';
import { disputedPayment } from '../../payments/chargebacks/bankRecord.ts';
import { isOpen, type Payment } from '../../payments/payment.ts';
import type { PaymentStore, World } from '../../payments/ports.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { dayText } from '../../spec/formats/dates.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import { isChargebackReason } from '../../spec/resultCodes.ts';
import { chargebackActs, settlementActs } from '../../spec/scenarios/money.ts';
import { playedIn } from '../../spec/scenarios/played.ts';
import { DAY_MS, MINUTE_MS } from '../../spec/time.ts';
import type { ImportResult, Source } from '../in/importFile.ts';
import type {
  SandboxSettlementStore,
  ScheduledAction,
  ScheduledSettlement,
  SettledAct,
  SettlementDay,
  SettlementStore,
} from '../ports.ts';
import { settledTypes } from '../record.ts';

/** Minutes after midnight UTC: then the day before is settled, and the file of the new day is imported. */
const FILE_AT_MS = 5 * MINUTE_MS;

const dayStartOf = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS;
/** The time of the file of the day that starts at this instant. */
const fileAt = (dayStart: number): number => dayStart + FILE_AT_MS;

/** Scenarios apply to the original payment. Refunds and bank records are settled in full. */
const hasScenario = ({ paymentType }: Payment): boolean => ['DB', 'CP', 'CD'].includes(paymentType);
const isChargeable = ({ paymentType }: Payment): boolean => paymentType === 'DB' || paymentType === 'CP';

/** Transactions that a platform records by the API are settled as well. */
const recordedTypes: readonly TransactionType[] = ['CB', 'CR'];
const isRecordedByApi = ({ paymentType, recordedBy }: Payment): boolean =>
  recordedTypes.includes(paymentType) && recordedBy === undefined;

type TimedAction = { readonly at: number; readonly act: ScheduledAction };

/** All settlements and chargebacks of an approved payment. Amounts of zero or less are left out. */
function moneyActions(payment: Payment): readonly TimedAction[] {
  const acts = (hasScenario(payment) && playedIn(payment.fields)?.acts) || {};
  const paid = settlementActs(acts, payment)
    .filter(({ gross }) => gross > 0n)
    .map(
      ({ at, gross, fee }, number): TimedAction => ({ at, act: { does: 'pay', number, gross: String(gross), fee: String(fee) } }),
    );
  const taken = (isChargeable(payment) ? chargebackActs(acts, payment) : [])
    .filter(({ amount }) => amount > 0n)
    .map(({ at, does, amount, code }, number): TimedAction => ({ at, act: { does, number, amount: String(amount), code } }));
  return [...paid, ...taken];
}

/**
 * The actions for a payment after the end of its day. Everything counts in days: an action belongs to the file of the day of its instant,
 * or to the next file when that one has been made already.
 */
function actionsOf(
  payment: Payment,
  { now, checks }: { readonly now: number; readonly checks: number },
): readonly ScheduledSettlement[] {
  const { merchantId, id: paymentId, createdAt } = payment;
  if (isOpen(payment)) return [{ merchantId, paymentId, dueAt: now + DAY_MS, act: { does: 'look', number: checks + 1 } }];
  if (!isApproved(payment)) return [];
  return moneyActions(payment).map(({ at, act }) => ({
    merchantId,
    paymentId,
    dueAt: Math.max(now, fileAt(dayStartOf(createdAt + at))),
    act,
  }));
}

/** The line about a transaction that was recorded by the API: of the payment that it is about, as late as any payment is settled. */
function recordedActions(payment: Payment, about: Payment | null, now: number): readonly ScheduledSettlement[] {
  const { merchantId, id: recordedId, createdAt, amount, phase, paymentType } = payment;
  const [settled] = settlementActs({}, payment);
  if (about === null || settled === undefined || !isApproved(payment)) return [];
  const does = paymentType === 'CB' ? 'chargeback' : 'reversal';
  const code = phase.at === 'final' && isChargebackReason(phase.code) ? phase.code : '000.100.200';
  const dueAt = Math.max(now, fileAt(dayStartOf(createdAt + settled.at)));
  return [{ merchantId, paymentId: about.id, dueAt, act: { does, number: 0, amount: String(amount), code, recordedId } }];
}

type DayFileNeeds = {
  readonly store: Pick<QueryStore, 'families'> & Pick<SettlementStore, 'paymentsNamed' | 'recordsOfPayments'>;
  /** The account number of a payment's channel at the acquirer; null: the acquirer's default. */
  readonly account: (payment: Payment) => string | null;
  readonly formatFile: (day: string, acts: readonly SettledAct[]) => string;
};

export type SettleDaysNeeds = DayFileNeeds & {
  readonly store: SandboxSettlementStore &
    QueryStore &
    Pick<PaymentStore, 'payment'> &
    Pick<SettlementStore, 'paymentsNamed' | 'recordsOfPayments'>;
  /** The name of the acquirer's connector. */
  readonly connector: string;
  /** The ids of all merchants. */
  readonly allMerchants: () => Promise<readonly string[]>;
  /** The import of any acquirer's file. */
  readonly importFile: (entityId: string, source: Source) => Promise<ImportResult>;
  readonly recordDisputes: () => Promise<void>;
  /** Waits while another file is imported. */
  readonly rest: () => Promise<void>;
  readonly alarm: World['alarm'];
};

/** The merchants to settle, and their time. */
type SettleDaysScope = { readonly merchants: MerchantFilter; readonly now: number };

const PAGE = 500;
const DAYS_AT_ONCE = 200;
/** Lines of one file at most. */
const LINES_MAX = 2_000;
/** How many days back the first day of a merchant can be. */
const BACK_DAYS = 2;
const BUSY_ATTEMPTS_MAX = 100;

/** Settles days that are over and imports due files; returns the number of days and actions. */
export async function settleDays(needs: SettleDaysNeeds, scope: SettleDaysScope): Promise<number> {
  const failed = new Set<string>();
  const safely = async (merchantId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.add(merchantId);
      needs.alarm('a day of the simulated acquirer could not be settled', { merchantId, why: String(error) });
    }
  };
  const remaining = (): SettleDaysScope => ({ ...scope, merchants: without(scope.merchants, failed) });
  const days = await endDays(needs, remaining, safely);
  const files = await importFiles(needs, remaining, safely);
  if (files > 0) await needs.recordDisputes();
  return days + files;
}

/** Isolates the failure of one merchant from the others. */
type Safely = (merchantId: string, work: () => Promise<void>) => Promise<void>;

const without = (merchants: MerchantFilter, failed: ReadonlySet<string>): MerchantFilter =>
  merchants.kind === 'only'
    ? failed.has(merchants.merchantId)
      ? onlyMerchant('')
      : merchants
    : exceptMerchants([...merchants.merchantIds, ...failed]);

/** Settles days that are over, until none is left. */
async function endDays(needs: SettleDaysNeeds, scope: () => SettleDaysScope, safely: Safely): Promise<number> {
  for (let count = 0; ; ) {
    await startDays(needs, scope());
    const { now, merchants } = scope();
    const due = await needs.store.daysDue({ now, merchants, limit: DAYS_AT_ONCE });
    if (due.length === 0) return count;
    for (const day of due) await safely(day.merchantId, () => endDay(needs, day));
    count += due.length;
  }
}

async function startDays({ store, allMerchants }: SettleDaysNeeds, { merchants, now }: SettleDaysScope): Promise<void> {
  const merchantIds =
    merchants.kind === 'only'
      ? [merchants.merchantId]
      : (await allMerchants()).filter((id) => !merchants.merchantIds.includes(id));
  const starts = await store.daysToBegin({ merchantIds, now, floor: dayStartOf(now) - BACK_DAYS * DAY_MS });
  for (const { merchantId, since, firstAt } of starts) {
    const first = dayStartOf(firstAt);
    await store.saveDay({ merchantId, since: first, dueAt: fileAt(first + DAY_MS) }, since);
  }
}

/** Schedules the actions of a day's payments. After a crash it writes the same again. */
async function endDay(needs: SettleDaysNeeds, day: SettlementDay): Promise<void> {
  const { store } = needs;
  const { merchantId, since } = day;
  const listing = {
    merchantId,
    entityId: null,
    types: [...settledTypes, ...recordedTypes],
    methods: null,
    mode: null,
    shortId: null,
  };
  const range = { from: since, before: since + DAY_MS };
  for (let pageNo = 1; ; pageNo += 1) {
    const { payments, count } = await store.within(listing, range, { pageNo, limit: PAGE, isBrief: true });
    const acts = await actionsOfPage(needs, day, payments);
    if (pageNo * PAGE >= count) {
      const next = since + DAY_MS;
      // A merchant with payments will have more tomorrow; one without is not checked before its next payment.
      await store.saveDay({ merchantId, since: next, dueAt: count > 0 ? fileAt(next + DAY_MS) : null }, since, acts);
      return;
    }
    if (!(await store.addScheduledSettlements(day, acts))) return;
  }
}

async function actionsOfPage(
  { store, connector }: SettleDaysNeeds,
  { merchantId, since, dueAt }: SettlementDay,
  payments: readonly Payment[],
): Promise<readonly ScheduledSettlement[]> {
  const own = payments.filter((payment) => payment.connector === connector);
  const ids = own.map(({ id }) => id);
  // A clock that is set back reaches the same day twice.
  const records = ids.length === 0 ? [] : await store.recordsOfPayments([merchantId], ids, null);
  const settled = new Set(records.flatMap(({ match }) => match.paymentIds));
  const now = dueAt ?? fileAt(since + DAY_MS);
  const recorded = own.filter(isRecordedByApi);
  const familyIds = [...new Set(recorded.map(({ familyId }) => familyId))];
  const family = familyIds.length === 0 ? [] : await store.families(merchantId, familyIds);
  return own
    .filter(({ id, paymentType }) => !settled.has(id) && !recordedTypes.includes(paymentType))
    .flatMap((payment) => actionsOf(payment, { now, checks: 0 }))
    .concat(recorded.flatMap((payment) => recordedActions(payment, disputedPayment(family, payment), now)));
}

/** Imports due files in the order of their days. The actions of a file are always the same, however often it is made. */
async function importFiles(needs: SettleDaysNeeds, scope: () => SettleDaysScope, safely: Safely): Promise<number> {
  for (let count = 0; ; ) {
    const { now, merchants } = scope();
    const due = await needs.store.scheduledSettlementsDue({ now, merchants, limit: LINES_MAX });
    if (due.length === 0) return count;
    count += due.length;
    const checks = due.filter(({ act }) => act.does === 'look');
    for (const look of checks) await safely(look.merchantId, () => checkAgain(needs, look));
    if (checks.length > 0) continue;
    const files = filesIn(due);
    // The last file may continue after the page.
    const whole = due.length === LINES_MAX && files.length > 1 ? files.slice(0, -1) : files;
    for (const acts of whole) await safely(acts[0].merchantId, () => importDay(needs, acts));
  }
}

type FileActions = readonly [ScheduledSettlement, ...ScheduledSettlement[]];

/** One file for each merchant and instant. */
const filesIn = (due: readonly ScheduledSettlement[]): readonly FileActions[] =>
  [...Map.groupBy(due, ({ merchantId, dueAt }) => `${dueAt} ${merchantId}`).values()].flatMap(([first, ...others]) =>
    first ? [[first, ...others] as const] : [],
  );

async function checkAgain({ store }: SettleDaysNeeds, look: ScheduledSettlement): Promise<void> {
  const { merchantId, paymentId, dueAt, act } = look;
  const payment = await store.payment(merchantId, paymentId);
  const checks = act.does === 'look' ? act.number : 0;
  await store.finishScheduledSettlements([look], payment ? actionsOf(payment, { now: dueAt, checks }) : []);
}

async function importDay(needs: SettleDaysNeeds, acts: FileActions): Promise<void> {
  const text = await buildDayFile(needs, acts);
  if (text !== null) await importText(needs, acts[0], text);
  await needs.store.finishScheduledSettlements(acts, []);
}

async function importText({ importFile, rest, alarm }: SettleDaysNeeds, first: ScheduledSettlement, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  async function* open(): AsyncIterable<Uint8Array> {
    yield bytes;
  }
  for (let attempts = 0; attempts < BUSY_ATTEMPTS_MAX; attempts += 1) {
    const { is, file } = await importFile(first.merchantId, { name: fileName(first), open });
    if (is === 'refused') {
      const [fault] = file.faults;
      alarm('a file of the simulated acquirer was refused', { name: file.name, fault: `${fault?.line}: ${fault?.message}` });
    }
    if (is !== 'busy') return;
    await rest();
  }
  throw new Error('other files of the same PSP are being imported all the time');
}

/** Builds the acquirer's file of a day from the actions of one merchant that are due at one instant; null: it would be empty. */
async function buildDayFile(
  needs: DayFileNeeds,
  acts: readonly [ScheduledSettlement, ...ScheduledSettlement[]],
): Promise<string | null> {
  const [{ merchantId, dueAt }] = acts;
  const ids = [...new Set(acts.map(({ paymentId }) => paymentId))];
  const family = await loadFamilies(needs, merchantId, ids);
  const settledBefore = await settledElsewhere(needs, merchantId, ids);
  const settled = acts.flatMap((scheduled) => {
    const payment = family.get(scheduled.paymentId);
    if (!payment || settledBefore.has(settledIdOf(scheduled) ?? '')) return [];
    const act = remainingAct(scheduled, payment, reversedOf(payment, family, dueAt));
    return act ? [{ payment, account: needs.account(payment), settlementId: settlementIdOf(scheduled), act }] : [];
  });
  return settled.length === 0 ? null : needs.formatFile(dayText(dueAt), settled);
}

/** The payments with their families, by id. */
async function loadFamilies(
  { store }: DayFileNeeds,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Payment>> {
  const names = ids.map((value) => ({ kind: 'id', value }) as const);
  const found = await store.paymentsNamed({
    merchantIds: [merchantId],
    names,
    from: 0,
    before: Number.MAX_SAFE_INTEGER,
    each: 1,
  });
  const families = await store.families(merchantId, [...new Set(found.map(({ payment }) => payment.familyId))]);
  return new Map(families.map((payment) => [payment.id, payment]));
}

const ID_PREFIX = 'SIM-';

/** A payment settled twice by mistake has the same id twice; chargebacks have ids of their own. */
function settlementIdOf({ paymentId, act }: ScheduledSettlement): string {
  if (act.does === 'pay' || act.does === 'look') return ID_PREFIX + paymentId;
  if (act.recordedId !== undefined) return `${ID_PREFIX}${act.recordedId}`;
  return `${ID_PREFIX}${act.does === 'chargeback' ? 'C' : 'R'}${act.number}-${paymentId}`;
}

/** Payments and recorded transactions that a merchant has settled with own test files: the simulated acquirer leaves them out. */
async function settledElsewhere(
  { store }: DayFileNeeds,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const records = await store.recordsOfPayments([merchantId], ids, null);
  const others = records.filter(
    ({ recordType, settlementId }) => recordType === 'SETTLED' && !settlementId?.startsWith(ID_PREFIX),
  );
  const cleared = records.flatMap(({ chargebackId }) => chargebackId ?? []);
  return new Set([...others.flatMap(({ match }) => match.paymentIds), ...cleared]);
}

/** The payment, or the recorded transaction, that an action settles. */
const settledIdOf = ({ paymentId, act }: ScheduledSettlement): string | null =>
  act.does === 'pay' ? paymentId : act.does === 'look' ? null : (act.recordedId ?? null);

/** The amount reversed before the time of the file, so that the file is the same however often it is built. */
function reversedOf({ id }: Payment, family: ReadonlyMap<string, Payment>, before: number): bigint {
  const reversals = [...family.values()].filter(
    (one) => one.paymentType === 'RV' && one.referencedId === id && isApproved(one) && one.movedAt < before,
  );
  return reversals.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * An action less the reversed amount, which is missing in the first settlement; null: nothing remains. A recorded chargeback has its line
 * whatever became of the payment: it may have been given back, and the payment reversed afterwards.
 */
function remainingAct({ act }: ScheduledSettlement, { amount }: Payment, reversed: bigint): SettledAct['act'] | null {
  if (act.does === 'look') return null;
  const isRecorded = act.does !== 'pay' && act.recordedId !== undefined;
  if (reversed >= amount && !isRecorded) return null;
  if (act.does === 'pay') {
    const gross = BigInt(act.gross) - (act.number === 0 ? reversed : 0n);
    return gross > 0n ? { does: 'pay', gross, fee: BigInt(act.fee) } : null;
  }
  return { does: act.does, amount: BigInt(act.amount), code: act.code };
}

const fileName = ({ merchantId, dueAt }: ScheduledSettlement): string => `simulator-${merchantId}-${dayText(dueAt)}.csv`;
