import { createWalletIssuer } from './issuer/issuer.ts';
import { bytesFrom, type WalletOrder, walletVersions } from './issuer/order.ts';
import type { WalletName } from './wallet.ts';

/** An instant, an issuer and an order that the tests of this folder share. */
export const NOW = Date.UTC(2030, 5, 1, 12);

/** Deterministic randomness, so that a failing test fails again. */
export const random = bytesFrom('tests', 'chance');

export const issuer = createWalletIssuer({ seed: 'sandbox', merchant: 'shop1', random });

export const order: WalletOrder = {
  number: '4200000000000091',
  expiryMonth: '07',
  expiryYear: '2034',
  amount: 9200n,
  currency: 'EUR',
  now: NOW,
};

/** Every wallet with every version it supports. */
export const everyVersion: readonly (readonly [wallet: WalletName, version: string])[] = (
  Object.entries(walletVersions) as [WalletName, readonly string[]][]
).flatMap(([wallet, versions]) => versions.map((version) => [wallet, version] as const));
