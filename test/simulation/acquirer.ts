import { isApproved } from '../../src/payments/balance.ts';
import { type AnswerDetails, acquirerKey, type Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt } from '../../src/payments/ports.ts';
import { columnOf, isAway, patienceOf, redirectedUntil } from './away.ts';
import { operationOf } from './machine.ts';
import type { Scheme } from './scheme.ts';
import { breaks, brief, note, type Sim, strikes } from './sim.ts';
import { createSweepWatch, type SweepWatch } from './sweepWatch.ts';
import type { Operation } from './tally.ts';

/** One thing the acquirer was asked to do, and what became of it there. */
export type Entry = {
  readonly id: string;
  readonly operation: Operation;
  readonly amount: bigint;
  readonly currency: string;
  readonly referencedId: string | null;
  readonly merchantTransactionId: string | null;
  readonly numberOfCaptures: number | null;
  /** How long the shopper may take who decides about it; null where no shopper is sent away. */
  readonly until: number | null;
  state: 'waiting' | 'booked' | 'declined' | 'cancelled';
  /** The account refused it for itself, and another one may be asked. */
  isRefusedByAccount?: true;
};

/** A payment that the account refused, or that it refused and booked all the same. */
export type AccountEvent = { readonly entry: Entry; readonly payment: Payment };

/** A payment that a shopper was sent to decide about, and how he does. */
export type Errand = { readonly entry: Entry; readonly payment: Payment; decide(state: Entry['state']): void };

/** Who else is concerned. */
export type Neighbours = {
  readonly scheme: Scheme;
  sent(errand: Errand): void;
  /** Called for every attempt that the acquirer is asked about. */
  asked(attempt: Attempt): void;
  bookedLate(booking: AccountEvent): void;
  /** The account refuses for itself, and may say so before its answer is there. */
  refused(refusal: AccountEvent): void;
};

/** Habits that a real acquirer may not have; the planted bugs change them. */
export type Habits = { readonly cancelSticks: boolean };

/** The far side, which knows what money really moved. It trusts the gateway: it adds up, but refuses nothing for its sum. */
export type Acquirer = {
  readonly ledger: ReadonlyMap<string, Entry>;
  /** Which number each payment was to be charged to when it was sent; the scheme's own are looked through. */
  readonly charged: ReadonlyMap<string, string>;
  /** The gateway's side of the wire says that it sends, once for each `send` of a connector however often it then arrives. */
  announce(attempt: Attempt): void;
  /** The connector decides about an attempt within the process. */
  consult(attempt: Attempt): void;
  send(attempt: Attempt): AcquirerAnswer;
  inquire(payment: Payment): AcquirerAnswer;
  cancel(payment: Payment): AcquirerAnswer;
  /** Money that moved by the gateway's own commit, because its connector decides within the process. */
  settle(payment: Payment): void;
  /** Who asks about what. */
  readonly sweeps: SweepWatch;
  /** The connector's `book`: a node says that such a commit was kept. */
  book(payment: Payment): void;
};

/** The code of an account that refuses for itself. */
export const REFUSED_BY_ACCOUNT = '800.100.190';

const LATER_MS_MAX = 3_600_000;

export function createAcquirer(
  sim: Sim,
  { scheme, sent: sendAway, asked, bookedLate, refused }: Neighbours,
  habits: Habits,
): Acquirer {
  const ledger = new Map<string, Entry>();
  const announced = new Set<string>();
  const charged = new Map<string, string>();
  const told = new Set<string>();

  const enter = (payment: Payment, state: Entry['state'], until: number | null = null): Entry => {
    const { amount, currency, referencedId, merchantTransactionId, numberOfCaptures } = payment;
    const id = acquirerKey(payment);
    const entry: Entry = {
      id,
      operation: operationOf(payment),
      amount,
      currency,
      referencedId,
      merchantTransactionId,
      numberOfCaptures,
      until,
      state,
    };
    ledger.set(id, entry);
    return entry;
  };
  const move = (entry: Entry, state: Entry['state']) => {
    note(sim, `acquirer ${entry.operation} ${brief(entry.id)}: ${entry.state} → ${state}`);
    entry.state = state;
    if (state !== 'booked') return;
    sim.tally.hit('acquirer: books', entry.operation);
    checkSums(sim, ledger, entry);
  };
  const decide = (entry: Entry) => {
    const isDeclined = isUncovered(entry) || strikes(sim, sim.weather.acquirerDeclines, ['acquirer: declines', entry.operation]);
    move(entry, isDeclined ? 'declined' : 'booked');
  };
  /** The account refuses for itself. Now and then it books the payment later all the same, and says so. */
  const refuse = (entry: Entry, payment: Payment) => {
    entry.isRefusedByAccount = true;
    move(entry, 'declined');
    refused({ entry, payment });
    if (sim.chance.hits(0.5)) return;
    later(() => {
      if (entry.state !== 'declined') return;
      move(entry, 'booked');
      bookedLate({ entry, payment });
    });
  };
  const later = (go: () => void) => sim.scheduler.after(sim.chance.below(LATER_MS_MAX), go);

  const isRefused = (payment: Payment): boolean =>
    isFirstOfTwo(payment) && strikes(sim, sim.weather.firstAccountFails, ['routing: refused by the account', columnOf(payment)]);

  return {
    ledger,
    charged,
    sweeps: createSweepWatch(sim),
    consult: asked,
    announce(attempt) {
      const { payment, secrets } = attempt;
      asked(attempt);
      const key = acquirerKey(payment);
      if (announced.has(key)) breaks(sim, 'I3', `${payment.paymentType} ${key} was sent to the acquirer twice`);
      announced.add(key);
      const { number, iban, networkToken } = secrets;
      const sent = networkToken ? scheme.meantBy(networkToken.number)?.number : (number ?? iban);
      if (payment.instrument !== null && sent === undefined) {
        breaks(sim, 'I3', `${payment.paymentType} ${payment.id} was sent without the card it is to be charged to`);
      }
      if (sent !== undefined) charged.set(payment.id, sent);
      countStored(sim, attempt);
    },
    send({ payment }) {
      const known = ledger.get(acquirerKey(payment));
      if (known) {
        if (known.state === 'cancelled') sim.tally.hit('acquirer: hears of it after the cancellation', known.operation);
        if (known.state === 'cancelled' && !habits.cancelSticks) move(known, 'booked');
        return answerOf(known, payment);
      }
      const entry = enter(payment, 'waiting', isAway(payment) ? patienceOf(sim) : null);
      if (isRefused(payment)) {
        refuse(entry, payment);
        return answerOf(entry, payment);
      }
      if (payment.earlier) sim.tally.hit('routing: the second account is asked', columnOf(payment));
      if (entry.until !== null) sendAway({ entry, payment, decide: (state) => move(entry, state) });
      else if (strikes(sim, sim.weather.acquirerWaits, ['acquirer: decides later', entry.operation])) {
        later(() => entry.state === 'waiting' && decide(entry));
      } else decide(entry);
      return answerOf(entry, payment);
    },
    inquire(payment) {
      const entry = ledger.get(acquirerKey(payment));
      // The part that answers inquiries may lag behind the part that books.
      const isUnseen = entry && strikes(sim, sim.weather.acquirerLate, ['acquirer: does not see it yet', entry.operation]);
      if (!entry || isUnseen) return { is: 'absent' };
      const answer = answerOf(entry, payment);
      // That he is on his way is known already: some banks find that worth no word.
      const isKnown = answer.is === 'redirected' && payment.phase.at === 'shopper' && !sim.weather.bankRepeats;
      return isKnown ? { is: 'waiting' } : answer;
    },
    cancel(payment) {
      const entry = ledger.get(acquirerKey(payment)) ?? enter(payment, 'waiting');
      if (entry.state === 'declined' || entry.state === 'cancelled') return answerOf(entry, payment);
      // Not yet: a booking is still one, and what came to nothing so far is still waited for.
      if (strikes(sim, sim.weather.acquirerWaits * 2, ['acquirer: cancels later', entry.operation]))
        return entry.state === 'booked' ? answerOf(entry, payment) : { is: 'waiting' };
      if (entry.state === 'booked') sim.tally.hit('acquirer: undoes a booking', entry.operation);
      if (entry.state === 'booked' && payment.phase.at === 'final')
        sim.tally.hit('bank: takes back what came after the end', entry.operation);
      move(entry, 'cancelled');
      return { is: 'cancelled' };
    },
    settle: (payment) => move(enter(payment, 'waiting'), isApproved(payment) ? 'booked' : 'declined'),
    book(payment) {
      if (!ledger.has(payment.id)) breaks(sim, 'I4', `${payment.id} is told as booked, but no commit of it was kept`);
      if (told.has(payment.id)) breaks(sim, 'I4', `${payment.id} is told as booked twice`);
      told.add(payment.id);
    },
  };
}

/** Sent to the first account although a second one exists. Follow-ups go where the payment is. */
export const isFirstOfTwo = ({ connector, referencedId }: Payment): boolean => connector === 'double' && referencedId === null;

/** What of stored details, series and wallets reaches the acquirer. */
function countStored({ tally }: Sim, { payment, registration, secrets, series }: Attempt): void {
  const operation = operationOf(payment);
  if (series?.mode === 'INITIAL') tally.hit('stored: a series begins', operation);
  if (!registration) return;
  tally.hit('stored: charged', operation);
  if (secrets.networkToken) tally.hit('stored: charged by the token of its scheme', operation);
  if (series?.mode === 'REPEATED') tally.hit('stored: a series goes on', operation);
}

/** The first payment of a series has a name by which the later ones speak of it. */
export const detailsOf = ({ id, fields }: Payment): AnswerDetails =>
  fields['standingInstruction.mode'] === 'INITIAL' ? { initialTransactionId: `first-${id}` } : {};

/** What the far side says of an entry as it stands. */
export function answerOf({ state, until, isRefusedByAccount }: Entry, payment: Payment): AcquirerAnswer {
  switch (state) {
    case 'booked':
      return { is: 'approved', details: detailsOf(payment) };
    case 'declined':
      return { is: 'declined', code: isRefusedByAccount ? REFUSED_BY_ACCOUNT : '800.100.155', details: {} };
    case 'waiting':
      return until === null ? { is: 'waiting' } : redirectedUntil(payment, until);
    case 'cancelled':
      return { is: 'cancelled' };
  }
}

/** What the account of a shopper who pays by a plan never covers. No other payment here is of so many cents. */
export const UNCOVERED = 1_055n;
export const isUncovered = ({ amount }: Pick<Payment, 'amount'>): boolean => amount === UNCOVERED;

/** At no instant may more be booked against a payment than it allows, not even what is about to be undone. */
function checkSums(sim: Sim, ledger: ReadonlyMap<string, Entry>, booked: Entry): void {
  if (booked.referencedId === null || ['PA', 'DB'].includes(booked.operation)) return;
  const named = entryOf(ledger, booked.referencedId);
  if (named?.state !== 'booked') {
    breaks(sim, 'I1', `the acquirer booked ${booked.operation} ${booked.id} on a payment that is not booked`);
    return;
  }
  const root = topOf(ledger, named);
  const children = [...ledger.values()].filter((entry) => entry.state === 'booked' && isBelow(ledger, entry, root));
  const sum = (operation: Operation) =>
    children.reduce((total, entry) => (entry.operation === operation ? total + entry.amount : total), 0n);
  const available = root.amount + sum('INC') - sum('RV');
  if (sum('CP') > available) breaks(sim, 'I1', `the acquirer captured ${sum('CP')} of ${available} for ${root.id}`);
  if (sum('RF') > available) breaks(sim, 'I2', `the acquirer refunded ${sum('RF')} of ${available} for ${root.id}`);
  if (available < 0n) breaks(sim, 'I1', `the acquirer reversed more of ${root.id} than there was`);
  const captures = children.filter(({ operation }) => operation === 'CP').length;
  if (captures > (root.numberOfCaptures ?? captures))
    breaks(sim, 'I1 captures', `the acquirer made ${captures} captures of ${root.id}`);
}

/** The entry of a payment by its id, at the account that took it. */
export function entryOf(ledger: ReadonlyMap<string, Entry>, paymentId: string): Entry | undefined {
  const entry = ledger.get(paymentId);
  return entry?.state === 'booked' ? entry : (ledger.get(acquirerKey({ id: paymentId, earlier: [null] })) ?? entry);
}

/** What is said of an increment is said of the authorisation it raised. */
function topOf(ledger: ReadonlyMap<string, Entry>, named: Entry): Entry {
  const raised = named.operation === 'INC' ? entryOf(ledger, named.referencedId ?? '') : undefined;
  return raised ?? named;
}

function isBelow(ledger: ReadonlyMap<string, Entry>, entry: Entry, root: Entry): boolean {
  const named = entry.referencedId === null ? undefined : entryOf(ledger, entry.referencedId);
  return named !== undefined && entry !== root && topOf(ledger, named) === root;
}
