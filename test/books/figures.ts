import { aboutOf, linesIn, type MerchantView, type Transaction, transactionsIn } from './recompute.ts';

/**
 * What other pages and replies say about the same money, recomputed from webhooks and the reconciliation file: totals of customers, sums that a payment read back
 * has, statistics, and the list of unsettled payments. It knows the gateway's words for its figures and nothing of how they come about.
 */

/** Figures by their names: amounts in hundredths, and counts. Figures of zero are left out. */
export type Figures = ReadonlyMap<string, bigint>;

/** Transactions by their ids, and the approved ones by what they are about or reference. */
type Known = {
  readonly byId: ReadonlyMap<string, Transaction>;
  readonly approved: readonly Transaction[];
  readonly about: ReadonlyMap<string, readonly Transaction[]>;
  readonly below: ReadonlyMap<string, readonly Transaction[]>;
};

function knownIn({ webhooks }: MerchantView): Known {
  const byId = transactionsIn(webhooks);
  const approved = [...byId.values()].filter(({ state }) => state === 'approved');
  return {
    byId,
    approved,
    about: Map.groupBy(approved, (one) => aboutOf(byId, one)?.id ?? ''),
    below: Map.groupBy(approved, ({ referencedId }) => referencedId ?? ''),
  };
}

const RECEIVED = ['DB', 'CP', 'RB', 'RC'];
const CHARGED = [...RECEIVED, 'CD'];

function createSums() {
  const sums = new Map<string, bigint>();
  return {
    add: (name: string, amount: bigint) => void sums.set(name, (sums.get(name) ?? 0n) + amount),
    figures: (): Figures => new Map([...sums].filter(([, sum]) => sum !== 0n)),
  };
}

function rootOf(all: Known, transaction: Transaction): Transaction {
  const above = transaction.referencedId === null ? undefined : all.byId.get(transaction.referencedId);
  return above === undefined ? transaction : rootOf(all, above);
}

/** A chargeback takes back, its reversal gives back, and the chargeback of that takes back again. */
const takes = ({ type }: Transaction): bigint => (type === 'CB' ? 1n : -1n);

/** An authorisation and its increments: captures and reversals draw on the total. */
const isIncrement = ({ type, practice }: Transaction): boolean => type === 'PA' && practice === 'INCREMENTAL_AUTH';
const authorised = ({ below }: Known, payment: Transaction): readonly Transaction[] => [
  payment,
  ...(below.get(payment.id) ?? []).filter(isIncrement),
];

const captures = (all: Known, payment: Transaction): readonly Transaction[] =>
  authorised(all, payment)
    .flatMap(({ id }) => all.below.get(id) ?? [])
    .filter(({ type }) => type === 'CP' || type === 'RC');

/** What became of charges, by the transactions about them. */
function changesOf({ about }: Known, charges: readonly Transaction[]) {
  const changes = { refunded: 0n, reversed: 0n, disputed: 0n };
  for (const one of charges.flatMap(({ id }) => about.get(id) ?? [])) {
    if (one.type === 'RF') changes.refunded += one.amount;
    if (one.type === 'RV') changes.reversed += one.amount;
    if (one.type === 'CB' || one.type === 'CR') changes.disputed += takes(one) * one.amount;
  }
  return changes;
}

/** Of the payments that reference nothing, and of what was charged. */
function readBack(all: Known, add: (name: string, amount: bigint) => void): void {
  for (const one of all.approved) {
    const isAuthorisation = one.type === 'PA' && !isIncrement(one);
    if (!isAuthorisation && !CHARGED.includes(one.type)) continue;
    const charges = isAuthorisation ? captures(all, one) : [one];
    // A refund that names an authorisation is one of its only capture.
    const named = one.type === 'CP' ? [one, ...[all.byId.get(one.referencedId ?? '')].flatMap((above) => above ?? [])] : charges;
    const { reversed, disputed } = changesOf(all, charges);
    const refunded = changesOf(all, isAuthorisation ? [one, ...charges] : named).refunded;
    const ownReversed = isAuthorisation ? changesOf(all, authorised(all, one)).reversed : 0n;
    const captured = isAuthorisation ? charges.reduce((sum, { amount }) => sum + amount, 0n) : one.amount;
    const sums = { captured, refunded, reversed: reversed + ownReversed, disputed };
    for (const [name, sum] of Object.entries(sums)) add(`${name}Amount of ${one.id}`, sum);
  }
}

function customers(all: Known, customerOf: (rootId: string) => string | undefined, add: (name: string, amount: bigint) => void) {
  for (const one of all.approved) {
    const customer = customerOf(rootOf(all, one).id);
    if (customer === undefined) continue;
    const about = aboutOf(all.byId, one);
    const say = (what: string, amount: bigint) => add(`${what} by ${customer} in ${one.currency}`, amount);
    if (CHARGED.includes(one.type)) {
      say('payments', 1n);
      say(one.type === 'CD' ? 'credited' : 'paid', one.amount);
    }
    if (one.type === 'RV' && CHARGED.includes(about?.type ?? '')) say(about?.type === 'CD' ? 'credited' : 'paid', -one.amount);
    if (one.type === 'RF') say('refunded', one.amount);
    if (one.type === 'CB' || one.type === 'CR') {
      // A refund that came back did not reach the customer.
      if (about?.type === 'RF') say('refunded', -takes(one) * one.amount);
      else say('disputed', takes(one) * one.amount);
    }
  }
}

function statistics(all: Known, add: (name: string, amount: bigint) => void): void {
  for (const { type, currency, amount, referencedId } of all.approved) {
    if (amount === 0n) continue;
    const isAttempt = referencedId === null && (type === 'DB' || type === 'PA');
    for (const what of isAttempt ? [type, 'attempts'] : [type]) {
      add(`${what} in ${currency}`, 1n);
      add(`volume of ${what} in ${currency}`, amount);
    }
  }
}

/** What a file must have settled, and has not. */
function unsettled(all: Known, { file }: MerchantView, add: (name: string, amount: bigint) => void): void {
  const settled = new Set(
    linesIn(file)
      .filter(
        (line) =>
          line.ReconciliationType === 'SETTLED' && line.SettlementStatus === 'SUCCESS' && line.MatchingStatus === 'MATCHED',
      )
      .map((line) => line.UniqueID),
  );
  for (const one of all.approved) {
    if (![...CHARGED, 'RF'].includes(one.type) || one.amount === 0n || settled.has(one.id)) continue;
    if (changesOf(all, [one]).reversed < one.amount) add(`unsettled ${one.id}`, 1n);
  }
}

export type CustomerOf = (rootId: string) => string | undefined;

export function recomputeFigures(view: MerchantView, customerOf: CustomerOf): Figures {
  const all = knownIn(view);
  const { add, figures } = createSums();
  readBack(all, add);
  customers(all, customerOf, add);
  statistics(all, add);
  unsettled(all, view, add);
  return figures();
}

/** The ids of the payments that have sums when they are read back. */
export const readable = (view: MerchantView): readonly string[] =>
  knownIn(view)
    .approved.filter((one) => CHARGED.includes(one.type) || (one.type === 'PA' && !isIncrement(one)))
    .map(({ id }) => id);

/** Where the gateway's figures differ from the recomputed ones, in words. */
export const figureDifferences = (expected: Figures, said: Figures): readonly string[] =>
  [...new Set([...expected.keys(), ...said.keys()])]
    .filter((name) => (expected.get(name) ?? 0n) !== (said.get(name) ?? 0n))
    .map((name) => `${name}: the gateway says ${said.get(name) ?? 0n}, webhooks and file come to ${expected.get(name) ?? 0n}`);
