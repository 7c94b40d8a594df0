import type { createClient, Fields, Reply } from '../http/client.ts';
import { playing } from '../http/settlementFixture.ts';
import type { Chance } from '../simulation/chance.ts';

/** Generated families of payments: every type that the API takes by reference, on every type of transaction, in part, whole and too much. */

type Shop = ReturnType<typeof createClient>;

/** A transaction that may be referenced. */
type Member = { readonly id: string; readonly type: string; readonly amount: number };
/** `rootId`: the first payment, whatever became of it. */
export type GeneratedFamily = { readonly rootId?: string; readonly currency: string; readonly members: Member[] };

/** What was tried on what, and how often it was taken. */
export type Tried = Map<string, { tried: number; taken: number }>;

export const followUps = ['CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC', 'PA', 'DB'] as const;
/** What may be referenced: the transition table of clients of this family, and the industry practices. */
export const admitted: Readonly<Record<string, readonly string[]>> = {
  PA: ['PA', 'DB', 'CP'],
  DB: ['PA', 'DB', 'CP'],
  CP: ['PA'],
  RV: ['PA', 'DB', 'CD', 'CP'],
  // A refund of an authorisation means its only capture.
  RF: ['DB', 'CD', 'CP', 'RB', 'RC', 'PA'],
  CB: ['DB', 'CP', 'RF', 'RB', 'CR'],
  CR: ['CB'],
  RB: ['DB'],
  RC: ['PA'],
};
export const currencies = ['EUR', 'JPY', 'KWD', 'BHD'] as const;

const textOf = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

/** Yen have no hundredths. */
const coined = (amount: number, currency: string): number =>
  currency === 'JPY' ? Math.max(100, amount - (amount % 100)) : amount;

const FEES = { name: 'fees', says: 'The acquirer keeps fees.', settlement: { feePercent: '1.4', feeFixed: '0.10' } };

const doubts = ['lost', 'lost-request', 'late', 'twice', 'garbled', 'down'] as const;

/** What happens to a transaction beside being approved. */
function turnOf(chance: Chance): Fields {
  const at = chance.below(100);
  if (at < 4) return { 'customParameters[forceResultCode]': '000.200.000', 'customParameters[SIMULATOR_for]': '400d' };
  if (at < 8) return { 'customParameters[forceResultCode]': '000.200.000', 'customParameters[SIMULATOR_for]': '10m' };
  if (at < 12) return { 'customParameters[forceResultCode]': '800.100.151' };
  // Doubt: the acquirer may have booked it, and the gateway finds out or takes it back.
  if (at < 20) return { 'customParameters[SIMULATOR_answer]': chance.pick(doubts) };
  return {};
}

const isTaken = ({ code }: Reply): boolean => /^000\.(100\.[12]|000|2)/.test(code);

export async function beginFamily(shop: Shop, chance: Chance, customer: string): Promise<GeneratedFamily> {
  const currency = chance.pick(currencies);
  const amount = coined(chance.between(1_000, 99_999), currency);
  const type = chance.pick(['PA', 'PA', 'DB', 'DB', 'CD']);
  const turn = { ...turnOf(chance), ...(chance.hits(0.4) && playing(JSON.stringify(FEES))) };
  const payer = { 'customer.merchantCustomerId': customer, 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
  const reply = await shop.pay({ paymentType: type, amount: textOf(amount), currency, ...payer, ...turn });
  if (reply.code === '200.300.404') throw new Error(JSON.stringify(reply.body.result));
  if (reply.status === 429) throw new Error('the generator is throttled');
  return { rootId: reply.id, currency, members: isTaken(reply) ? [{ id: reply.id, type, amount }] : [] };
}

/** The whole, a part, a little, or too much. */
function amountFor(chance: Chance, { amount }: Member, currency: string): number {
  const share = chance.pick([1, 1, 1 / 2, 1 / 3, 0.1, 1.01]);
  return coined(Math.max(1, Math.round(amount * share)), currency);
}

/** Most steps are such as may be taken, the others any type on any transaction. */
function stepOf(chance: Chance, members: readonly Member[]): { readonly type: string; readonly of: Member } {
  // The youngest are what chains of chargebacks go on from.
  const of = chance.hits(0.5) ? (members.at(-1) as Member) : chance.pick(members);
  const fitting = followUps.filter((type) => admitted[type]?.includes(of.type));
  return { of, type: fitting.length > 0 && chance.hits(0.75) ? chance.pick(fitting) : chance.pick(followUps) };
}

type Step = {
  readonly type: string;
  readonly of: Member;
  readonly amount: number;
  readonly turn: Fields;
  readonly practice?: string;
};

/** Payments that name another one: increments are counted with it, the others are payments of their own. */
const practices: Readonly<Record<string, readonly string[]>> = {
  PA: ['INCREMENTAL_AUTH', 'INCREMENTAL_AUTH', 'REAUTHORIZATION', 'NO_SHOW'],
  DB: ['DELAYED_CHARGES', 'NO_SHOW'],
};

const NAME = 'standingInstruction.industryPractice';
const PRACTICE = {
  'standingInstruction.source': 'MIT',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.type': 'UNSCHEDULED',
  'card.cvv': '',
};

/** One request about a member; a transaction that was taken becomes one. */
async function take(
  shop: Shop,
  family: GeneratedFamily,
  { type, of, amount, turn, practice }: Step,
  tried: Tried,
): Promise<Member | null> {
  const { currency, members } = family;
  const sums: Fields = amount === 0 ? {} : { amount: textOf(amount), currency };
  const reply =
    practice !== undefined
      ? await shop.pay({ paymentType: type, ...sums, ...PRACTICE, [NAME]: practice, referenceUuid: of.id, ...turn })
      : await shop.refer(of.id, { paymentType: type, ...sums, ...turn });
  if (reply.status === 429) throw new Error('the generator is throttled');
  const counts = tried.get(`${type} of ${of.type}`) ?? { tried: 0, taken: 0 };
  tried.set(`${type} of ${of.type}`, counts);
  counts.tried += 1;
  if (!isTaken(reply)) return null;
  counts.taken += 1;
  // Without an amount a reversal takes what is left.
  const member = { id: reply.id, type, amount: Math.round(Number(reply.body.amount ?? textOf(amount)) * 100) };
  members.push(member);
  return member;
}

const practiceFor = (type: string, pick: (all: readonly string[]) => string | undefined) => {
  const known = practices[type];
  const practice = known && pick(known);
  return practice === undefined ? {} : { practice };
};

export type Playing = { readonly chance: Chance; readonly tried: Tried; readonly steps: number };

export async function continueFamily(shop: Shop, family: GeneratedFamily, { chance, tried, steps }: Playing): Promise<void> {
  const { currency, members } = family;
  const drawn = (): Step => {
    const { type, of } = stepOf(chance, members);
    const amount = type === 'RV' && chance.hits(0.7) ? 0 : amountFor(chance, of, currency);
    const isLast = chance.hits(0.02) && practices[type] === undefined;
    const turn = { ...turnOf(chance), ...(isLast && { sequence: 'FINAL' }) };
    return { type, of, amount, turn, ...practiceFor(type, (all) => chance.pick(all)) };
  };
  for (let step = 0; step < steps && members.length > 0; step += 1) {
    // Some requests about one payment arrive together.
    const together = Array.from({ length: chance.hits(0.15) ? 3 : 1 }, drawn);
    await Promise.all(together.map((one) => take(shop, family, one, tried)));
  }
}

/** How each type of transaction comes about: what is done to the first payment, one after the other. */
const origins: Readonly<Record<string, readonly string[]>> = {
  PA: ['PA'],
  DB: ['DB'],
  CD: ['CD'],
  CP: ['PA', 'CP'],
  RV: ['DB', 'RV'],
  RF: ['DB', 'RF'],
  CB: ['DB', 'CB'],
  CR: ['DB', 'CB', 'CR'],
  RB: ['DB', 'RB'],
  RC: ['PA', 'RC'],
};
/** All types that are there to be referenced. */
export const references = Object.keys(origins);

/** Every type on every type of transaction, in one currency; the smallest part that every currency has. */
export async function playEveryPair(shop: Shop, currency: string, tried: Tried): Promise<void> {
  for (const [first = '', ...others] of Object.values(origins)) {
    for (const type of followUps) {
      const { id } = await shop.pay({ paymentType: first, amount: '90.00', currency });
      const family: GeneratedFamily = { currency, members: [{ id, type: first, amount: 9_000 }] };
      let of = family.members[0] as Member;
      for (const next of others)
        of = (await take(shop, family, { type: next, of, amount: next === 'RV' ? 0 : 2_000, turn: {} }, tried)) ?? of;
      // The last practice of a type is the one that most payments can carry.
      const practice = practiceFor(type, (all) => all.at(-1));
      await take(shop, family, { type, of, amount: type === 'RV' ? 0 : 500, turn: {}, ...practice }, tried);
    }
  }
  // A chargeback that was given back, of a payment that is reversed before it is settled.
  const given = await shop.pay({ paymentType: 'DB', amount: '90.00', currency });
  const debit: Member = { id: given.id, type: 'DB', amount: 9_000 };
  const back: GeneratedFamily = { currency, members: [debit] };
  const charged = await take(shop, back, { type: 'CB', of: debit, amount: 9_000, turn: {} }, tried);
  if (charged) await take(shop, back, { type: 'CR', of: charged, amount: 9_000, turn: {} }, tried);
  await take(shop, back, { type: 'RV', of: debit, amount: 0, turn: {} }, tried);

  // A refund of an authorisation means its only capture.
  const { id } = await shop.pay({ paymentType: 'PA', amount: '90.00', currency });
  const of: Member = { id, type: 'PA', amount: 9_000 };
  const family: GeneratedFamily = { currency, members: [of] };
  for (const type of ['CP', 'RF']) await take(shop, family, { type, of, amount: 2_000, turn: {} }, tried);
}
