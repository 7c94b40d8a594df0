import { type Amount, amountOf } from '../../money/amount.ts';
import { digitsOf } from '../currencies.ts';
import type { CodeThat } from '../resultCodes.ts';
import { type Acts, msOf } from './language.ts';

/** Settlement and chargebacks of a payment in a scenario. Instants are milliseconds after the payment. */

export type Settled = { readonly at: number; readonly gross: Amount; readonly fee: Amount; readonly net: Amount };

export type TakenBack = {
  readonly at: number;
  readonly does: 'chargeback' | 'reversal';
  readonly amount: Amount;
  readonly code: CodeThat<'chargeback'>;
};

const AFTER = '2d';
const ms = (text: string): number => msOf(text) ?? 0;

type Paid = {
  readonly amount: Amount;
  /** Absent: one with decimals. */
  readonly currency?: string;
};

/** The smallest amount that can be paid: a currency without decimals has no hundredths. */
const coinOf = ({ currency = '' }: Paid): Amount => (digitsOf(currency) === 0 ? 100n : 1n);

/** The share of an amount in hundredths of a per cent, rounded to the nearest coin, halves up. */
function partOf(amount: Amount, basisPoints: bigint, coin: Amount): Amount {
  const step = 10_000n * coin;
  return ((amount * basisPoints + step / 2n) / step) * coin;
}
const coined = (amount: Amount, coin: Amount): Amount => partOf(amount, 10_000n, coin);
const percents = (share: number): bigint => BigInt(share) * 100n;

/** `1.4` → 140n hundredths of a per cent. */
function basisPointsOf(text: string): bigint {
  const [units = '0', decimals = ''] = text.split('.');
  return BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0'));
}

function signedOf(text: string): Amount {
  const amount = amountOf(text.replace(/^-/, '')) ?? 0n;
  return text.startsWith('-') ? -amount : amount;
}

/** The payouts of a payment, in their order; without an act it is paid out whole after two days, without a fee. */
export function settlementActs({ settlement = {} }: Acts, payment: Paid): readonly Settled[] {
  const { after = AFTER, pays = 'all', share = 100, rest, off = '0.00', feePercent = '0', feeFixed = '0.00' } = settlement;
  const { amount } = payment;
  const [at, coin] = [ms(after), coinOf(payment)];
  const settled = (instant: number, gross: Amount, fixed: Amount): Settled => {
    const fee = partOf(gross, basisPointsOf(feePercent), coin) + fixed;
    return { at: instant, gross, fee, net: gross - fee };
  };
  const fixedFee = coined(amountOf(feeFixed) ?? 0n, coin);
  const part = partOf(amount, percents(share), coin);
  const first = settled(at, part + signedOf(off), fixedFee);
  switch (pays) {
    case 'nothing':
      return [];
    case 'twice':
      return [first, first];
    case 'all':
      return [first];
    case 'part':
      return rest === undefined ? [first] : [first, settled(at + ms(rest), amount - part, 0n)];
  }
}

/** Chargebacks and their reversals, by time. */
export function chargebackActs({ chargebacks = [] }: Acts, payment: Paid): readonly TakenBack[] {
  const all = chargebacks.flatMap(({ after, code, share = 100, reversed }): readonly TakenBack[] => {
    const taken: TakenBack = {
      at: ms(after),
      does: 'chargeback',
      amount: partOf(payment.amount, percents(share), coinOf(payment)),
      code,
    };
    return reversed === undefined ? [taken] : [taken, { ...taken, at: taken.at + ms(reversed), does: 'reversal' }];
  });
  return all.toSorted((one, other) => one.at - other.at);
}
