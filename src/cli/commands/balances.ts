import { OperatorError } from '../../app/operatorError.ts';
import { balancesAt } from '../../ledger/chain.ts';
import { accounts, type Holding } from '../../ledger/entry.ts';
import { nowOf } from '../../merchants/clocks.ts';
import type { ClockStore } from '../../merchants/ports.ts';
import { amountText } from '../../money/amount.ts';
import { type Command, type Context, parseFlaggedOptions, requiredOption } from '../command.ts';
import { findMerchant } from '../context.ts';
import { formatTable } from '../output.ts';

/** The balances of a merchant's accounts. */
export const balancesCommand: Command = {
  name: 'balances',
  summary: 'what stands on the accounts of a merchant, now or at a past instant',
  usage: [
    'balances --entity id [--at instant] [--json]',
    '  --entity id    the merchant',
    '  --at instant   such as 2031-10-02T09:15:31Z, the instant included; default: now, by the test clock of the merchant',
    '  --json         for machines',
  ].join('\n'),
  run: (words, context) => balances(words, context),
};

export async function balances(
  words: readonly string[],
  { store: open, clock, print }: Pick<Context, 'store' | 'clock' | 'print'>,
): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['entity', 'at'], ['json']);
  const store = await open();
  const { merchantId } = await findMerchant(store, requiredOption(texts.entity, 'entity'));
  const at = texts.at === undefined ? await nowAt(store, merchantId, clock.now()) : instantOf(texts.at);
  const held = await balancesAt(store, merchantId, at);
  const rows = held.map(({ mode, currency, accounts: sums }) => [mode, currency, ...sumsOf(sums)]);
  if (flags.json) {
    const shown = rows.map(([mode, currency, ...sums]) => ({
      mode,
      currency,
      accounts: Object.fromEntries(accounts.map((account, place) => [account, sums[place]])),
    }));
    print(JSON.stringify({ merchantId, at: new Date(at).toISOString(), balances: shown }, null, 2));
  } else if (rows.length === 0) {
    print('Nothing was ever posted.');
  } else {
    const right = accounts.map((_, place) => place + 2);
    for (const line of formatTable([['mode', 'currency', ...accounts], ...rows], right)) print(line);
  }
  return 0;
}

/** A merchant of the sandbox may have a clock of its own. */
async function nowAt(store: Pick<ClockStore, 'clocks'>, merchantId: string, realNow: number): Promise<number> {
  const own = (await store.clocks()).find((one) => one.merchantId === merchantId);
  return own ? nowOf(own, realNow) : realNow;
}

const sumsOf = (sums: Holding['accounts']): string[] => accounts.map((account) => amountText(sums[account]));

function instantOf(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new OperatorError(`--at: ${JSON.stringify(text)} is no instant such as 2031-10-02T09:15:31Z`);
  }
}
