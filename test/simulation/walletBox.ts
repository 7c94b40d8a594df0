import type { Wallets } from '../../src/wallets/ports.ts';
import { refusal, type WalletCard, type WalletName } from '../../src/wallets/wallet.ts';
import type { Chance } from './chance.ts';
import { reading } from './faultyStore.ts';
import { createClock, type Life } from './machine.ts';
import { channels, deviceNumbers } from './shops.ts';
import type { Sim } from './sim.ts';

type Token = { readonly merchantId: string; readonly wallet: WalletName; readonly card: WalletCard };

/** The shoppers' devices, which make tokens, and those who can open them: what a token says is looked up instead of decrypted. */
export type WalletBox = {
  /** A token for one payment to this merchant, good until the instant. */
  make(merchantId: string, validUntil: number): { readonly text: string; readonly wallet: WalletName; readonly number: string };
  /** `World.wallets` of one life of a node. The keys to open with are in the store, and read when they are needed first. */
  opener(sim: Sim, life: Life): Wallets;
};

const WALLETS: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];

export function createWalletBox(chance: Chance): WalletBox {
  const tokens = new Map<string, Token>();
  return {
    make(merchantId, validUntil) {
      const [text, wallet, number] = [`token-${chance.hex(16)}`, chance.pick(WALLETS), chance.pick(deviceNumbers)];
      const face = { number, numberType: 'DPAN', expiryMonth: '05', expiryYear: '2034', holder: null, eci: '05' } as const;
      const card = { ...face, cryptogram: 'AAAA', amount: null, currency: null, tokenId: text, validUntil };
      tokens.set(text, { merchantId, wallet, card });
      return { text, wallet, number };
    },
    opener: (sim, life) => ({
      async open(entityId, wallet, text) {
        const token = await reading(sim, life, async () => tokens.get(text));
        if (token?.wallet !== wallet) return refusal('malformed', 'this is no token');
        const merchantId = channels.find((channel) => channel.entityId === entityId)?.merchantId;
        if (token.merchantId !== merchantId) return refusal('otherMerchant', 'it was made for another merchant');
        return createClock(sim, life).now() >= token.card.validUntil ? refusal('expired', 'it is too old') : token.card;
      },
    }),
  };
}
