import { table } from '../../src/payments/lifecycle.ts';
import type { Answer, Commit, Connector, PaymentStore, Timers } from '../../src/payments/needs.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import type { Habits } from './acquirer.ts';
import { bound, type Outgoing } from './chronicle.ts';
import { isOver, type Life, operationOf } from './machine.ts';
import { channels } from './shops.ts';
import type { Sim } from './sim.ts';

export type Tools = {
  readonly sim: Sim;
  readonly life: Life;
  readonly timers: Timers;
  /** Writes a message into the outbox, beside any commit. */
  post(message: Outgoing): void;
};

/** A bug put in from outside: the simulation must find it, or it would not find the like in the code. */
export type Planted = {
  readonly name: string;
  /** The invariants that must be seen broken, one of them at least. I0 is an alarm of the code itself: it stopped, nothing was lost. */
  readonly breaks: readonly string[];
  /** The real stores refuse it too: with one of them no money goes astray even so. */
  readonly isStopped?: true;
  /** Replaces the store on its own side of the wire; made anew for every life of a node. */
  readonly store?: (store: PaymentStore, tools: Tools) => PaymentStore;
  /** Replaces the store on the node's side of the wire. */
  readonly nearStore?: (store: PaymentStore, tools: Tools) => PaymentStore;
  readonly connector?: (connector: Connector, tools: Tools) => Connector;
  readonly habits?: Partial<Habits>;
  readonly hasSweeper?: false;
  /** Changes a table of the production code; the answer puts it back. */
  readonly plant?: () => () => void;
};

type Committer = (change: Commit, keep: PaymentStore['commit'], store: PaymentStore) => ReturnType<PaymentStore['commit']>;

const committing = (commit: Committer) => (store: PaymentStore) => ({
  ...bound(store),
  commit: (change: Commit) => commit(change, (kept) => store.commit(kept), store),
});

/** A family that is read otherwise than it is, but for the payment that is being driven: whoever drives it finds it as it is. */
const reading = (see: (payment: Payment) => Payment | null) => (store: PaymentStore) => ({
  ...bound(store),
  family: async (merchantId: string, paymentId: string) => {
    const family = await store.family(merchantId, paymentId);
    const seen = (payment: Payment) => (payment.id === paymentId && isOpen(payment) ? payment : see(payment));
    return family && { ...family, payments: family.payments.map(seen).filter((payment) => payment !== null) };
  },
});

const forgetOpen = (operation: string) =>
  reading((payment) => (isOpen(payment) && operationOf(payment) === operation ? null : payment));

const silent =
  (answer: Answer) =>
  (connector: Connector, { timers }: Tools) => ({
    ...connector,
    send: (attempt: Parameters<Connector['send']>[0]) =>
      timers.within(connector.answerMsMax - 1_000, connector.send(attempt)).catch(() => answer),
  });

type Arrows = Record<string, unknown>;

const arrow = (at: keyof typeof table, event: string, replacement: unknown) => () => {
  const arrows = table[at] as Arrows;
  const before = arrows[event];
  arrows[event] = replacement;
  return () => {
    if (before === undefined) delete arrows[event];
    else arrows[event] = before;
  };
};

const DECLINED = { is: 'declined', code: '900.100.300', details: {} } as const;
const APPROVED = { at: 'final', code: '000.100.110' } as const;
const FAILED = { at: 'final', code: '900.100.301' } as const;

export const planted: readonly Planted[] = [
  {
    name: 'sums are decided on a family that has moved on',
    breaks: ['I1', 'I2'],
    isStopped: true,
    store: committing(ignoringVersions),
  },
  { name: 'an answer is recorded whoever moved the payment before', breaks: ['I6'], store: committing(withoutFence) },
  { name: 'keys are kept in the memory of each node', breaks: ['I3'], store: keysInMemory },
  { name: 'the body of a key is not compared', breaks: ['I5'], store: committing(anyBody) },
  { name: 'the intent is written after the call', breaks: ['I4'], store: intentAfter },
  {
    name: 'a commit is acknowledged before it is durable',
    breaks: ['I5'],
    store: (store, { sim }) => acknowledgedTooEarly(store, sim),
  },
  {
    name: 'a message is dropped',
    breaks: ['I7'],
    store: committing((change, keep) => keep(change.payment.revision > 2 ? unheard(change) : change)),
  },
  { name: 'the message is written after the commit', breaks: ['I7'], nearStore: messageAfter },
  { name: 'the message is written before the commit', breaks: ['I7'], nearStore: messageBefore },
  { name: 'the reader does not ask whose payment it is', breaks: ['I11'], store: anybodys },
  { name: 'open captures do not count', breaks: ['I1'], isStopped: true, store: forgetOpen('CP') },
  { name: 'open refunds do not count', breaks: ['I2'], isStopped: true, store: forgetOpen('RF') },
  { name: 'open reversals do not count', breaks: ['I1', 'I2'], isStopped: true, store: forgetOpen('RV') },
  { name: 'reversals of increments do not count', breaks: ['I1'], isStopped: true, store: ownReversalsOnly },
  {
    name: 'increments count before they are approved',
    breaks: ['I1'],
    isStopped: true,
    store: reading((one) => (isOpenIncrement(one) ? { ...one, phase: APPROVED } : one)),
  },
  { name: 'FINAL is forgotten', breaks: ['I1'], store: reading((payment) => ({ ...payment, isLast: false })) },
  {
    name: 'numberOfCaptures is forgotten',
    breaks: ['I1'],
    store: reading((payment) => ({ ...payment, numberOfCaptures: null })),
  },
  { name: 'there is no sweeper', breaks: ['I4'], hasSweeper: false },
  { name: 'silence is called declined', breaks: ['I4'], connector: silent(DECLINED) },
  { name: 'silence is called approved', breaks: ['I4'], connector: silent({ is: 'approved', details: {} }) },
  { name: 'a retry has a new id at the acquirer', breaks: ['I4'], connector: retryingAnew },
  { name: 'the sweeper sends again instead of asking', breaks: ['I3'], connector: sendingAgain },
  {
    name: 'a late approval is dropped',
    breaks: ['I4'],
    connector: (connector) => ({ ...connector, inquire: async (one) => noFor(await connector.inquire(one)) }),
  },
  {
    name: 'cancelled is said before it is done',
    breaks: ['I4'],
    connector: (connector) => ({ ...connector, cancel: async () => ({ is: 'cancelled' }) }),
  },
  { name: 'a cancellation does not last', breaks: ['I4'], habits: { cancelSticks: false } },
  { name: 'the acquirer is sent another amount', breaks: ['I4'], connector: roundingDown },
  { name: 'the answer of the acquirer brings the card number into the store', breaks: ['I12'], connector: echoing },
  {
    name: 'unknown at the acquirer is called failed at once',
    breaks: ['I4'],
    plant: arrow('doubt', 'absent', () => ({ phase: FAILED })),
  },
  { name: 'silence is called failed at once', breaks: ['I4'], plant: arrow('acquirer', 'silence', () => ({ phase: FAILED })) },
  {
    name: 'an approval is believed during the cancellation',
    breaks: ['I6'],
    plant: arrow('cancelling', 'approved', () => ({ phase: APPROVED })),
  },
];

/** What the simulation found in the code itself: an increment could be captured and then reversed. */
function ownReversalsOnly(store: PaymentStore): PaymentStore {
  return {
    ...bound(store),
    async family(merchantId, paymentId) {
      const family = await store.family(merchantId, paymentId);
      const increments = new Set(family?.payments.filter((one) => operationOf(one) === 'INC').map(({ id }) => id));
      const isHidden = ({ id, referencedId }: Payment) => id !== paymentId && increments.has(referencedId ?? '');
      // Seen from the increment itself, nothing was ever captured of it.
      const isCapture = (one: Payment) => increments.has(paymentId) && one.paymentType === 'CP';
      return family && { ...family, payments: family.payments.filter((one) => !isHidden(one) && !isCapture(one)) };
    },
  };
}

function isOpenIncrement(payment: Payment): boolean {
  return isOpen(payment) && operationOf(payment) === 'INC';
}

async function ignoringVersions(...[change, keep, store]: Parameters<Committer>) {
  const outcome = await keep(change);
  if (outcome.is !== 'moved' || change.payment.revision > 1) return outcome;
  const family = await store.family(change.payment.merchantId, change.payment.familyId);
  return keep({ ...change, version: family?.version ?? 0 });
}

async function withoutFence(...[change, keep, store]: Parameters<Committer>) {
  const outcome = await keep(change);
  const { payment } = change;
  if (outcome.is !== 'moved' || payment.revision === 1) return outcome;
  const family = await store.family(payment.merchantId, payment.id);
  const current = family?.payments.find(({ id }) => id === payment.id);
  return keep({ ...change, version: family?.version ?? 0, payment: { ...payment, revision: (current?.revision ?? 0) + 1 } });
}

function keysInMemory(store: PaymentStore): PaymentStore {
  const claims = new Map<string, { readonly paymentId: string; readonly bodyHash: string }>();
  return {
    ...bound(store),
    async commit(change) {
      const { claim, payment } = change;
      if (!claim) return store.commit(change);
      const name = `${claim.entityId} ${claim.key}`;
      const claimed = claims.get(name);
      if (claimed) return { is: 'claimed', ...claimed };
      const outcome = await store.commit({ ...change, claim: null });
      if (outcome.is === 'kept') claims.set(name, { paymentId: payment.id, bodyHash: claim.bodyHash });
      return outcome;
    },
  };
}

async function anyBody(...[change, keep]: Parameters<Committer>) {
  const outcome = await keep(change);
  return outcome.is === 'claimed' ? { ...outcome, bodyHash: change.claim?.bodyHash ?? '' } : outcome;
}

function intentAfter(store: PaymentStore): PaymentStore {
  const held = new Map<string, Commit>();
  return {
    ...bound(store),
    async commit(change) {
      const { payment } = change;
      const intent = held.get(payment.id);
      if (payment.revision === 1 && isOpen(payment)) {
        held.set(payment.id, change);
        return { is: 'kept' };
      }
      if (!intent) return store.commit(change);
      held.delete(payment.id);
      return store.commit({ ...intent, payment: { ...payment, revision: 1 }, message: change.message });
    },
  };
}

function acknowledgedTooEarly(store: PaymentStore, sim: Sim): PaymentStore {
  return committing(async (change, keep) => (!sim.isHealed && sim.chance.hits(0.03) ? { is: 'kept' } : keep(change)))(store);
}

/** What the type does not allow: a commit without its message. */
const unheard = (change: Commit): Commit => ({ ...change, message: null as unknown as Commit['message'] });

const outgoing = ({ payment, message }: Commit) => ({ ...message, paymentId: payment.id, revision: payment.revision });

function messageAfter(store: PaymentStore, { sim, life, post }: Tools): PaymentStore {
  return committing(async (change, keep) => {
    const outcome = await keep(unheard(change));
    if (outcome.is !== 'kept') return outcome;
    await sim.scheduler.sleep(20);
    if (!isOver(life)) post(outgoing(change));
    return outcome;
  })(store);
}

function messageBefore(store: PaymentStore, { post }: Tools): PaymentStore {
  return committing((change, keep) => {
    post(outgoing(change));
    return keep(unheard(change));
  })(store);
}

function anybodys(store: PaymentStore): PaymentStore {
  const merchants = [...new Set(channels.map(({ merchantId }) => merchantId))];
  const first = async <T>(read: (merchantId: string) => Promise<T | null>): Promise<T | null> => {
    for (const merchantId of merchants) {
      const found = await read(merchantId);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    ...bound(store),
    family: (_merchantId, paymentId) => first((merchantId) => store.family(merchantId, paymentId)),
    payment: (_merchantId, paymentId) => first((merchantId) => store.payment(merchantId, paymentId)),
  };
}

function retryingAnew(connector: Connector, { timers }: Tools): Connector {
  return {
    ...connector,
    send: (attempt) =>
      timers.within(connector.answerMsMax / 3, connector.send(attempt)).catch(() => {
        const { payment } = attempt;
        return connector.send({ ...attempt, payment: { ...payment, id: `${payment.id.slice(0, -1)}~` } });
      }),
  };
}

function sendingAgain(connector: Connector): Connector {
  return { ...connector, inquire: (payment) => connector.send({ payment, secrets: {}, referenced: null }) };
}

const noFor = (answer: Answer): Answer => (answer.is === 'approved' ? DECLINED : answer);

function roundingDown(connector: Connector): Connector {
  const rounded = (payment: Payment): Payment => ({ ...payment, amount: (payment.amount / 100n) * 100n });
  return { ...connector, send: (attempt) => connector.send({ ...attempt, payment: rounded(attempt.payment) }) };
}

function echoing(connector: Connector): Connector {
  return {
    ...connector,
    async send(attempt) {
      const answer = await connector.send(attempt);
      const { number } = attempt.secrets;
      return answer?.is === 'approved' && number ? { ...answer, details: { resultDetails: { number } } } : answer;
    },
  };
}
