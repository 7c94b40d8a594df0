import { accounts, type Holding } from '../../ledger/entry.ts';
import { amountText } from '../../money/amount.ts';
import type { AdminAnswer } from '../../spec/answers/adminAnswers.ts';
import type { Services } from '../services.ts';
import { authorizeEntity } from './authorize.ts';
import { query } from './command.ts';

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
