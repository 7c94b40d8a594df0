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
  /** Replaces what news are told with. */
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
    name: 'sums are decided on a family that has moved on',
    breaks: ['I1', 'I2'],
    isStopped: true,
    store: stores.ignoringVersions,
  },
  { name: 'an answer is recorded whoever moved the payment before', breaks: ['I6'], store: stores.withoutFence },
  { name: 'keys are kept in the memory of each node', breaks: ['I3'], store: stores.keysInMemory },
  { name: 'the body of a key is not compared', breaks: ['I5'], store: stores.anyBody },
  { name: 'the intent is written after the call', breaks: ['I4'], store: stores.intentAfter },
  { name: 'a commit is acknowledged before it is durable', breaks: ['I5'], store: stores.acknowledgedTooEarly },
  { name: 'a message is dropped', breaks: ['I7'], store: stores.eventDropped },
  { name: 'the message is written after the commit', breaks: ['I7'], nearStore: stores.eventAfter },
  { name: 'the message is written before the commit', breaks: ['I7'], nearStore: stores.eventBefore },
  { name: 'the reader does not ask whose payment it is', breaks: ['I11'], store: stores.anybodys },
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
  { name: 'the dates of a clock that was ahead are believed', breaks: ['I4'], nearStore: stores.trustAnyClock },
  { name: 'silence is called failed at once', breaks: ['I4'], plant: arrow('acquirer', 'silence', () => ({ phase: FAILED })) },
  {
    name: 'an approval is believed during the cancellation',
    breaks: ['I6'],
    plant: arrow('cancelling', 'approved', () => ({ phase: APPROVED })),
  },
  { name: 'a registration stays open when the sweeper ends its payment', breaks: ['S1'], nearStore: stored.leftOpenBySweeper },
  { name: 'a registration is active although its payment was declined', breaks: ['S1'], store: stored.activeThoughDeclined },
  { name: 'payment and registration are two commits', breaks: ['S1'], nearStore: stored.inTwoCommits },
  { name: 'the sealed number outlives the deletion', breaks: ['S2'], store: stored.secretsOutliveDeletion },
  { name: 'the sealed number outlives the decline', breaks: ['S2'], store: stored.secretsOutliveDecline },
  { name: 'the token of a scheme is of another card', breaks: ['S2'], connector: stored.tokenOfAnother },
  { name: 'a one-click payment believes an old reading', breaks: ['S3'], nearStore: stored.cached },
  { name: 'anybody can charge what somebody stored', breaks: ['I11'], store: stored.storedForAnybody },
  { name: 'used wallet tokens are kept in the memory of each node', breaks: ['S4'], store: stored.tokenUsesInMemory },
  { name: 'used wallet tokens are forgotten too early', breaks: ['S4'], store: stored.tokenUsesDeletedTooEarly },
  { name: 'the news of a registration is dropped', breaks: ['S5'], store: stored.eventDropped },
  { name: 'the end of a payment undoes the deletion', breaks: ['S6'], store: stored.settledOverDeletion },
  { name: 'an old reading is written over the deletion', breaks: ['S6'], store: stored.anyRevision },
  { name: 'a series is forgotten', breaks: ['S1'], store: stored.seriesForgotten },
  { name: 'what is stored is deleted before its time', breaks: ['S7'], nearStore: stored.outlivedTooEarly },
  { name: 'the return is believed', breaks: ['A2'], entryPoints: entryPoints.believingTheReturn },
  { name: 'a return without news is called failed', breaks: ['A3'], entryPoints: entryPoints.failingTheReturn },
  { name: 'an approval after the end is dropped', breaks: ['I4'], entryPoints: entryPoints.droppingTheLate },
  { name: 'an approval after the end is tried to be taken back once', breaks: ['I4'], entryPoints: entryPoints.takingBackOnce },
  { name: 'the time is over and the bank does not hear of it', breaks: ['A3'], plant: timesOut((until) => until) },
  { name: 'the time of a shopper is never over', breaks: ['A5'], plant: timesOut((until) => until + DAY_MS) },
  { name: 'two confirmations are two successes', breaks: ['A1'], entryPoints: entryPoints.bookingTwice },
  {
    name: 'a confirmation is believed during the cancellation',
    breaks: ['I6'],
    entryPoints: entryPoints.believingWhileCancelling,
  },
  { name: 'the results of a challenge are not waited for', breaks: ['T1'], plant: secure.notWaitingForResults },
  { name: "what the cardholder's browser brings is believed", breaks: ['T2'], plant: secure.believingTheBrowser },
  { name: 'results that say no are results', breaks: ['T1'], plant: secure.anyResults },
  { name: 'a silent directory server means not enrolled', breaks: ['T2'], plant: secure.silenceMeansNotEnrolled },
  { name: 'a card of which nothing is known is asked for nothing', breaks: ['T1'], threeDS: secure.unknownMeansExempt },
  { name: 'the proof of another payment is sent', breaks: ['T1'], connector: secure.proofOfAnother },
  { name: 'the proof is not sent', breaks: ['T1'], connector: secure.withoutTheProof },
  { name: 'results are taken for those of the address they came to', breaks: ['T2'], entryPoints: secure.believingTheAddress },
  { name: 'the last results count', breaks: ['T2'], entryPoints: secure.believingTheLast },
  { name: 'results after the time was over wake the payment up', breaks: ['T2'], entryPoints: secure.wakingTheDead },
  { name: 'every results request asks for the money', breaks: ['I3'], entryPoints: secure.goingOnTwice },
  { name: 'the directory server is asked again', breaks: ['T3'], threeDS: secure.askingAgain },
  { name: 'what lost its secrets is charged without them', breaks: ['T4'], entryPoints: secure.chargingTheLost },
  { name: 'the time of a challenge is never over', breaks: ['T5'], plant: secure.neverOver },
  {
    name: 'the security code waits in the store',
    breaks: ['T6'],
    held: secure.holdingTheCode,
    store: secure.writingTheCode,
  },
  { name: 'the proof is written down', breaks: ['T6'], connector: secure.notingTheProof, store: secure.writingTheProof },
  { name: 'two payments of a checkout are let in', breaks: ['I10'], busy: () => false },
  { name: 'what is under way in a checkout is in nobody’s way', breaks: ['I10'], busy: checkouts.approvedAlone },
  { name: 'what has succeeded in a checkout is in nobody’s way', breaks: ['I10'], busy: checkouts.openAlone },
  { name: 'a shopper at his bank is in nobody’s way', breaks: ['I10'], busy: checkouts.nobodyElsewhere },
  { name: 'what was declined in a checkout is in everybody’s way', breaks: ['C2'], busy: (others) => others.length > 0 },
  {
    name: 'checkouts are kept apart in the memory of each node',
    breaks: ['I10'],
    busy: () => false,
    store: checkouts.busyInMemory,
  },
  { name: 'a checkout is looked at before it is written', breaks: ['I10'], busy: () => false, store: checkouts.lookingFirst },
  { name: 'what is pending in a checkout is tried again', breaks: ['I10'], entryPoints: checkouts.retryingThePending },
  { name: 'what was begun in a checkout is given up without a word', breaks: ['A3'], entryPoints: checkouts.abandoningSilently },
  { name: 'the browser says what is paid', breaks: ['C1'], entryPoints: checkouts.believingTheBrowser },
  { name: 'keys of checkouts are kept in the memory of each node', breaks: ['I3'], store: checkouts.keysInMemory },
  { name: 'a claimed plan is believed to be nobody else’s', breaks: ['I9'], store: schedules.believingTheClaim },
  { name: 'the next instant of a plan is a commit of its own', breaks: ['I9'], nearStore: schedules.nextInstantLater },
  { name: 'what a plan leaves out is not written down', breaks: ['I9'], store: schedules.skipsForgotten },
  { name: 'a change of a plan forgets what was due', breaks: ['I9'], nearStore: schedules.changedFromNow },
  { name: 'plans that a clock ahead has dated are believed', breaks: ['I9'], nearStore: stores.trustAnyClockOfSchedules },
  { name: 'another try of a plan counts twice', breaks: ['P3'], store: schedules.countedTwice },
  { name: 'other tries of a plan do not count', breaks: ['P3'], store: schedules.neverCounted },
  { name: 'a plan goes on after its end', breaks: ['P2'], store: schedules.endForgotten },
  { name: 'the notice of a plan is not kept', breaks: ['P4'], store: schedules.withoutNotice },
  { name: 'whose plans are meant is mixed up', breaks: ['I9'], store: schedules.merchantsMixedUp },
  { name: 'news count as delivered before they are', breaks: ['I8'], nearStore: hooks.settledBefore },
  { name: 'the order of news is not kept', breaks: ['W2'], store: hooks.withoutOrder },
  { name: 'another try has another id', breaks: ['W1'], nearStore: hooks.otherIdAgain },
  { name: 'news that were spread are spread again', breaks: ['W6'], store: hooks.fannedOutTwice },
  { name: 'whose news are meant is mixed up', breaks: ['I8'], store: hooks.merchantsMixedUp },
  { name: 'any answer counts as delivered', breaks: ['I8'], store: hooks.anyAnswer },
  { name: 'the new key signs alone', breaks: ['W3'], dispatcher: hooks.newKeyAlone },
  { name: 'everybody waits for the dead', breaks: ['W4'], dispatcher: hooks.oneQueue },
  { name: 'who wants to hear nothing is told all the same', breaks: ['W5'], store: hooks.goneForgotten },
  { name: 'everybody is told of everybody', breaks: ['I11'], dispatcher: hooks.sentToEveryEndpoint },
  { name: 'who is dead for days is never paused', breaks: ['W5'], store: hooks.neverPaused },
  { name: 'a decline of the rules is overruled', breaks: ['R2'], engine: risk.overruling },
  { name: 'what the rules declined goes on', breaks: ['R1'], store: risk.goingOnAllTheSame },
  { name: 'the verdict is written down later', breaks: ['R2'], store: risk.verdictLater },
  { name: 'the verdict is forgotten', breaks: ['R2'], store: risk.verdictForgotten },
  { name: 'the windows are told twice', breaks: ['R3'], engine: risk.tellingTwice },
  { name: 'the windows are told of approvals only', breaks: ['R3'], engine: risk.tellingHalf },
];
