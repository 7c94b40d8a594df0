import { table } from '../../src/payments/lifecycle.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { Connector, PendingSecrets, ThreeDSServer } from '../../src/payments/ports.ts';
import type { RiskEngine } from '../../src/risk/engine.ts';
import type { Habits } from './acquirer.ts';
import type { Store } from './chronicle.ts';
import type { DispatcherNeeds } from './dispatcher.ts';
import type { Busy } from './laxCheckouts.ts';
import type { EntryPoints } from './node.ts';
import * as checkouts from './plantedCheckouts.ts';
import * as connectors from './plantedConnectors.ts';
import * as entryPoints from './plantedEntryPoints.ts';
import * as hooks from './plantedHooks.ts';
import * as risk from './plantedRisk.ts';
import * as schedules from './plantedSchedules.ts';
import * as secure from './plantedSecure.ts';
import * as stored from './plantedStored.ts';
import type { Tools } from './plantedStores.ts';
import * as stores from './plantedStores.ts';

/** A bug put in from outside: the simulation must find it, or it would not find the like in the code. */
export type Planted = {
  readonly name: string;
  /** The invariants of which at least one must be seen broken: a bug found only by its side effects is not found. */
  readonly breaks: readonly string[];
  /** The real stores refuse it too: with one of them no money goes astray even so. */
  readonly isStopped?: true;
  /** Replaces the store on its own side of the wire; made anew for every life of a node. */
  readonly store?: (store: Store, tools: Tools) => Store;
  /** Replaces the store on the node's side of the wire. */
  readonly nearStore?: (store: Store, tools: Tools) => Store;
  readonly connector?: (connector: Connector, tools: Tools) => Connector;
  readonly habits?: Partial<Habits>;
  /** What the store lets be in the way of a payment of a checkout. */
  readonly busy?: Busy;
  readonly hasSweeper?: false;
  /** Replaces what is held in the memory of a node, and where it is judged. */
  readonly held?: (held: PendingSecrets) => PendingSecrets;
  readonly engine?: (engine: RiskEngine) => RiskEngine;
  readonly threeDS?: (server: ThreeDSServer) => ThreeDSServer;
  /** Replaces what the bank or the shopper comes to. */
  readonly entryPoints?: Partial<EntryPoints>;
  /** Replaces the dispatcher's ports. */
  readonly dispatcher?: (needs: DispatcherNeeds) => DispatcherNeeds;
  /** Changes a table of the production code; the answer puts it back. */
  readonly plant?: () => () => void;
};

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

const APPROVED = { at: 'final', code: '000.100.110' } as const;
const TIMED_OUT = { at: 'final', code: '100.396.103' } as const;
const DAY_MS = 86_400_000;
const FAILED = { at: 'final', code: '900.100.301' } as const;

/** The shopper's time is over, or it never is; nobody is asked to see to it that he cannot pay any more. */
const timesOut = (after: (until: number) => number) => () => {
  const overtime = ({ phase }: Payment, _event: unknown, now: number) => {
    if (phase.at !== 'shopper') return { phase };
    if (now >= after(phase.until)) return { phase: TIMED_OUT };
    return { phase: { ...phase, tries: phase.tries + 1, dueAt: Math.min(after(phase.until), now + 600_000) } };
  };
  const undoes = ['waiting', 'redirected', 'silence'].map((event) => arrow('shopper', event, overtime)());
  return () => {
    for (const undo of undoes) undo();
  };
};

/** One by one, each switched on alone in runs of its own. */
export const planted: readonly Planted[] = [
  {
    name: 'sums are decided on a family that has changed',
    breaks: ['I1', 'I2'],
    isStopped: true,
    store: stores.ignoringVersions,
  },
  { name: 'an answer is recorded although another node moved the payment before', breaks: ['I6'], store: stores.withoutFence },
  { name: 'idempotency keys are kept in the memory of each node', breaks: ['I3'], store: stores.keysInMemory },
  { name: 'the body of an idempotency key is not compared', breaks: ['I5'], store: stores.anyBody },
  { name: 'the intent is written after the call', breaks: ['I4'], store: stores.intentAfter },
  { name: 'a commit is acknowledged before it is durable', breaks: ['I5'], store: stores.acknowledgedTooEarly },
  { name: 'an event is dropped', breaks: ['I7'], store: stores.eventDropped },
  { name: 'every inquiry sends an event', breaks: ['W7'], nearStore: stores.eventPerInquiry },
  { name: 'the event is written after the commit', breaks: ['I7'], nearStore: stores.eventAfter },
  { name: 'the event is written before the commit', breaks: ['I7'], nearStore: stores.eventBefore },
  { name: 'a read ignores the merchant of the payment', breaks: ['I11'], store: stores.anybodys },
  { name: 'open captures do not count', breaks: ['I1'], isStopped: true, store: stores.forgetOpen('CP') },
  { name: 'open refunds do not count', breaks: ['I2'], isStopped: true, store: stores.forgetOpen('RF') },
  { name: 'open reversals do not count', breaks: ['I1', 'I2'], isStopped: true, store: stores.forgetOpen('RV') },
  { name: 'reversals of increments do not count', breaks: ['I1'], isStopped: true, store: stores.ownReversalsOnly },
  {
    name: 'increments count before they are approved',
    breaks: ['I1'],
    isStopped: true,
    store: stores.believeIncrements,
  },
  { name: 'FINAL is forgotten', breaks: ['I1 FINAL'], store: stores.forgetLast },
  { name: 'numberOfCaptures is forgotten', breaks: ['I1 captures'], store: stores.forgetNumberOfCaptures },
  { name: 'there is no sweeper', breaks: ['I4'], hasSweeper: false },
  { name: 'sweepers do not claim what they ask about', breaks: ['Q1'], store: stores.unclaimed },
  { name: 'the claims of a node that died never end', breaks: ['I4'], store: stores.claimedForever },
  { name: 'silence is called declined', breaks: ['I4'], connector: connectors.silenceMeansDeclined },
  { name: 'silence is called approved', breaks: ['I4'], connector: connectors.silenceMeansApproved },
  { name: 'a retry has a new id at the acquirer', breaks: ['I4'], connector: connectors.retryingAnew },
  { name: 'the sweeper sends again instead of asking', breaks: ['I3'], connector: connectors.sendingAgain },
  { name: 'a late approval is dropped', breaks: ['I4'], connector: connectors.droppingLateApproval },
  { name: 'cancelled is said before it is done', breaks: ['I4'], connector: connectors.cancelledTooEarly },
  { name: 'a cancellation does not last', breaks: ['I4'], habits: { cancelSticks: false } },
  { name: 'the acquirer is sent another amount', breaks: ['I4'], connector: connectors.roundingDown },
  { name: 'the answer of the acquirer brings the card number into the store', breaks: ['I12'], connector: connectors.echoing },
  {
    name: 'unknown at the acquirer is called failed at once',
    breaks: ['I4'],
    plant: arrow('doubt', 'absent', () => ({ phase: FAILED })),
  },
  { name: 'due times of a clock that was ahead are trusted', breaks: ['I4'], nearStore: stores.trustAnyClock },
  { name: 'silence is called failed at once', breaks: ['I4'], plant: arrow('acquirer', 'silence', () => ({ phase: FAILED })) },
  {
    name: 'an approval is accepted during the cancellation',
    breaks: ['I6'],
    plant: arrow('cancelling', 'approved', () => ({ phase: APPROVED })),
  },
  { name: 'a registration stays open when the sweeper ends its payment', breaks: ['S1'], nearStore: stored.leftOpenBySweeper },
  { name: 'a registration is active although its payment was declined', breaks: ['S1'], store: stored.activeThoughDeclined },
  { name: 'payment and registration are two commits', breaks: ['S1'], nearStore: stored.inTwoCommits },
  { name: 'the sealed number outlives the deletion', breaks: ['S2'], store: stored.secretsOutliveDeletion },
  { name: 'the sealed number outlives the decline', breaks: ['S2'], store: stored.secretsOutliveDecline },
  { name: 'the token of a scheme is of another card', breaks: ['S2'], connector: stored.tokenOfAnother },
  { name: 'a one-click payment uses an outdated registration', breaks: ['S3'], nearStore: stored.cached },
  { name: 'any merchant can charge a registration', breaks: ['I11'], store: stored.storedForAnybody },
  { name: 'used wallet tokens are kept in the memory of each node', breaks: ['S4'], store: stored.tokenUsesInMemory },
  { name: 'used wallet tokens are forgotten too early', breaks: ['S4'], store: stored.tokenUsesDeletedTooEarly },
  { name: 'the event of a registration is dropped', breaks: ['S5'], store: stored.eventDropped },
  { name: 'the end of a payment undoes the deletion', breaks: ['S6'], store: stored.settledOverDeletion },
  { name: 'an outdated registration is written over the deletion', breaks: ['S6'], store: stored.anyRevision },
  { name: 'a series is forgotten', breaks: ['S1'], store: stored.seriesForgotten },
  { name: 'a registration is deleted before it expires', breaks: ['S7'], nearStore: stored.outlivedTooEarly },
  { name: 'the shopper’s return counts as an approval', breaks: ['A2'], entryPoints: entryPoints.believingTheReturn },
  { name: 'a return without a decision is called failed', breaks: ['A3'], entryPoints: entryPoints.failingTheReturn },
  { name: 'an approval after the end is dropped', breaks: ['I4'], entryPoints: entryPoints.droppingTheLate },
  { name: 'the cancellation of a late approval is tried only once', breaks: ['I4'], entryPoints: entryPoints.takingBackOnce },
  { name: 'the time is over and the bank is not asked to cancel', breaks: ['A3'], plant: timesOut((until) => until) },
  { name: 'the time of a shopper is never over', breaks: ['A5'], plant: timesOut((until) => until + DAY_MS) },
  { name: 'two callbacks are two successes', breaks: ['A1'], entryPoints: entryPoints.bookingTwice },
  {
    name: 'a callback is accepted during the cancellation',
    breaks: ['I6'],
    entryPoints: entryPoints.believingWhileCancelling,
  },
  { name: 'the results of a challenge are not waited for', breaks: ['T1'], plant: secure.notWaitingForResults },
  { name: "the data of the cardholder's browser is trusted", breaks: ['T2'], plant: secure.believingTheBrowser },
  { name: 'failed results count as passed', breaks: ['T1'], plant: secure.anyResults },
  { name: 'a silent directory server means not enrolled', breaks: ['T2'], plant: secure.silenceMeansNotEnrolled },
  { name: 'a card without enrolment data is not authenticated', breaks: ['T1'], threeDS: secure.unknownMeansExempt },
  { name: 'the proof of another payment is sent', breaks: ['T1'], connector: secure.proofOfAnother },
  { name: 'the proof is not sent', breaks: ['T1'], connector: secure.withoutTheProof },
  { name: 'results are taken for those of the address they came to', breaks: ['T2'], entryPoints: secure.believingTheAddress },
  { name: 'the last results count', breaks: ['T2'], entryPoints: secure.believingTheLast },
  { name: 'late results reopen the payment', breaks: ['T2'], entryPoints: secure.wakingTheDead },
  { name: 'every results request asks the acquirer', breaks: ['I3'], entryPoints: secure.goingOnTwice },
  { name: 'the directory server is asked again', breaks: ['T3'], threeDS: secure.askingAgain },
  { name: 'a payment without its secrets is charged', breaks: ['T4'], entryPoints: secure.chargingTheLost },
  { name: 'the time of a challenge is never over', breaks: ['T5'], plant: secure.neverOver },
  {
    name: 'the security code waits in the store',
    breaks: ['T6'],
    held: secure.holdingTheCode,
    store: secure.writingTheCode,
  },
  { name: 'the proof is written down', breaks: ['T6'], connector: secure.notingTheProof, store: secure.writingTheProof },
  { name: 'two payments of a checkout are let in', breaks: ['I10'], busy: () => false },
  { name: 'an open payment does not block its checkout', breaks: ['I10'], busy: checkouts.approvedAlone },
  { name: 'a successful payment does not block its checkout', breaks: ['I10'], busy: checkouts.openAlone },
  { name: 'a redirected shopper does not block the checkout', breaks: ['I10'], busy: checkouts.nobodyElsewhere },
  { name: 'a declined payment blocks its checkout', breaks: ['C2'], busy: (others) => others.length > 0 },
  {
    name: 'checkouts are locked in the memory of each node',
    breaks: ['I10'],
    busy: () => false,
    store: checkouts.busyInMemory,
  },
  {
    name: 'a checkout is read before it is written, without a lock',
    breaks: ['I10'],
    busy: () => false,
    store: checkouts.lookingFirst,
  },
  { name: 'a pending payment of a checkout is tried again', breaks: ['I10'], entryPoints: checkouts.retryingThePending },
  {
    name: 'a payment of a checkout is abandoned without a cancellation',
    breaks: ['A3'],
    entryPoints: checkouts.abandoningSilently,
  },
  { name: 'the browser says what is paid', breaks: ['C1'], entryPoints: checkouts.believingTheBrowser },
  { name: 'idempotency keys of checkouts are kept in the memory of each node', breaks: ['I3'], store: checkouts.keysInMemory },
  { name: 'a claimed schedule is charged although it has changed', breaks: ['I9'], store: schedules.believingTheClaim },
  { name: 'the next instant of a schedule is a commit of its own', breaks: ['I9'], nearStore: schedules.nextInstantLater },
  { name: 'skipped runs of a schedule are not recorded', breaks: ['I9'], store: schedules.skipsForgotten },
  { name: 'a change of a schedule forgets what was due', breaks: ['I9'], nearStore: schedules.changedFromNow },
  { name: 'schedules that a clock ahead has dated are trusted', breaks: ['I9'], nearStore: stores.trustAnyClockOfSchedules },
  { name: 'a retry of a schedule counts twice', breaks: ['P3'], store: schedules.countedTwice },
  { name: 'retries of a schedule do not count', breaks: ['P3'], store: schedules.neverCounted },
  { name: 'a schedule goes on after its end', breaks: ['P2'], store: schedules.endForgotten },
  { name: 'the notice of a schedule is not kept', breaks: ['P4'], store: schedules.withoutNotice },
  { name: 'the merchant filter of schedules is inverted', breaks: ['I9'], store: schedules.merchantsMixedUp },
  { name: 'events count as delivered before they are', breaks: ['I8'], nearStore: hooks.settledBefore },
  { name: 'the order of events is not kept', breaks: ['W2'], store: hooks.withoutOrder },
  { name: 'events of a registration are ordered by their transactions', breaks: ['W2'], store: hooks.orderedByTransaction },
  { name: 'a retry has another id', breaks: ['W1'], nearStore: hooks.otherIdAgain },
  { name: 'events are fanned out twice', breaks: ['W6'], store: hooks.fannedOutTwice },
  { name: 'the merchant filter of events is inverted', breaks: ['I8'], store: hooks.merchantsMixedUp },
  { name: 'any answer counts as delivered', breaks: ['I8'], store: hooks.anyAnswer },
  { name: 'the new key signs alone', breaks: ['W3'], dispatcher: hooks.newKeyAlone },
  { name: 'one failing endpoint blocks all others', breaks: ['W4'], dispatcher: hooks.oneQueue },
  { name: 'an endpoint that has unsubscribed still gets events', breaks: ['W5'], store: hooks.goneForgotten },
  { name: 'every endpoint gets the events of all merchants', breaks: ['I11'], dispatcher: hooks.sentToEveryEndpoint },
  { name: 'an endpoint that fails for days is never paused', breaks: ['W5'], store: hooks.neverPaused },
  {
    name: 'another account is asked after silence',
    breaks: ['F2'],
    connector: connectors.fallingBackAfterSilence,
  },
  { name: 'a refusal that is told before its answer ends the payment', breaks: ['F3'], store: stores.forgetOthers },
  { name: 'a late approval of the first account is dropped', breaks: ['F2'], connector: connectors.deafAfterFallback },
  { name: 'the second account is sent the key of the first', breaks: ['F2'], connector: connectors.sameKeyAtSecond },
  { name: 'a decline of the rules is overruled', breaks: ['R2'], engine: risk.overruling },
  { name: 'a payment that the rules declined goes on', breaks: ['R1'], store: risk.goingOnAllTheSame },
  { name: 'the verdict is committed later', breaks: ['R2'], store: risk.verdictLater },
  { name: 'the verdict is forgotten', breaks: ['R2'], store: risk.verdictForgotten },
  { name: 'the velocity counters count twice', breaks: ['R3'], engine: risk.tellingTwice },
  { name: 'the velocity counters count approvals only', breaks: ['R3'], engine: risk.tellingHalf },
];
