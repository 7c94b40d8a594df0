import { onAuthenticated, onThreeDSResults } from '../../src/payments/callbacks.ts';
import { record } from '../../src/payments/drive.ts';
import type { Payment, PaymentRef } from '../../src/payments/payment.ts';
import type { Attempt, Connector, PendingSecrets, ThreeDSServer, World } from '../../src/payments/ports.ts';
import { type Authentication, type AuthenticationEvent, lifecycle } from '../../src/threeds/authentication.ts';
import type { RReq } from '../../src/threeds/messages/message.ts';
import { type Outcome, outcomeWithoutMessage } from '../../src/threeds/outcome.ts';
import type { EntryPoints } from './node.ts';
import { committing, type Tools } from './plantedStores.ts';
import type { Sim } from './sim.ts';

/** Bugs around the authentication of cardholders, put in from outside like those of plantedStores.ts. */

type Arrow = (authentication: Authentication, event: AuthenticationEvent, now: number) => object | null;

/** Puts an arrow into the table of authentications; the answer puts back what was there. */
const arrow = (at: keyof typeof lifecycle, event: AuthenticationEvent['is'], replacement: Arrow) => () => {
  const arrows = lifecycle[at] as Record<string, unknown>;
  const before = arrows[event];
  arrows[event] = replacement;
  return () => {
    if (before === undefined) delete arrows[event];
    else arrows[event] = before;
  };
};

/** An end that lets the payment go on without a proof. */
const NOTED: Outcome = { ...outcomeWithoutMessage('informational'), transStatus: 'I', flow: 'challenge' };
const over = (outcome: Outcome) => ({ phase: { at: 'done', outcome } });

export const notWaitingForResults = arrow('challenge', 'returned', () => over(NOTED));

export const believingTheBrowser = arrow('challenge', 'returned', (_authentication, event) => {
  const isYes = event.is === 'returned' && event.cres?.transStatus === 'Y';
  return isYes ? over(NOTED) : over({ ...outcomeWithoutMessage('failed'), transStatus: 'N' });
});

export const silenceMeansNotEnrolled = arrow('asking', 'unreachable', () => over(outcomeWithoutMessage('notEnrolled')));

export const neverOver = arrow('challenge', 'elapsed', ({ phase }, _event, now) => ({
  phase: { ...phase, dueAt: now + 600_000 },
}));

/** Whatever the results say, some were sent. */
export const anyResults = arrow('challenge', 'results', (_authentication, event) => {
  if (event.is !== 'results') return null;
  const { transStatus, transStatusReason = null } = event.rreq;
  const noted = { ...NOTED, transStatus, transStatusReason };
  return { ...over(transStatus === 'N' ? noted : { ...noted, kind: 'failed' }), hasResults: true };
});

async function find({ store }: World, { merchantId, paymentId }: PaymentRef) {
  const family = await store.family(merchantId, paymentId);
  const payment = family?.payments.find(({ id }) => id === paymentId);
  return family && payment ? { payment, version: family.version } : null;
}

/** Results are believed although the authentication was over. */
const believing = (isWanted: (payment: Payment, rreq: RReq) => boolean): Partial<EntryPoints> => ({
  async onThreeDSResults(world, named, json) {
    const found = await find(world, named);
    const { threeDS, phase } = found?.payment ?? {};
    const rreq = json as RReq;
    if (!found || threeDS?.state.phase.at !== 'done' || !isWanted(found.payment, rreq))
      return onThreeDSResults(world, named, json);
    const { transStatus, transStatusReason = null } = rreq;
    const kind = transStatus === 'Y' ? 'authenticated' : 'failed';
    const outcome: Outcome = { ...threeDS.state.phase.outcome, kind, transStatus, transStatusReason };
    const state: Authentication = { ...threeDS.state, phase: { at: 'done', outcome } };
    const { payment } = found;
    const due = { at: 'authentication', dueAt: world.clock.now() } as const;
    const again = { ...payment, threeDS: { ...threeDS, state }, revision: payment.revision + 1 };
    await record(world, found, { ...again, phase: phase?.at === 'final' ? due : payment.phase });
    return onThreeDSResults(world, named, json);
  },
});

const hasResults = ({ threeDS }: Payment): boolean => threeDS?.state.hasResults === true;

export const wakingTheDead = believing(
  (payment, { transStatus }) => payment.phase.at === 'final' && !hasResults(payment) && transStatus === 'Y',
);
export const believingTheLast = believing((payment) => hasResults(payment));

/** Results are taken for those of the payment in whose address they were posted. */
export const believingTheAddress: Partial<EntryPoints> = {
  async onThreeDSResults(world, named, json) {
    const state = (await find(world, named))?.payment.threeDS?.state;
    const { threeDSServerTransID, acsTransID, dsTransID } = state ?? {};
    return onThreeDSResults(world, named, state ? { ...(json as RReq), threeDSServerTransID, acsTransID, dsTransID } : json);
  },
};

const send = (world: World, attempt: Attempt): Promise<unknown> =>
  world
    .connector(attempt.payment.connector, attempt.payment.entityId)
    ?.send(attempt)
    .catch(() => null) ?? Promise.resolve(null);

/** Every results request that is taken asks for the money, and the loop does too. */
export const goingOnTwice: Partial<EntryPoints> = {
  async onThreeDSResults(world, named, json) {
    const attempt = world.pendingSecrets.get(named.paymentId);
    const reply = await onThreeDSResults(world, named, json);
    const isTaken = (reply as { readonly messageType?: string }).messageType === 'RRes';
    const payment = attempt && isTaken ? (await find(world, named))?.payment : undefined;
    if (attempt && payment && payment.phase.at !== 'authentication') await send(world, { ...attempt, payment });
    return reply;
  },
};

/** The process that held the secrets is gone, and what is left is charged. */
export const chargingTheLost: Partial<EntryPoints> = {
  async authenticated(world, named, event) {
    const payment = await onAuthenticated(world, named, event);
    const isLost = payment?.phase.at === 'final' && payment.phase.code === '800.400.200';
    if (isLost) await send(world, { payment, secrets: {}, referenced: null, registration: null, series: null });
    return payment;
  },
};

const latest = new WeakMap<Sim, string>();

/** The proof that came last is sent, also for another payment. */
export const proofOfAnother = (connector: Connector, { sim }: Tools): Connector => ({
  ...connector,
  send(attempt) {
    const { verificationId: own } = attempt.secrets;
    if (own === undefined) return connector.send(attempt);
    const verificationId = latest.get(sim) ?? own;
    latest.set(sim, own);
    return connector.send({ ...attempt, secrets: { ...attempt.secrets, verificationId } });
  },
});

export const withoutTheProof = (connector: Connector): Connector => ({
  ...connector,
  send(attempt) {
    const { verificationId, ...secrets } = attempt.secrets;
    return connector.send({ ...attempt, secrets: attempt.payment.threeDS ? secrets : attempt.secrets });
  },
});

/** What must not be written down, by the payment it is of. Payments of different runs have different names. */
const codes = new Map<string, string>();
const proofs = new Map<string, string>();

const writing = (name: string, kept: ReadonlyMap<string, string>) =>
  committing((change, keep) => {
    const { payment } = change;
    const text = kept.get(payment.id);
    return keep(
      text === undefined ? change : { ...change, payment: { ...payment, fields: { ...payment.fields, [name]: text } } },
    );
  });

/** The security code is kept until the cardholder is back. */
export const holdingTheCode = (held: PendingSecrets): PendingSecrets => ({
  ...held,
  put(paymentId, attempt, until) {
    if (attempt.secrets.cvv !== undefined) codes.set(paymentId, attempt.secrets.cvv);
    held.put(paymentId, attempt, until);
  },
});
export const writingTheCode = writing('card.check', codes);

export const notingTheProof = (connector: Connector): Connector => ({
  ...connector,
  send(attempt) {
    const { verificationId } = attempt.secrets;
    if (verificationId !== undefined && attempt.payment.threeDS) proofs.set(attempt.payment.id, verificationId);
    return connector.send(attempt);
  },
});
export const writingTheProof = writing('threeDSecure.proof', proofs);

type Wrap = (server: ThreeDSServer) => ThreeDSServer;

/** A directory server that does not answer is asked once more. */
export const askingAgain: Wrap = (server) => ({
  ...server,
  directory(origin) {
    const directory = server.directory(origin);
    const { authenticate } = directory;
    return {
      ...directory,
      authenticate: (areq, network) => authenticate(areq, network).catch(() => authenticate(areq, network)),
    };
  },
});

/** A card of which nothing can be found out is one of which nothing is asked. */
export const unknownMeansExempt: Wrap = (server) => ({
  ...server,
  directory(origin) {
    const directory = server.directory(origin);
    return { ...directory, versions: (enquiry) => Promise.resolve(directory.versions(enquiry)).catch(() => ({ is: 'exempt' })) };
  },
});
