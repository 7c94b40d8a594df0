import type { Masters } from './masterKey.ts';
import type { KeyStore } from './ports.ts';
import { type OpenedVault, openVault } from './vault.ts';

const refuse = (): never => {
  throw new Error('this database is only read');
};

type ReadOnlyNeeds = { readonly keys: KeyStore['keys']; readonly masters: Masters; readonly now: () => number };

/** The vault of a database that is only read: keys are neither made nor reserved. */
export function openReadOnlyVault({ keys, masters, now }: ReadOnlyNeeds): Promise<OpenedVault> {
  const store: KeyStore = {
    keys,
    addKey: refuse,
    rewrapKey: refuse,
    reserveKey: refuse,
    retireKey: refuse,
    sealedAfter: refuse,
    countSealed: refuse,
    reseal: refuse,
  };
  return openVault({ masters, store, now });
}
