import type { WalletCard, WalletFault, WalletName } from './wallet.ts';

/** Opens the tokens of device wallets with the keys of the entity they were made for. */
export interface Wallets {
  open(entityId: string, wallet: WalletName, token: string): Promise<WalletCard | WalletFault>;
}

/** That a wallet's token was used; kept in the payment's own commit, because a token pays once. */
export type TokenUse = { readonly wallet: WalletName; readonly tokenId: string; readonly until: number };
