import type { Channel } from '../../merchants/channel.ts';
import { countsAs } from '../../spec/resultCodes/retryRules.ts';
import type { RoutingRule } from '../../spec/routing.ts';
import { isApproved } from '../balance.ts';
import { REFUSED_BY_RULE, type RouteRequest, type RoutingFacts, route, ruleFor } from '../connector/routing.ts';
import type { Payment } from '../payment.ts';
import type { World } from '../ports.ts';
import { noFilters, type SearchCursor, type SearchFound, type SearchStore } from '../search/search.ts';

/** Payments and their amounts by currency. */
export type RoutingTally = { readonly count: number; readonly amounts: ReadonlyMap<string, bigint> };

/** The outcome of the rules. A rule of null: none matched. An account of null: none could take the payment. */
export type RoutingSide = {
  readonly rules: ReadonlyMap<RoutingRule | null, RoutingTally>;
  readonly accounts: ReadonlyMap<string | null, RoutingTally>;
};

/** The real outcome of the payments that an account got. */
export type AccountRecord = { readonly count: number; readonly decided: number; readonly approved: number };

type RoutingCount = {
  readonly payments: number;
  readonly present: RoutingSide;
  readonly proposed: RoutingSide;
  readonly accounts: ReadonlyMap<string, AccountRecord>;
};

export type RoutingTrial = {
  readonly channel: Channel;
  readonly present: readonly RoutingRule[];
  readonly proposed: readonly RoutingRule[];
  readonly connector: World['connector'];
  readonly issuer: RoutingFacts['issuer'];
};

const firstTypes = ['PA', 'DB', 'CD'] as const;

type RoutedPayment = Payment & { readonly paymentType: (typeof firstTypes)[number] };

/** Whether rules decided about a payment: the first of its family, and not one that the gateway refused for another reason. */
export const isRouted = (payment: Payment): payment is RoutedPayment =>
  firstTypes.some((type) => type === payment.paymentType) &&
  payment.referencedId === null &&
  (payment.connector !== '' || isRefusedByRule(payment));

const isRefusedByRule = ({ phase }: Payment): boolean => phase.at === 'final' && phase.code === REFUSED_BY_RULE;

/** Counts payments one by one, for the present and the proposed rules. */
export function createRoutingCount(trial: RoutingTrial) {
  const [present, proposed] = [createSide(), createSide()];
  const accounts = new Map<string, AccountRecord>();
  let payments = 0;
  return {
    add(payment: RoutedPayment): void {
      payments += 1;
      present.add(payment, destinationOf(payment, trial.present, trial));
      proposed.add(payment, destinationOf(payment, trial.proposed, trial));
      if (payment.connector === '') return;
      accounts.set(payment.connector, recordWith(accounts.get(payment.connector), payment));
    },
    result: (): RoutingCount => ({ payments, present: present.side, proposed: proposed.side, accounts }),
  };
}

type Destination = { readonly rule: RoutingRule | null; readonly account: string | null };

/** The rule and the account that a payment would have had. Accounts count as they are now: one that is off takes nothing. */
function destinationOf(
  payment: RoutedPayment,
  rules: readonly RoutingRule[],
  { channel, connector, issuer }: RoutingTrial,
): Destination {
  const { registrationId, paymentBrand, paymentType, method, currency, mode, amount, instrument } = payment;
  const registration = registrationId === null ? null : { id: registrationId };
  const order: RouteRequest = { paymentBrand, paymentType, method, currency, mode, amount, instrument, registration };
  let turn = 0;
  const draw = (): number => {
    turn += 1;
    return drawnNumber(`${payment.id} ${turn}`);
  };
  const rule = ruleFor(rules, payment, { issuer, draw });
  const { routing: _, ...plain } = channel;
  // Only the accounts of the rule remain to be decided: nothing is drawn again.
  const found = route(order, rule === null ? plain : { ...plain, routing: { rules: [decidedRule(rule)] } }, connector);
  return { rule, account: typeof found === 'string' ? null : found.connector.name };
}

/** A rule that matches every payment, with the accounts of the rule that was found. */
const decidedRule = ({ to, otherwise }: RoutingRule): RoutingRule => (otherwise === undefined ? { to } : { to, otherwise });

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MIXERS = [
  [16, 0x85ebca6b],
  [13, 0xc2b2ae35],
] as const;

/** A number from 0 up to, not including, 100, the same for the same text. Texts that differ in one character are far apart. */
export function drawnNumber(text: string): number {
  let hash = FNV_START;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  for (const [shift, factor] of MIXERS) hash = Math.imul(hash ^ (hash >>> shift), factor);
  return (100 * ((hash ^ (hash >>> 16)) >>> 0)) / 2 ** 32;
}

function createSide() {
  const rules = new Map<RoutingRule | null, RoutingTally>();
  const accounts = new Map<string | null, RoutingTally>();
  const side: RoutingSide = { rules, accounts };
  return {
    side,
    add(payment: Payment, { rule, account }: Destination): void {
      rules.set(rule, tallyWith(rules.get(rule), payment));
      accounts.set(account, tallyWith(accounts.get(account), payment));
    },
  };
}

const none: RoutingTally = { count: 0, amounts: new Map() };

function tallyWith({ count, amounts }: RoutingTally = none, { currency, amount }: Payment): RoutingTally {
  return { count: count + 1, amounts: new Map(amounts).set(currency, (amounts.get(currency) ?? 0n) + amount) };
}

const noRecord: AccountRecord = { count: 0, decided: 0, approved: 0 };

function recordWith({ count, decided, approved }: AccountRecord = noRecord, payment: Payment): AccountRecord {
  const { phase, risk } = payment;
  const isTaken = isApproved(payment);
  // Neither a refusal of the risk rules nor silence is a decision of the account.
  const isDecided = phase.at === 'final' && risk?.verdict.is !== 'decline' && (isTaken || countsAs(phase.code) === 'declined');
  return { count: count + 1, decided: decided + (isDecided ? 1 : 0), approved: approved + (isDecided && isTaken ? 1 : 0) };
}

export type RoutingPeriod = { readonly from: number; readonly before: number };

/** `isCut`: there are more payments than were read; `since`: payments that began after this instant were read. */
export type RoutingOutcome = RoutingCount & { readonly isCut: boolean; readonly since: number };

type Needs = {
  readonly search: SearchStore['search'];
  /** Other work has its turn. */
  readonly rest: () => Promise<void>;
};

const PAGE = 500;
/** Payments of the merchant that are read for one page. */
const EFFORT = 4 * PAGE;
/** Payments of the channel that one back-test reads at most. */
export const READ_MAX = 50_000;

/** Tries rules on the past payments of a channel, the newest first, so that a limit leaves out the oldest. */
export async function backtestRouting(
  trial: RoutingTrial,
  { from, before }: RoutingPeriod,
  { search, rest }: Needs,
): Promise<RoutingOutcome> {
  const { merchantId, entityId } = trial.channel;
  const asked = { ...noFilters, merchantIds: [merchantId], entityId, types: firstTypes, from, to: before };
  const count = createRoutingCount(trial);
  let after: SearchCursor | null = null;
  for (let read = 0; read < READ_MAX; read += PAGE) {
    const page: SearchFound = await search({ ...asked, needles: null, after, limit: PAGE, effort: EFFORT });
    for (const payment of page.payments) if (isRouted(payment)) count.add(payment);
    after = page.next;
    if (after === null) break;
    await rest();
  }
  return { ...count.result(), isCut: after !== null, since: after?.createdAt ?? from };
}
