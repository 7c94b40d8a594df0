import type { Payment } from '../../src/payments/payment.ts';
import type { Attempt, Commit, CommitOutcome } from '../../src/payments/ports.ts';
import type { RiskEngine } from '../../src/risk/engine.ts';
import type { RiskFacts } from '../../src/risk/facts.ts';
import type { Issuer } from './issuer.ts';
import type { Life } from './machine.ts';
import { channelOf } from './shops.ts';
import { breaks, type Sim } from './sim.ts';

/** What was seen of the risk checks: what they said, what became of it, and what the windows were told. */
export type RiskWatch = {
  /** The risk engine of one life of a node, observed. */
  engine(life: Life, engine: RiskEngine): RiskEngine;
  /** A commit was kept by the store. */
  kept(payment: Payment): void;
  /** The outcome of a commit has reached the life that sent it. */
  heard(life: Life, change: Commit, outcome: CommitOutcome): void;
  asked(attempt: Attempt): void;
  check(issuer: Issuer): void;
};

const JUDGED: readonly string[] = ['PA', 'DB', 'RG'];
/** Ends that say nothing about the card, and book nothing: the shopper left, nobody answered, or the account is wrongly set up. */
const SAYS_NOTHING = /^(?:100\.396\.|900\.|800\.120\.100|000\.400\.10[347]|100\.390\.(?:105|106|108|111|112|116)$|800\.100\.190)/;
/** The store kept nothing, and the request ends: the attempt that was judged has no payment. */
const UNKEPT: readonly CommitOutcome['is'][] = ['busy', 'tokenUsed', 'keyUsed'];

const nameOf = (life: Life) => `${life.machine.name}.${life.epoch}`;

/** Attempts have no names: this is as near as the facts come to one. */
const keyOf = (life: Life, { entityId, merchantTransactionId, now, amount }: RiskFacts) =>
  [nameOf(life), entityId, merchantTransactionId, now, amount].join(' ');

const keyOfPayment = (life: Life, { entityId, merchantTransactionId, createdAt, amount }: Payment) =>
  [nameOf(life), entityId, merchantTransactionId, createdAt, amount].join(' ');

type Ordered = Pick<Payment, 'entityId' | 'merchantTransactionId' | 'amount'>;

/** Without the time: what is decided anew, because something has moved, is told with the facts on which it was judged. */
const orderOf = (life: Life, { entityId, merchantTransactionId, amount }: Ordered) =>
  [nameOf(life), entityId, merchantTransactionId, amount].join(' ');

/**
 * R1: what the rules declined is final in its first commit, and nobody is ever asked about it. R2: the verdict is in the first commit
 * and stays what it was. R3: the process that wrote down the end of a payment tells its windows once what it was, and nobody twice.
 */
export function createRiskWatch(sim: Sim): RiskWatch {
  const verdicts = new Map<string, Payment['risk']>();
  const declined = new Set<string>();
  const given = new Map<string, string[]>();
  const told = new Map<string, string[]>();
  const due = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, key: string, what: string) => to.set(key, [...(to.get(key) ?? []), what]);
  return {
    engine: (life, engine) => ({
      lookups: engine.lookups,
      async evaluate(facts, settings, as) {
        const assessment = await engine.evaluate(facts, settings, as);
        add(given, keyOf(life, facts), assessment?.verdict.is ?? 'nothing');
        return assessment;
      },
      record(facts, settings, is) {
        add(told, orderOf(life, facts), is);
        return engine.record(facts, settings, is);
      },
      unchallenged: (settings) => engine.unchallenged(settings),
    }),
    kept(payment) {
      checkVerdict(sim, payment, verdicts);
      verdicts.set(payment.id, payment.risk);
      if (payment.risk?.verdict.is !== 'decline') return;
      if (!declined.has(payment.id)) sim.tally.hit('risk: declines', payment.paymentType as 'PA' | 'DB' | 'RG');
      declined.add(payment.id);
    },
    heard(life, { payment, schedule }, outcome) {
      const isUnkept = UNKEPT.includes(outcome.is) || (outcome.is === 'moved' && schedule !== null);
      const isLetThrough = payment.risk !== null && payment.risk.verdict.is !== 'decline';
      if (isUnkept && payment.revision === 1 && isLetThrough) add(due, orderOf(life, payment), 'unbooked');
      if (outcome.is !== 'kept') return;
      const verdict = payment.risk?.verdict.is ?? 'nothing';
      const said = payment.revision === 1 ? given.get(keyOfPayment(life, payment)) : undefined;
      if (said && !said.includes(verdict))
        breaks(sim, 'R2', `${payment.id} says ${verdict}, and its judge said ${said.join(', ')}`);
      const what = outcomeOf(payment);
      if (what) add(due, orderOf(life, payment), what);
    },
    asked({ payment }) {
      if (declined.has(payment.id) || payment.risk?.verdict.is === 'decline')
        breaks(sim, 'R1', `${payment.id} was declined by the rules and the acquirer is asked`);
    },
    check(issuer) {
      for (const id of declined) {
        if (issuer.book.has(id)) breaks(sim, 'R1', `${id} was declined by the rules and its issuer was asked`);
      }
      for (const key of new Set([...told.keys(), ...due.keys()])) {
        const [was, should] = [told.get(key) ?? [], due.get(key) ?? []].map((list) => [...list].sort().join(', '));
        if (was !== should) breaks(sim, 'R3', `the windows were told "${was}" instead of "${should}" of ${key}`);
        if (was) sim.tally.hit('risk: the windows are told', 'secure');
      }
    },
  };
}

/** R1, R2 */
function checkVerdict(sim: Sim, payment: Payment, verdicts: ReadonlyMap<string, Payment['risk']>): void {
  const { id, revision, risk, phase, paymentType, referencedId, entityId } = payment;
  const isJudged = JUDGED.includes(paymentType) && referencedId === null && channelOf(entityId)?.risk.mode !== 'off';
  if (revision === 1 && isJudged && phase.at !== 'final' && risk === null) breaks(sim, 'R2', `${id} was not judged`);
  const before = verdicts.get(id) ?? null;
  if (revision > 1 && before !== risk && JSON.stringify(before) !== JSON.stringify(risk))
    breaks(sim, 'R2', `the verdict about ${id} has changed`);
  if (risk?.verdict.is === 'decline' && (phase.at !== 'final' || phase.code !== risk.verdict.code))
    breaks(sim, 'R1', `${id} was declined by the rules and is ${phase.at}`);
}

/** Written from what the windows want to know, not from the code: the word of the far side about an attempt that was let through. */
function outcomeOf({ phase, risk }: Payment): string | null {
  if (phase.at !== 'final' || risk === null || risk.verdict.is === 'decline') return null;
  if (phase.code.startsWith('000.')) return 'approved';
  return SAYS_NOTHING.test(phase.code) ? 'unbooked' : 'declined';
}
