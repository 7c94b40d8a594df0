import type { Payment } from '../../payments/payment.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { PaymentName, SettlementStore } from '../ports.ts';
import { type Match, recordIdOf, type SettledLine, type SettlementFile, type SettlementRecord } from '../record.ts';
import { type FileScopes, isDispute, isWithin, type MatchScope } from './checks.ts';
import { type MatchContext, type MatchResult, matchLine, namesOfLine, platformNamesOfLine, searchNames } from './match.ts';

export type MatchStore = Pick<SettlementStore, 'paymentsNamed' | 'paymentsAlike' | 'recordsOfPayments'> &
  Pick<QueryStore, 'families'>;

export type MatchBatch = {
  readonly file: SettlementFile;
  /** `match`: decided before; null: it is matched here. */
  readonly lines: readonly { readonly line: SettledLine; readonly match: Match | null; readonly payment?: Payment }[];
  /** The number of earlier records of the file. */
  readonly before: number;
  readonly scopes: FileScopes;
  /** The time by the clock of a line's merchant, for its ledger posting. */
  readonly nowOf: (merchantId: string | null) => number;
};

/** A reference with more payments than this identifies none of them. */
const EACH_MAX = 50;
const ALIKE_MAX = 2_000;

type Key = `${PaymentName['kind']} ${string}`;
const keyOf = ({ kind, value }: PaymentName): Key => `${kind} ${value}`;

/** Matches lines in their order: each sees the matches of those before it. */
export async function matchBatch(store: MatchStore, batch: MatchBatch): Promise<readonly SettlementRecord[]> {
  const { lines, scopes, file } = batch;
  const results = new Map<SettledLine, LineResult>();
  // Without a payment it is in no merchant's report.
  for (const { line, match, payment = null } of lines) if (match) results.set(line, { match, payment, scope: null });
  const unmatched = lines.flatMap(({ line, match }) => (match ? [] : [line]));
  const groups = Map.groupBy(unmatched, (line) => scopes.scopeOf(line));
  for (const [scope, own] of groups) {
    if (scope === null) for (const line of own) results.set(line, unknownAccount(line));
    else for (const [line, result] of await matchScope(store, { scope, lines: own, file })) results.set(line, result);
  }
  return lines.map(({ line }, at) => buildRecord(batch, line, { at, ...(results.get(line) as LineResult) }));
}

type LineResult = MatchResult & { readonly scope: MatchScope | null };

const unknownAccount = ({ clearingInstitute: { merchantId } }: SettledLine): LineResult => ({
  match: {
    status: 'NOT_MATCHED',
    paymentIds: [],
    by: 'number',
    why: `the account number ${merchantId} is not set for any entity of this file`,
    isOpen: true,
    exception: { kind: 'unknownAccount', candidateIds: [] },
  },
  payment: null,
  scope: null,
});

function buildRecord(
  { file, before, nowOf }: MatchBatch,
  line: SettledLine,
  { at, match, payment, scope }: LineResult & { readonly at: number },
): SettlementRecord {
  const [only, ...others] = scope?.merchantIds ?? [];
  const merchantId = payment?.merchantId ?? (others.length === 0 ? (only ?? null) : null);
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

type LinesInScope = { readonly scope: MatchScope; readonly lines: readonly SettledLine[]; readonly file: SettlementFile };

async function matchScope(
  store: MatchStore,
  { scope, lines, file }: LinesInScope,
): Promise<ReadonlyMap<SettledLine, LineResult>> {
  const found = await candidates(store, { scope, lines, file });
  const families = await familiesOf(store, [...found.named.values(), ...found.alike.values()].flat());
  const all = [...families.values()].flat();
  const earlier = new Map<string, SettlementRecord[]>();
  const addEarlier = (paymentId: string, record: SettlementRecord) =>
    earlier.set(paymentId, [...(earlier.get(paymentId) ?? []), record]);
  if (all.length > 0) {
    const stored = await store.recordsOfPayments(
      scope.merchantIds,
      all.map(({ id }) => id),
      file.id,
    );
    for (const record of stored) addEarlier(record.match.paymentIds[0] ?? '', record);
  }
  const context: MatchContext = {
    named: (name) => found.named.get(keyOf(name)) ?? [],
    alike: (line) => found.alike.get(sumOf(line)) ?? [],
    family: ({ familyId }) => families.get(familyId) ?? [],
    earlier: ({ id }) => earlier.get(id) ?? [],
    tolerance: scope.tolerance,
    format: file.format,
    fileId: file.id,
  };
  const results = new Map<SettledLine, LineResult>();
  for (const line of lines) {
    const result = { ...matchLine(line, context), scope };
    results.set(line, result);
    const { payment, match } = result;
    const { id: fileId, format } = file;
    const matched = {
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
    if (payment) addEarlier(payment.id, matched);
  }
  return results;
}

const sumOf = ({ amount, currency }: { readonly amount: bigint; readonly currency: string }): string => `${currency} ${amount}`;

type Candidates = {
  readonly named: ReadonlyMap<Key, readonly Payment[]>;
  readonly alike: ReadonlyMap<string, readonly Payment[]>;
};

/** Payments of the scope that the lines name, and for lines without a reference the payments of the same amount. */
async function candidates(store: MatchStore, { scope, lines }: LinesInScope): Promise<Candidates> {
  const { merchantIds, tolerance } = scope;
  const days = lines.map(({ settledOn }) => Date.parse(`${settledOn}T00:00:00Z`));
  const span = lines.some(isDispute) ? Math.max(tolerance.daysMax, tolerance.chargebackDaysMax) : tolerance.daysMax;
  const [first, last] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))];
  const period = { from: first - (span + 1) * DAY_MS, before: last + 2 * DAY_MS };
  const search = async (wanted: readonly PaymentName[]) => {
    const names = [...new Map(wanted.map((name) => [keyOf(name), name])).values()];
    return names.length === 0 ? [] : store.paymentsNamed({ merchantIds, names, ...period, each: EACH_MAX });
  };
  const named = [...(await search(lines.flatMap(namesToSearch)))];
  const known = new Set(named.map(({ name }) => name.value));
  // A payment id that is not ours may be that of another platform.
  const foreign = lines.filter(({ paymentId }) => paymentId !== null && !known.has(paymentId));
  named.push(...(await search(foreign.flatMap((line) => searchNames(platformNamesOfLine(line) ?? [])))));
  const unnamed = lines.filter((line) => namesOfLine(line).every(({ isOurs }) => !isOurs));
  const sums = [...new Map(unnamed.map(({ amount, currency }) => [sumOf({ amount, currency }), { amount, currency }])).values()];
  const alike = sums.length === 0 ? [] : await store.paymentsAlike({ merchantIds, ...period, sums, limit: ALIKE_MAX });
  const own = named.filter(({ payment }) => isWithin(scope, payment));
  return {
    named: mapOf(own.map(({ name, payment }) => [keyOf(name), payment])),
    // An incomplete list proves nothing.
    alike:
      alike.length === ALIKE_MAX ? new Map() : mapOf(alike.filter((one) => isWithin(scope, one)).map((one) => [sumOf(one), one])),
  };
}

/** The acquirer's references are searched only when there are no others: this search is the slowest. */
function namesToSearch(line: SettledLine): readonly PaymentName[] {
  const names = namesOfLine(line);
  const hasOurs = names.some(({ isOurs }) => isOurs);
  return searchNames(names).filter(({ kind }) => kind !== 'connectorTxId' || !hasOurs);
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
