import { type Accounts, accountNames } from './recompute.ts';

type Books = ReadonlyMap<string, Accounts>;

const NOTHING = Object.fromEntries(accountNames.map((name) => [name, 0n])) as Accounts;

/** Where the ledger's balances differ from what webhooks and file come to, in words. */
export const differences = (recomputed: Books, balances: Books): readonly string[] =>
  [...new Set([...recomputed.keys(), ...balances.keys()])].sort().flatMap((currency) => {
    const [expected, kept] = [recomputed.get(currency) ?? NOTHING, balances.get(currency) ?? NOTHING];
    return accountNames.flatMap((name) =>
      expected[name] === kept[name]
        ? []
        : [`${name} ${currency}: the ledger says ${kept[name]}, webhooks and file come to ${expected[name]}`],
    );
  });
