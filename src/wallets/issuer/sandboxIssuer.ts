import { createWalletIssuer, type WalletIssuer } from './issuer.ts';

/** The wallets of a test environment: an issuer for each merchant, created on first use. */
export interface SandboxIssuer {
  of(merchantId: string): WalletIssuer;
}

export type SandboxIssuerOptions = {
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
