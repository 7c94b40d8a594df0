import assert from 'node:assert/strict';
import type { Payment } from '../../src/payments/payment.ts';
import { type MatchContext, type MatchResult, matchLine } from '../../src/settlement/match/match.ts';
import type { PaymentName } from '../../src/settlement/ports.ts';
import type { SettledLine, SettlementRecord } from '../../src/settlement/record.ts';
import { defaultSettlement, toleranceOf } from '../../src/settlement/settings.ts';
import { settlementFile, settlementRecord } from '../contract/storeSettlementFixtures.ts';
import { DAY_MS, OWN, type Planted, type PlantedFault, type Story } from './acquirer.ts';

/** What the merchants of the test know of their own payments, held in maps. */
export function surroundingsOf(
  payments: readonly Payment[],
): MatchContext & { keep(line: SettledLine, judged: MatchResult): void } {
  const own = payments.filter(({ merchantId }) => (OWN as readonly string[]).includes(merchantId));
  const file = settlementFile();
  const families = Map.groupBy(own, ({ familyId }) => familyId);
  const names = new Map<string, Payment[]>();
  const put = (name: PaymentName | null, one: Payment) => {
    const key = name && `${name.kind} ${name.value}`;
    if (key) names.set(key, [...(names.get(key) ?? []), one]);
  };
  for (const one of own) {
    put({ kind: 'id', value: one.id }, one);
    put({ kind: 'shortId', value: one.shortId }, one);
    put(one.merchantTransactionId === null ? null : { kind: 'merchantTransactionId', value: one.merchantTransactionId }, one);
    for (const value of Object.values(one.details.resultDetails ?? {})) put({ kind: 'connectorTxId', value }, one);
  }
  const sums = Map.groupBy(own, ({ amount, currency }) => `${amount} ${currency}`);
  const earlier = new Map<string, SettlementRecord[]>();
  return {
    named: ({ kind, value }) => names.get(`${kind} ${value}`) ?? [],
    alike: ({ amount, currency, settledOn }) =>
      (sums.get(`${amount} ${currency}`) ?? []).filter(
        ({ createdAt }) => createdAt < Date.parse(settledOn) + 2 * DAY_MS && createdAt >= Date.parse(settledOn) - 46 * DAY_MS,
      ),
    family: ({ familyId }) => families.get(familyId) ?? [],
    earlier: ({ id }) => earlier.get(id) ?? [],
    tolerance: toleranceOf(defaultSettlement),
    format: 'turnpike-csv',
    fileId: file.id,
    keep: (line, { match, payment }) => {
      if (payment) earlier.set(payment.id, [...(earlier.get(payment.id) ?? []), settlementRecord(file, { ...line, match })]);
    },
  };
}

/** Matches every line of a story and holds the outcome against the truth. Answers how many of each there were. */
export function judge({ payments, planted, missing }: Story): ReadonlyMap<PlantedFault | 'none', number> {
  const around = surroundingsOf(payments);
  const counts = new Map<PlantedFault | 'none', number>();
  const settled = new Map<string, number>();
  const judgedAll = planted.map((one) => {
    const judged = matchLine(one.line, around);
    around.keep(one.line, judged);
    counts.set(one.fault ?? 'none', (counts.get(one.fault ?? 'none') ?? 0) + 1);
    if (judged.payment) settled.set(judged.payment.id, (settled.get(judged.payment.id) ?? 0) + 1);
    hold(one, judged);
    return { ...one, judged };
  });
  const doubled = Map.groupBy(
    judgedAll.filter(({ fault }) => fault === 'doubled'),
    ({ truth }) => truth.id,
  );
  for (const [id, twins] of doubled) {
    const hits = twins.filter(({ judged }) => judged.payment !== null).length;
    assert.ok(hits <= 1 && (hits === 1 || !twins[0]?.isSure), `${id} is settled once`);
  }
  for (const count of settled.values()) assert.equal(count, 1, 'nothing is settled twice');
  for (const { id } of missing) assert.equal(settled.has(id), false, 'what has no line is settled by none');
  return counts;
}

function hold({ line, truth, fault, isSure }: Planted, { match, payment }: MatchResult): void {
  const about = `line ${line.line}, planted: ${fault ?? 'nothing'}; ${match.status} by ${match.by}: ${match.why}`;
  if (payment) assert.equal(payment.id, truth.id, `a false match. ${about}`);
  assert.equal(match.isOpen, payment === null, about);
  if (fault !== null && fault !== 'doubled') assert.equal(payment, null, `a fault that was not found. ${about}`);
  if (fault === null && isSure) assert.equal(payment?.id, truth.id, `a good line that was not matched. ${about}`);
}
