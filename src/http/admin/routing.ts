import type { Fault } from '../../form/checked.ts';
import { accountNames, ancestorsOf } from '../../merchants/accounts.ts';
import { unknownAccounts } from '../../merchants/changeSettings.ts';
import type { Channel } from '../../merchants/channel.ts';
import { amountText } from '../../money/amount.ts';
import type {
  AccountRecord,
  RoutingOutcome,
  RoutingPeriod,
  RoutingSide,
  RoutingTally,
} from '../../payments/backtest/routingCount.ts';
import { placedRuleFaults, rulesIn } from '../../payments/connector/routing.ts';
import type { RoutingBacktest, RoutingFigures, RoutingOfRules, RoutingRule } from '../../spec/routing.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity } from './authorize.ts';
import { query } from './command.ts';

const DAYS = 30;
const DAYS_MAX = 366;

type Values = AuthorizedAdmin<'tryRouting', null>['values'];

const fault = (name: string, message: string): Fault => ({ name, value: null, message });

/** Tries routing rules on the past payments of a channel. */
export const tryRouting = query(
  'tryRouting',
  authorizeEntity,
  async (
    services: Pick<Services, 'accounts' | 'directory' | 'forMerchant' | 'replies' | 'routing'>,
    { entity: { id }, values },
  ): Promise<Reply> => {
    const { directory, replies, routing } = services;
    const refuse = (faults: readonly Fault[]) => replies.result('200.300.404', id, { faults });
    const channel = directory.entity(id)?.channel;
    if (!channel) return refuse([fault('entityId', 'must be a channel: channels take payments')]);
    const { world } = services.forMerchant(channel.merchantId);
    const period = periodOf(values, world.clock.now());
    const faults = [...period.faults, ...(await faultsOf(services, id, values.rules))];
    if (faults.length > 0) return refuse(faults);
    const present = rulesIn(channel.routing);
    const proposed = (values.rules as readonly RoutingRule[] | undefined) ?? present;
    const { connector } = world;
    const { issuer } = world.risk.lookups;
    const outcome = await routing.backtest({ channel, present, proposed, connector, issuer }, period);
    if (outcome === 'busy') {
      const remark = 'another back-test of routing is under way; try again later';
      return replies.result('800.120.100', id, { headers: ['Retry-After', '5'], remark });
    }
    return replies.json(200, answerOf(channel, { period, present, proposed }, outcome), { entityId: id });
  },
);

function periodOf({ from, to }: Values, now: number): RoutingPeriod & { readonly faults: readonly Fault[] } {
  const before = Math.min(to ?? now, now);
  const begin = from ?? before - DAYS * DAY_MS;
  const isEmpty = begin >= before;
  const isLong = before - begin > DAYS_MAX * DAY_MS;
  const faults = [
    ...(isEmpty ? [fault('from', 'must lie before the end: nothing is between them')] : []),
    ...(isLong ? [fault('from', `must be at most ${DAYS_MAX} days before the end`)] : []),
  ];
  return { from: begin, before, faults };
}

/** The faults of proposed rules, by the place of the rule. */
async function faultsOf(
  { accounts }: Pick<Services, 'accounts'>,
  entityId: string,
  rules: readonly unknown[] = [],
): Promise<readonly Fault[]> {
  const faults = placedRuleFaults(rules).map(({ at, says }) => fault(at === null ? 'rules' : `rules.${at}`, says));
  if (faults.length > 0) return faults;
  const chain = ancestorsOf(await accounts.store.lineages([entityId]), entityId);
  const known = { connectors: accounts.change.connectors, accounts: accountNames(chain) };
  return unknownAccounts(rules as readonly RoutingRule[], known).map(({ name, message }) =>
    fault(name.replace('routing.', ''), message),
  );
}

type TriedRules = {
  readonly period: RoutingPeriod;
  readonly present: readonly RoutingRule[];
  readonly proposed: readonly RoutingRule[];
};

function answerOf({ entityId }: Channel, { period, present, proposed }: TriedRules, outcome: RoutingOutcome): RoutingBacktest {
  const { payments, isCut, since } = outcome;
  return {
    entityId,
    from: new Date(since).toISOString(),
    to: new Date(period.before).toISOString(),
    isCut,
    payments,
    present: sideOf(outcome.present, present, payments),
    proposed: sideOf(outcome.proposed, proposed, payments),
    accounts: [...outcome.accounts].toSorted(byCount).map(([account, record]) => ({
      account,
      ...record,
      approvalRate: record.decided === 0 ? null : percent(record.approved, record.decided),
    })),
  };
}

type Counted = readonly [name: string | null, tally: Pick<RoutingTally | AccountRecord, 'count'>];

/** The most payments first; equal ones by name. */
const byCount = ([one, { count }]: Counted, [other, { count: otherCount }]: Counted): number =>
  otherCount - count || (one ?? '').localeCompare(other ?? '');

const HUNDREDTHS = 10_000;

/** In percent, with two decimals. */
const percent = (part: number, of: number): number => (of === 0 ? 0 : Math.round((HUNDREDTHS * part) / of) / 100);

function sideOf({ rules, accounts }: RoutingSide, asked: readonly RoutingRule[], payments: number): RoutingOfRules {
  const figures = (tally: RoutingTally | undefined): RoutingFigures => ({
    count: tally?.count ?? 0,
    share: percent(tally?.count ?? 0, payments),
    amounts: Object.fromEntries([...(tally?.amounts ?? [])].toSorted().map(([currency, sum]) => [currency, amountText(sum)])),
  });
  return {
    rules: [
      ...asked.map((rule, at) => ({ rule: at + 1, name: rule.name ?? null, ...figures(rules.get(rule)) })),
      { rule: null, name: null, ...figures(rules.get(null)) },
    ],
    accounts: [...accounts].toSorted(byCount).map(([account, tally]) => ({ account, ...figures(tally) })),
  };
}
