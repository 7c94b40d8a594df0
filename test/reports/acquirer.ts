import { createHash } from 'node:crypto';
import type { Payment } from '../../src/payments/payment.ts';
import type { SettledLine } from '../../src/settlement/record.ts';
import { payment } from '../contract/storeFixtures.ts';

/** An acquirer that settles payments at random, and makes mistakes on purpose. It knows nothing of how lines are matched. */

/** Numbers from 0 up to another one, the same each time for one seed. */
export function createChance(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

export const DAY_MS = 86_400_000;
/** A midnight. */
export const BEGIN = 20_000 * DAY_MS;
export const OWN = ['m1', 'm2', 'm3'] as const;
const FOREIGN = 'foreign';

const idOf = (number: number): string => createHash('sha256').update(`payment ${number}`).digest('hex').slice(0, 32);
const shortOf = (number: number): string =>
  String(number)
    .padStart(12, '0')
    .replace(/^(....)(....)(....)$/, '$1.$2.$3');
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const secondOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** What became of a line on purpose. */
export const faults = [
  'doubled',
  'wrong amount',
  'wrong currency',
  'foreign merchant',
  'swapped ids',
  'truncated reference',
  'unknown id',
  'fee too high',
  'other date',
  'other card',
  'wrong sum',
  'wrong way',
] as const;
export type PlantedFault = (typeof faults)[number] | 'missing';

/** `truth`: the payment that the money moved for, of whomever. `isSure`: the line has what it takes to tell. */
export type Planted = {
  readonly line: SettledLine;
  readonly truth: Payment;
  readonly fault: PlantedFault | null;
  readonly isSure: boolean;
};

export type Story = {
  readonly payments: readonly Payment[];
  readonly planted: readonly Planted[];
  /** Settled by no line although they should be. */
  readonly missing: readonly Payment[];
};

/** Payments of several merchants: debits, captures of authorisations, refunds; orders that were paid twice. */
function makePayments(count: number, chance: (below: number) => number): Payment[] {
  const made: Payment[] = [];
  const one = (changes: Partial<Payment>): Payment => {
    const number = made.length;
    const id = idOf(number);
    const own = payment({
      id,
      merchantId: chance(12) === 0 ? FOREIGN : (OWN[chance(OWN.length)] ?? 'm1'),
      amount: BigInt(100 + chance(60_000)),
      currency: chance(8) === 0 ? 'USD' : 'EUR',
      shortId: shortOf(number),
      createdAt: BEGIN + chance(10 * DAY_MS),
      instrument: {
        kind: 'card',
        bin: '420000',
        last4Digits: String(chance(10_000)).padStart(4, '0'),
        holder: 'Ann',
        expiryMonth: '05',
        expiryYear: '2034',
      },
      details: { resultDetails: { ConnectorTxID1: `ACQ${number}X`, ConnectorTxID2: id.slice(0, 8) } },
      ...changes,
    });
    made.push(own);
    return own;
  };
  const below = (of: Payment, changes: Partial<Payment>): Payment => {
    const { merchantId, familyId, currency, merchantTransactionId, instrument } = of;
    const createdAt = of.createdAt + chance(DAY_MS);
    return one({ merchantId, familyId, referencedId: of.id, currency, merchantTransactionId, instrument, createdAt, ...changes });
  };
  while (made.length < count) {
    const number = made.length;
    // One of eight orders is paid with a reference that another payment has too, one of ten has none.
    const order = chance(10) === 0 ? null : chance(8) === 0 && number > 3 ? orderOf(chance(number)) : orderOf(number);
    const kind = chance(10);
    const first = one({ merchantTransactionId: order, paymentType: kind < 3 ? 'PA' : 'DB' });
    if (kind < 3) {
      const part = first.amount / BigInt(1 + chance(2));
      below(first, { paymentType: 'CP', amount: part });
      if (part < first.amount) below(first, { paymentType: 'CP', amount: first.amount - part });
    } else if (kind === 9) below(first, { paymentType: 'RF', amount: first.amount / BigInt(1 + chance(3)) });
  }
  return made;
}

const settleable = ['DB', 'CP', 'RF'];

function trueLine(of: Payment, chance: (below: number) => number): { readonly line: SettledLine; readonly isSure: boolean } {
  const isRefund = of.paymentType === 'RF';
  const isExchanged = chance(6) === 0;
  const rate = isExchanged ? '1.0845' : '1.00';
  const gross = isExchanged ? (of.amount * 10_845n) / 10_000n : of.amount;
  const asked = (gross * BigInt(chance(400))) / 10_000n + BigInt(chance(80));
  const fee = asked < gross ? asked : gross;
  const isNet = chance(4) !== 0;
  const style = chance(7);
  const [hasId, hasOrder, hasShort, hasReference] = [[0, 3].includes(style), [1, 3, 5].includes(style), style === 2, style === 4];
  const last4 = of.instrument?.kind === 'card' ? of.instrument.last4Digits : null;
  const order = hasOrder ? of.merchantTransactionId : null;
  const line: SettledLine = {
    line: 0,
    recordType: 'SETTLED',
    transactionType: isRefund ? 'REFUND' : 'DEBIT',
    cashflow: isRefund ? 'NEG' : 'POS',
    clearingInstitute: {
      name: 'Acquirer',
      merchantId: `ACQ-${of.merchantId}`,
      txId1: hasReference ? (of.details.resultDetails?.ConnectorTxID1 ?? null) : null,
      txId2: chance(3) === 0 ? `known to the acquirer alone ${chance(1_000_000)}` : null,
      txId3: null,
    },
    settlementId: null,
    paymentId: hasId ? of.id : null,
    shortId: hasShort ? of.shortId : null,
    merchantTransactionId: order,
    invoiceId: null,
    amount: of.amount,
    currency: of.currency,
    paymentBrand: 'VISA',
    presentedAt: chance(2) === 0 ? secondOf(of.createdAt + 3_600_000) : null,
    settledAmount: !isNet ? gross : isRefund ? gross + fee : gross - fee,
    settledCurrency: isExchanged ? (of.currency === 'EUR' ? 'USD' : 'EUR') : of.currency,
    fee,
    fxRate: rate,
    settledOn: dayOf(of.createdAt + (1 + chance(4)) * DAY_MS),
    status: 'SUCCESS',
    descriptor: null,
    last4: style === 6 || chance(2) === 0 ? last4 : null,
    bankCode: null,
    holder: null,
    reasonCode: null,
    reasonText: null,
  };
  return { line, isSure: hasId || hasShort || hasReference };
}

/** All of one length, so that one that has lost its end is never another's. */
const orderOf = (number: number): string => `order-${String(number).padStart(7, '0')}`;

/** The end of a name is lost; where another name is left, the payment is still told. */
function truncated(line: SettledLine): SettledLine {
  const { paymentId, shortId, merchantTransactionId, clearingInstitute } = line;
  return {
    ...line,
    paymentId: paymentId?.slice(0, 20) ?? null,
    shortId: shortId?.slice(0, 10) ?? null,
    merchantTransactionId: merchantTransactionId?.slice(0, 7) ?? null,
    clearingInstitute: {
      ...clearingInstitute,
      txId1: clearingInstitute.txId1?.slice(0, 4) ?? null,
      txId2: null,
    },
  };
}

type Spoil = (line: SettledLine, truth: Payment, other: Payment) => SettledLine;

const spoilers: Readonly<Record<Exclude<(typeof faults)[number], 'doubled' | 'foreign merchant'>, Spoil>> = {
  'wrong amount': (line) => ({ ...line, amount: line.amount + 13n, settledAmount: line.settledAmount + 13n }),
  'wrong currency': (line) => ({
    ...line,
    currency: 'CHF',
    settledCurrency: line.settledCurrency === line.currency ? 'CHF' : line.settledCurrency,
  }),
  'swapped ids': (line, truth, other) => ({ ...line, paymentId: truth.id, merchantTransactionId: null, shortId: other.shortId }),
  'truncated reference': (line) => truncated({ ...line, last4: null }),
  'unknown id': (line) => ({ ...line, paymentId: idOf(-1) }),
  'fee too high': (line) => ({ ...line, fee: line.amount / 3n + 500n, settledAmount: line.amount }),
  'other date': (line, truth) => ({ ...line, settledOn: dayOf(truth.createdAt - 40 * DAY_MS) }),
  'other card': (line, truth) => ({
    ...line,
    last4: String((Number(truth.instrument?.kind === 'card' ? truth.instrument.last4Digits : 0) + 1) % 10_000).padStart(4, '0'),
  }),
  'wrong sum': (line) => ({ ...line, settledAmount: line.settledAmount * 2n + 10_000n }),
  'wrong way': (line) => ({ ...line, cashflow: line.cashflow === 'POS' ? 'NEG' : 'POS' }),
};

/** A file of about so many lines, its faults, and the truth. */
export function tell(count: number, seed: number): Story {
  const chance = createChance(seed);
  const payments = makePayments(Math.ceil(count * 1.15), chance);
  const subjects = payments.filter(({ paymentType }) => settleable.includes(paymentType));
  const ours = subjects.filter(({ merchantId }) => merchantId !== FOREIGN);
  const missing: Payment[] = [];
  const planted: Planted[] = [];
  for (const truth of subjects) {
    const { line, isSure } = trueLine(truth, chance);
    if (truth.merchantId === FOREIGN) {
      if (chance(3) === 0) planted.push({ line, truth, fault: 'foreign merchant', isSure });
      continue;
    }
    const fault = chance(6) === 0 ? (['missing', ...faults] as const)[chance(faults.length + 1)] : null;
    if (fault === 'missing') missing.push(truth);
    else if (fault === 'doubled') planted.push({ line, truth, fault, isSure }, { line: { ...line }, truth, fault, isSure });
    else if (fault && fault !== 'foreign merchant') {
      const other = ours[chance(ours.length)] ?? truth;
      const isPossible = fault !== 'swapped ids' || other.familyId !== truth.familyId;
      planted.push({
        line: isPossible ? spoilers[fault](line, truth, other) : line,
        truth,
        fault: isPossible ? fault : null,
        isSure,
      });
    } else planted.push({ line, truth, fault: null, isSure });
  }
  for (let at = planted.length - 1; at > 0; at -= 1) {
    const other = chance(at + 1);
    [planted[at], planted[other]] = [planted[other] as Planted, planted[at] as Planted];
  }
  return { payments, planted: planted.map((one, at) => ({ ...one, line: { ...one.line, line: at + 2 } })), missing };
}
