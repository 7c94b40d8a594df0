import type { WalletCard, WalletFault, WalletName } from './wallet.ts';

/** Opens tokens of device wallets with the keys of the entity they are encrypted for. */
export interface Wallets {
  open(entityId: string, wallet: WalletName, token: string): Promise<WalletCard | WalletFault>;
}

/** The use of a wallet's token, stored in the commit of the payment, because a token pays once. */
export type TokenUse = { readonly wallet: WalletName; readonly tokenId: string; readonly until: number };
