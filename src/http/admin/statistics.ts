import type { Fault } from '../../form/checked.ts';
import { accounts, type Holding } from '../../ledger/entry.ts';
import { amountText } from '../../money/amount.ts';
import { statisticsOf } from '../../reports/statistics/statistics.ts';
import { readInterval, type StatisticsRange } from '../../reports/statistics/steps.ts';
import type { AdminAnswer } from '../../spec/answers/adminAnswers.ts';
import type { Services } from '../services.ts';
import { authorizeEntity } from './authorize.ts';
import { query } from './command.ts';

/** Reads the statistics of an entity and everything below it, in its time zone. */
export const readStatistics = query(
  'readStatistics',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'forMerchant' | 'replies' | 'statistics'>, { entity, values }) => {
    const { entityId, ...range } = values;
    const { settings, merchantId } = services.directory.entity(entity.id) ?? {};
    const { timeZone = 'UTC' } = settings ?? {};
    const now = services.forMerchant(merchantId ?? null).world.clock.now();
    const read = readInterval(range as StatisticsRange, { timeZone, now });
    if (!read.ok) {
      const fault: Fault = { name: read.name, value: null, message: read.message };
      return services.replies.result('200.300.404', entityId, { faults: [fault] });
    }
    const answer = await statisticsOf(services.statistics, { entityId, timeZone, now, ...read.interval });
    return services.replies.json(200, answer satisfies AdminAnswer<'readStatistics'>, { entityId });
  },
);

const shown = ({ mode, currency, accounts: sums }: Holding) => ({
  mode,
  currency,
  accounts: Object.fromEntries(accounts.map((account) => [account, amountText(sums[account])])),
});

/** Reads the balances of a merchant's accounts. Channels share them, so only a merchant has any. */
export const readBalances = query(
  'readBalances',
  authorizeEntity,
  async (services: Pick<Services, 'balances' | 'directory' | 'forMerchant' | 'replies'>, { entity, values }) => {
    const { directory, replies, balances } = services;
    if (directory.entity(entity.id)?.kind !== 'merchant') {
      const fault = { name: 'entityId', value: entity.id, message: 'must be a merchant: only merchants have accounts' };
      return replies.result('200.300.404', entity.id, { faults: [fault] });
    }
    const at = values.at ?? services.forMerchant(entity.id).world.clock.now();
    const held = await balances(entity.id, at);
    const body: AdminAnswer<'readBalances'> = {
      merchantId: entity.id,
      at: new Date(at).toISOString(),
      balances: held.map(shown),
    };
    return replies.json(200, body, { entityId: entity.id });
  },
);
