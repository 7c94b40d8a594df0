import type { Payment } from '../../payments/payment.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { PaymentName, SettlementStore } from '../ports.ts';
import { recordIdOf, type SettledLine, type SettlementFile, type SettlementRecord } from '../record.ts';
import { isDispute } from './checks.ts';
import { askedNames, namesOfLine } from './lineNames.ts';
import { type MatchContext, type MatchResult, matchLine } from './match.ts';
import { isWithin, type Scope, type Scopes } from './scope.ts';

export type MatchStore = Pick<SettlementStore, 'paymentsNamed' | 'paymentsAlike' | 'recordsOfPayments'> &
  Pick<QueryStore, 'families'>;

export type MatchBatch = {
  readonly file: SettlementFile;
  readonly lines: readonly SettledLine[];
  /** How many records of the file there are before these. */
  readonly before: number;
  readonly scopes: Scopes;
  /** By the clock of whoever a line belongs to: that is when it is in the books. */
  readonly nowOf: (merchantId: string | null) => number;
};

/** More payments than this with one reference tell nobody which of them is meant. */
const EACH_MAX = 50;
const ALIKE_MAX = 2_000;

type Key = `${PaymentName['kind']} ${string}`;
const keyOf = ({ kind, value }: PaymentName): Key => `${kind} ${value}`;

/** The lines as records, each matched with what is known when its turn comes. */
export async function matchBatch(store: MatchStore, portion: MatchBatch): Promise<readonly SettlementRecord[]> {
  const { lines, scopes, file } = portion;
  const groups = Map.groupBy(lines, (line) => scopes.of(line));
  const judged = new Map<SettledLine, Placed>();
  for (const [scope, own] of groups) {
    if (scope === null) for (const line of own) judged.set(line, nobodys(line));
    else for (const [line, placed] of await matchFor(store, { scope, lines: own, file })) judged.set(line, placed);
  }
  return lines.map((line, at) => recordOf(portion, line, { at, ...(judged.get(line) as Placed) }));
}

type Placed = MatchResult & { readonly scope: Scope | null };

const nobodys = ({ clearingInstitute: { merchantId } }: SettledLine): Placed => ({
  match: {
    status: 'NOT_MATCHED',
    paymentIds: [],
    by: 'number',
    why: `the number ${merchantId} is not set as that of anybody who may be meant`,
    isOpen: true,
  },
  payment: null,
  scope: null,
});

function recordOf(
  { file, before, nowOf }: MatchBatch,
  line: SettledLine,
  { at, match, payment, scope }: Placed & { readonly at: number },
): SettlementRecord {
  const [alone, ...others] = scope?.merchantIds ?? [];
  const merchantId = payment?.merchantId ?? (others.length === 0 ? (alone ?? null) : null);
  return {
    ...line,
    id: recordIdOf(file.id, before + at + 1),
    fileId: file.id,
    format: file.format,
    merchantId,
    entityId: payment?.entityId ?? scope?.entityId ?? null,
    match,
    chargebackId: null,
    createdAt: nowOf(merchantId),
    revision: 1,
  };
}

type LinesInScope = { readonly scope: Scope; readonly lines: readonly SettledLine[]; readonly file: SettlementFile };

async function matchFor(store: MatchStore, { scope, lines, file }: LinesInScope): Promise<ReadonlyMap<SettledLine, Placed>> {
  const found = await candidates(store, { scope, lines, file });
  const families = await familiesOf(store, [...found.named.values(), ...found.alike.values()].flat());
  const all = [...families.values()].flat();
  const earlier = new Map<string, SettlementRecord[]>();
  const keep = (paymentId: string, record: SettlementRecord) =>
    earlier.set(paymentId, [...(earlier.get(paymentId) ?? []), record]);
  if (all.length > 0) {
    const stored = await store.recordsOfPayments(
      scope.merchantIds,
      all.map(({ id }) => id),
      file.id,
    );
    for (const record of stored) keep(record.match.paymentIds[0] ?? '', record);
  }
  const around: MatchContext = {
    named: (name) => found.named.get(keyOf(name)) ?? [],
    alike: (line) => found.alike.get(sumOf(line)) ?? [],
    family: ({ familyId }) => families.get(familyId) ?? [],
    earlier: ({ id }) => earlier.get(id) ?? [],
    tolerance: scope.tolerance,
  };
  const judged = new Map<SettledLine, Placed>();
  for (const line of lines) {
    const placed = { ...matchLine(line, around), scope };
    judged.set(line, placed);
    const { payment, match } = placed;
    const { id: fileId, format } = file;
    const own = {
      ...line,
      id: '',
      fileId,
      format,
      merchantId: '',
      entityId: '',
      chargebackId: null,
      createdAt: 0,
      revision: 1,
      match,
    };
    if (payment) keep(payment.id, own);
  }
  return judged;
}

const sumOf = ({ amount, currency }: { readonly amount: bigint; readonly currency: string }): string => `${currency} ${amount}`;

type Found = {
  readonly named: ReadonlyMap<Key, readonly Payment[]>;
  readonly alike: ReadonlyMap<string, readonly Payment[]>;
};

/** What the lines name, and what is like those that name nothing: nobody else's. */
async function candidates(store: MatchStore, { scope, lines }: LinesInScope): Promise<Found> {
  const { merchantIds, tolerance } = scope;
  const days = lines.map(({ settledOn }) => Date.parse(`${settledOn}T00:00:00Z`));
  const span = lines.some(isDispute) ? Math.max(tolerance.daysMax, tolerance.chargebackDaysMax) : tolerance.daysMax;
  const [first, last] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))];
  const stretch = { from: first - (span + 1) * DAY_MS, before: last + 2 * DAY_MS };
  const names = new Map(lines.flatMap(namesToAsk).map((name) => [keyOf(name), name]));
  const named =
    names.size === 0 ? [] : await store.paymentsNamed({ merchantIds, names: [...names.values()], ...stretch, each: EACH_MAX });
  const unnamed = lines.filter((line) => namesOfLine(line).every(({ isOurs }) => !isOurs));
  const sums = [...new Map(unnamed.map(({ amount, currency }) => [sumOf({ amount, currency }), { amount, currency }])).values()];
  const alike = sums.length === 0 ? [] : await store.paymentsAlike({ merchantIds, ...stretch, sums, limit: ALIKE_MAX });
  const own = named.filter(({ payment }) => isWithin(scope, payment));
  return {
    named: mapOf(own.map(({ name, payment }) => [keyOf(name), payment])),
    // Half a list proves nothing.
    alike:
      alike.length === ALIKE_MAX ? new Map() : mapOf(alike.filter((one) => isWithin(scope, one)).map((one) => [sumOf(one), one])),
  };
}

/** References of the acquirer are looked for where nothing else is said: to find them takes the longest. */
function namesToAsk(line: SettledLine): readonly PaymentName[] {
  const hasOurs = namesOfLine(line).some(({ isOurs }) => isOurs);
  return askedNames(line).filter(({ kind }) => kind !== 'connectorTxId' || !hasOurs);
}

function mapOf<Name extends string>(pairs: readonly (readonly [Name, Payment])[]): ReadonlyMap<Name, readonly Payment[]> {
  const map = new Map<Name, Payment[]>();
  for (const [name, payment] of pairs) map.set(name, [...(map.get(name) ?? []), payment]);
  return map;
}

async function familiesOf(store: MatchStore, payments: readonly Payment[]): Promise<ReadonlyMap<string, readonly Payment[]>> {
  const families = new Map<string, readonly Payment[]>();
  for (const [merchantId, own] of Map.groupBy(payments, (payment) => payment.merchantId)) {
    const members = await store.families(merchantId, [...new Set(own.map(({ familyId }) => familyId))]);
    for (const [familyId, family] of Map.groupBy(members, (member) => member.familyId)) families.set(familyId, family);
  }
  return families;
}
