import type { WalletName, WalletSetup } from '../wallet.ts';
import { createIssuerA, issueA, setupA } from './issueA.ts';
import { createIssuerB, issueB, setupB } from './issueB.ts';
import { createIssuerC, issueC, setupC } from './issueC.ts';
import { bytesFrom, orderFault, type WalletOrder } from './order.ts';

/** Issues tokens of all wallets for one merchant of a sandbox. */
interface WalletIssuer {
  /** The merchant's configuration that trusts this issuer. */
  readonly setup: WalletSetup;
  /** The setup of one wallet, always the same object: keys of the others are not generated. */
  setupFor(wallet: WalletName): WalletSetup;
  /** A token as a device would send it. Throws when orderFault returns a fault. */
  issue(wallet: WalletName, order: WalletOrder): string;
}

/** The same seed gives the same keys after every start; each merchant has its own. */
type IssuerOptions = {
  readonly seed: string;
  readonly merchant: string;
  /** The randomness of tokens. */
  readonly random: (count: number) => Buffer;
};

const nothing: WalletSetup = { walletA: null, walletB: null, walletC: null };

/** An issuer for one merchant. Each wallet's keys are generated on first use. */
export function createWalletIssuer({ seed, merchant, random }: IssuerOptions): WalletIssuer {
  const bytes = (label: string) => bytesFrom(seed, label);
  const walletA = once(() => createIssuerA(merchant, bytes));
  const walletB = once(() => createIssuerB(merchant, bytes));
  const walletC = once(() => createIssuerC(merchant, bytes));
  const setups = {
    walletA: once((): WalletSetup => ({ ...nothing, walletA: setupA(walletA()) })),
    walletB: once((): WalletSetup => ({ ...nothing, walletB: setupB(walletB()) })),
    walletC: once((): WalletSetup => ({ ...nothing, walletC: setupC(walletC()) })),
  };
  const setup = once(
    (): WalletSetup => ({
      walletA: setups.walletA().walletA,
      walletB: setups.walletB().walletB,
      walletC: setups.walletC().walletC,
    }),
  );
  const issued = (wallet: WalletName, order: WalletOrder): string => {
    if (wallet === 'walletA') return issueA(walletA(), order, random);
    return wallet === 'walletB' ? issueB(walletB(), order, random) : issueC(walletC(), order, random);
  };
  return {
    get setup() {
      return setup();
    },
    setupFor: (wallet) => setups[wallet](),
    issue(wallet, order) {
      const says = orderFault(wallet, order);
      if (says !== null) throw new Error(says);
      const token = issued(wallet, order);
      return order.fault === 'malformed' ? token.slice(0, -7) : token;
    },
  };
}

function once<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | null = null;
  return () => {
    made ??= { thing: make() };
    return made.thing;
  };
}

/** The wallets of a test environment: an issuer for each merchant, created on first use. */
export interface SandboxIssuer {
  of(merchantId: string): WalletIssuer;
}

type SandboxIssuerOptions = {
  /** A secret of this gateway that survives a restart, so that setups do too. */
  readonly seed: string;
  readonly ids: {
    /** 32 hex digits, all random. */
    random(): string;
  };
};

const ID_BYTES = 16;

/** The seed of a gateway, the same for the page, the command line and the opening of tokens. */
export const sandboxSeed = (vault: { digest(entityId: string, text: string): string }): string =>
  vault.digest('sandbox', 'wallets');

/** Issuers are created on demand: the keys of walletC take a third of a second. */
export function createSandboxIssuer({ seed, ids }: SandboxIssuerOptions): SandboxIssuer {
  const issuers = new Map<string, WalletIssuer>();
  const random = (count: number): Buffer => {
    const pieces = Array.from({ length: Math.ceil(count / ID_BYTES) }, () => Buffer.from(ids.random(), 'hex'));
    return Buffer.concat(pieces).subarray(0, count);
  };
  return {
    of(merchant) {
      const issuer = issuers.get(merchant) ?? createWalletIssuer({ seed, merchant, random });
      issuers.set(merchant, issuer);
      return issuer;
    },
  };
}
