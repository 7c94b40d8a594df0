import type { Chance } from '../simulation/chance.ts';
import {
  type Details,
  type Effect,
  type Entry,
  entryText,
  type Fate,
  type Given,
  type Own,
  plain,
  STATEMENT_ACCOUNT,
  spelt,
} from './otherBanks.ts';

/** Entries of a business account: about payments of ours, and about everything else. */

const IBANS = ['NL91ABNA0417164300', 'FR1420041010050500013M02606', 'CH9300762011623852957'] as const;
const CODES = {
  collection: 'IDDT/ESDD',
  return: 'IDDT/UPDD',
  wages: 'ICDT/SALA',
  credit: 'RCDT/ESCT',
  fee: 'MDOP/CHRG',
  payout: 'ICDT/ESCT',
  transfer: 'MCOP/OTHR',
  cards: 'MCRD/POSP',
} as const;
/** The account that our payments are collected from. */
const PAYER = 'AT611904300234573201';
export type Writing = { readonly chance: Chance; readonly ref: () => string; readonly on: string; readonly later: string };

const frame = ({ chance, ref, on }: Writing) => ({
  ref: ref(),
  on,
  days: chance.pick(['both', 'both', 'booking', 'value', 'none'] as const),
  iban: chance.pick(IBANS),
  isApart: chance.hits(0.2),
});

const booked = ({ id, cents }: Own): Effect => ({ id, is: 'booked', cents, settled: cents });
const total = (all: readonly bigint[]): bigint => all.reduce((sum, one) => sum + one, 0n);
const entry = (name: string, given: Given, effects: readonly Effect[], fate: Fate | null): Entry => ({
  name,
  ref: given.ref,
  effects,
  fate,
  text: entryText(given),
});

/** Things that a single detail may say beside the booked amount, and that do not change it. */
const asides = (chance: Chance, cents: bigint): Details =>
  chance.pick<Details>([
    {},
    { amount: '0.04', amountIn: 'TxAmt' },
    { amount: '0.04', amountIn: 'Amt' },
    { amount: plain(cents * 3n), amountIn: 'TxAmt' },
    { amount: '1234.567', amountIn: 'CntrValAmt', code: 'KWD' },
    { amount: plain(cents), amountIn: 'Amt' },
    { instructed: '0.01' },
    { instructed: plain(cents), amount: '17.5', amountIn: 'TxAmt' },
    { charges: '2.50', chargesCode: 'USD' },
    { charges: '0.125', chargesCode: 'KWD' },
    { charges: '0.00' },
    { charges: '0.90', isChargedApart: true },
  ]);

/** The booking of a payment, its return with charges, and the return taken back. */
function lifeOf(writing: Writing, own: Own): readonly Entry[] {
  const { chance, later } = writing;
  const { id, cents } = own;
  const charges = BigInt(chance.between(0, 500));
  const came = { ...frame(writing), amount: plain(cents), code: CODES.collection, details: [{ id, payer: PAYER }] };
  const details = [{ id, instructed: plain(cents), charges: plain(charges), reason: 'MD06', payer: PAYER }];
  const settled = cents + charges;
  const other = { ...frame(writing), on: later, days: 'both' as const };
  const back = { ...other, amount: spelt(chance, settled), code: CODES.return, sign: 'DBIT' as const, details };
  const reversed = chance.pick(['true', '1'] as const);
  const again = { ...other, ref: writing.ref(), amount: spelt(chance, cents), code: CODES.transfer, reversed };
  return [
    entry('booked', came, [booked(own)], null),
    entry('returned', back, [{ id, is: 'returned', cents, settled }], null),
    entry(
      'restored',
      { ...again, details: [{ id, reason: 'MD06', payer: PAYER }] },
      [{ id, is: 'restored', cents, settled: cents }],
      null,
    ),
  ];
}

/** Entries about payments of ours. `claim` says which payments were sent as one batch. */
export const ours: Readonly<
  Record<string, (writing: Writing, own: readonly [Own, ...Own[]], batchId: string) => readonly Entry[]>
> = {
  'each alone': (writing, own) =>
    own.map((one) => {
      const { chance } = writing;
      const id = chance.hits(0.2) ? one.id.toUpperCase() : one.id;
      const details = [{ ...asides(chance, one.cents), id, payer: PAYER }];
      const given = { ...frame(writing), amount: spelt(chance, one.cents), code: CODES.collection, details };
      return entry('alone', given, [booked(one)], null);
    }),
  'details of one sum': (writing, own) => {
    const { chance } = writing;
    const amountIn = chance.pick(['Amt', 'TxAmt', 'InstdAmt', 'CntrValAmt'] as const);
    const others = Array.from({ length: chance.between(own.length === 1 ? 1 : 0, 3) }, () => BigInt(chance.between(1, 90_000)));
    const details = [
      ...own.map(({ id, cents }) => ({ id, amount: spelt(chance, cents), amountIn, payer: PAYER })),
      ...others.map((cents, at) => ({ id: `INV-${at}-${chance.between(1, 1e9)}`, amount: spelt(chance, cents), amountIn })),
    ];
    const whole = total([...own.map(({ cents }) => cents), ...others]);
    const given = { ...frame(writing), amount: spelt(chance, whole), code: CODES.collection, details };
    return [entry('details', given, own.map(booked), others.length === 0 ? null : 'exception')];
  },
  'details above charges': (writing, own) => {
    const { chance } = writing;
    const [fee, other] = [BigInt(chance.between(1, 40)), BigInt(chance.between(100, 9_000))];
    const details = [
      ...own.map(({ id, cents }) => ({ id, amount: plain(cents), amountIn: 'TxAmt' as const, payer: PAYER })),
      { id: `INV-${chance.between(1, 1e9)}`, amount: plain(other), amountIn: 'TxAmt' as const },
    ];
    const amount = plain(total(own.map(({ cents }) => cents)) + other - fee);
    const given = { ...frame(writing), amount, code: CODES.collection, details, charges: [{ text: plain(fee), code: 'EUR' }] };
    return [entry('charged', given, own.map(booked), 'exception')];
  },
  'one sum': (writing, own, batchId) => {
    const amount = spelt(writing.chance, total(own.map(({ cents }) => cents)));
    const given = { ...frame(writing), amount, code: CODES.collection, batch: { id: batchId, count: own.length } };
    return [entry('sum', given, own.map(booked), null)];
  },
  'details without amounts': (writing, own, batchId) => {
    const amount = spelt(writing.chance, total(own.map(({ cents }) => cents)));
    const details = [...own.map(({ id }) => ({ id })), ...(own.length === 1 ? [{ name: 'A line about the batch' }] : [])];
    const given = { ...frame(writing), amount, code: CODES.collection, batch: { id: batchId, count: own.length }, details };
    return [entry('unpriced', given, own.map(booked), null)];
  },
  'booked and returned': (writing, own) => own.flatMap((one) => lifeOf(writing, one).slice(0, 2)),
  'booked, returned and restored': (writing, own) => own.flatMap((one) => lifeOf(writing, one)),
};

/** Transfers of ours to others, which go out. */
export const payouts = (writing: Writing, own: readonly Own[]): readonly Entry[] =>
  own.map(({ id, cents }) => {
    const { chance } = writing;
    const details = [{ ...asides(chance, cents), id, payee: PAYER }];
    const given = { ...frame(writing), amount: spelt(chance, cents), sign: 'DBIT' as const, code: CODES.payout, details };
    return entry('payout', given, [{ id, is: 'paid', cents, settled: cents }], null);
  });

/** Refunds by transfer, some of which come back. A bank may turn the sides of what comes back. */
export const refunds = (writing: Writing, own: readonly Own[]): readonly Entry[] =>
  own.flatMap(({ id, cents }) => {
    const { chance, later } = writing;
    const out = payouts(writing, [{ id, cents }]);
    if (chance.hits(0.4)) return out;
    const sides = chance.pick([{ payee: PAYER }, { payer: PAYER, payee: STATEMENT_ACCOUNT }, {}]);
    const details = [{ id, reason: 'AC04', ...sides }];
    const other = { ...frame(writing), on: later, days: 'both' as const };
    const given = { ...other, iban: PAYER, amount: spelt(chance, cents), code: 'ICDT/RRTN', details };
    return [...out, entry('came back', given, [{ id, is: 'came back', cents, settled: cents }], null)];
  });

const stranger = ({ chance }: Writing): string => `ORD-${chance.between(1, 1e9)}`;
const some = ({ chance }: Writing): string => spelt(chance, BigInt(chance.between(1, 900_000)));

type Foreign = readonly [fate: Fate, given: (writing: Writing) => Partial<Given> & Pick<Given, 'code'>];

/** Entries of all kinds that are on the account of a business, none of them ours. */
export const foreign: Readonly<Record<string, Foreign>> = {
  'wages without amounts': [
    'unreadable',
    ({ chance }) => ({
      amount: '45000.00',
      sign: 'DBIT',
      code: CODES.wages,
      batch: { id: `WAGES-${chance.between(1, 1e9)}`, count: 3 },
      details: [{ name: 'Ann' }, { name: 'Ben' }, { name: 'Cy' }],
    }),
  ],
  'details of another sum': [
    'unreadable',
    (writing) => ({
      amount: '100.00',
      code: CODES.credit,
      details: [{ id: stranger(writing), amount: '60.00' }, { amount: '39.99' }],
    }),
  ],
  'details in another currency': [
    'unreadable',
    () => ({
      amount: '90.00',
      code: CODES.credit,
      details: [
        { amount: '50.00', code: 'USD' },
        { amount: '50.00', code: 'USD' },
      ],
    }),
  ],
  'three decimals': [
    'unreadable',
    (writing) => ({ amount: '1234.567', currency: 'KWD', code: CODES.credit, details: [{ id: stranger(writing) }] }),
  ],
  'five decimals': ['unreadable', () => ({ amount: '0.00001', code: CODES.credit })],
  'an unknown currency': ['unreadable', () => ({ amount: '10.00', currency: 'QQQ', code: CODES.credit })],
  'a very large amount': ['unreadable', () => ({ amount: '999999999999999999', currency: 'IDR', code: CODES.credit })],
  'charges in another currency': [
    'exception',
    (writing) => ({
      amount: some(writing),
      code: CODES.credit,
      details: [{ id: stranger(writing), charges: '12.00', chargesCode: 'USD' }],
    }),
  ],
  'charges in several currencies': [
    'exception',
    (writing) => ({
      amount: some(writing),
      code: CODES.credit,
      details: [{ id: stranger(writing) }],
      charges: [
        { text: '1.25', code: 'USD' },
        { text: '1.1', code: 'EUR' },
      ],
    }),
  ],
  'charges above the amount': [
    'exception',
    (writing) => ({ amount: '1.00', sign: 'DBIT', code: CODES.cards, details: [{ id: stranger(writing), charges: '5.00' }] }),
  ],
  'no days': [
    'exception',
    (writing) => ({ amount: some(writing), days: 'none', code: CODES.credit, details: [{ id: stranger(writing) }] }),
  ],
  'a small TxAmt': [
    'exception',
    (writing) => ({ amount: '4500.00', code: CODES.credit, details: [{ id: stranger(writing), amount: '0.04' }] }),
  ],
  'a reversal': [
    'exception',
    (writing) => ({
      amount: some(writing),
      sign: 'DBIT',
      reversed: '1',
      code: CODES.credit,
      details: [{ id: stranger(writing) }],
    }),
  ],
  'a returned transfer': [
    'exception',
    (writing) => ({ amount: some(writing), code: 'ICDT/RRTN', details: [{ id: stranger(writing), reason: 'AC04' }] }),
  ],
  'a returned collection': [
    'exception',
    (writing) => ({
      amount: some(writing),
      sign: 'DBIT',
      code: CODES.return,
      details: [{ id: stranger(writing), reason: 'AM04' }],
    }),
  ],
  'a card payment': ['exception', (writing) => ({ amount: some(writing), sign: 'DBIT', code: CODES.cards })],
  'nothing at all': ['exception', () => ({ amount: '0', code: CODES.credit })],
  'a fee': ['closed', () => ({ amount: '7.90', sign: 'DBIT', code: CODES.fee })],
  'a batch without details': [
    'closed',
    ({ chance }) => ({ amount: '812.33', code: CODES.collection, batch: { id: `P-${chance.between(1, 1e9)}`, count: 4 } }),
  ],
  pending: [
    'note',
    (writing) => ({ amount: some(writing), status: 'PDNG', code: CODES.credit, details: [{ id: stranger(writing) }] }),
  ],
  'for information': [
    'note',
    () => ({ amount: '3.141', status: 'INFO', code: CODES.credit, details: [{ amount: '1' }, { amount: '2' }] }),
  ],
};

export function foreignEntry(name: string, writing: Writing): Entry {
  const [fate, given] = foreign[name] ?? ['exception', () => ({ code: CODES.credit })];
  return entry(name, { amount: '1.00', ...frame(writing), ...given(writing) }, [], fate);
}
