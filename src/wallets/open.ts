import { refusal, TOKEN_CHARACTERS_MAX, type WalletCard, type WalletFault, type WalletName, type WalletSetup } from './wallet.ts';
import { type OpenWalletA, openWalletA, prepareWalletA } from './walletA.ts';
import { type OpenWalletB, openWalletB, prepareWalletB } from './walletB.ts';
import { type OpenWalletC, openWalletC, prepareWalletC } from './walletC.ts';

type Prepared = {
  readonly walletA: OpenWalletA | null;
  readonly walletB: OpenWalletB | null;
  readonly walletC: OpenWalletC | null;
};

/** Keys and certificates are parsed once for each setup object, which is immutable. */
const known = new WeakMap<WalletSetup, Prepared>();

function prepared(setup: WalletSetup): Prepared {
  const before = known.get(setup);
  if (before) return before;
  const { walletA, walletB, walletC } = setup;
  const made: Prepared = {
    walletA: walletA && prepareWalletA(walletA),
    walletB: walletB && prepareWalletB(walletB),
    walletC: walletC && prepareWalletC(walletC),
  };
  known.set(setup, made);
  return made;
}

/**
 * The card in a wallet's token, or why the token is refused. Never throws. The caller must check that the token was not used before, by
 * `tokenId` until `validUntil`, and that amount and currency match the payment.
 */
export function openWallet(
  wallet: WalletName,
  token: string,
  { setup, now }: { readonly setup: WalletSetup; readonly now: number },
): WalletCard | WalletFault {
  if (token.length > TOKEN_CHARACTERS_MAX) return refusal('malformed', 'the token is too long');
  const { walletA, walletB, walletC } = prepared(setup);
  switch (wallet) {
    case 'walletA':
      return walletA ? openWalletA(token, walletA, now) : notTaken;
    case 'walletB':
      return walletB ? openWalletB(token, walletB, now) : notTaken;
    case 'walletC':
      return walletC ? openWalletC(token, walletC, now) : notTaken;
  }
}

const notTaken = refusal('unsupported', 'this entity has no settings for this wallet');
