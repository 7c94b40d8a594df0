import type { Entity } from '../merchants/directory.ts';
import type { WalletSetups } from '../merchants/walletSettings.ts';
import type { Clock } from '../spec/time.ts';
import type { SealedRecord, SecretStore, Vault } from '../vault/ports.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import type { SandboxIssuer } from './issuer/issuer.ts';
import type { Wallets } from './ports.ts';
import {
  refusal,
  TOKEN_CHARACTERS_MAX,
  type WalletCard,
  type WalletFault,
  type WalletKey,
  type WalletName,
  type WalletSetup,
} from './wallet.ts';
import { openWalletA, prepareWalletA } from './walletA.ts';
import { openWalletB, prepareWalletB } from './walletB.ts';
import { openWalletC, prepareWalletC } from './walletC.ts';

type WalletNeeds = {
  readonly entity: (id: string) => Entity | null;
  readonly secrets: Pick<SecretStore, 'secret'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly environment: 'test' | 'live';
  readonly clock: Clock;
  /** The clock of a merchant; by default one clock for all. */
  readonly clockOf?: (merchantId: string) => Clock;
  /** Null in the live environment. */
  readonly issuer: SandboxIssuer | null;
  /** Reports a private key of the settings that cannot be loaded. The payment is refused, and the operator must act. */
  readonly alarm: (message: string, about: Readonly<Record<string, string>>) => void;
};

type Setup = WalletSetups[WalletName];
/** `ownerId`: the entity that owns the setting and the secrets with the keys. */
type Owned = { readonly ownerId: string; readonly wallet: WalletName; readonly setup: Setup };
/** A setup with the `text` and `sealed` keys it was built from: it is reused while they are unchanged. */
type Assembled = {
  readonly text: string;
  readonly sealed: readonly (Uint8Array | null)[];
  readonly isWhole: boolean;
  readonly setup: WalletSetup;
};
type Remembered = { readonly source: Setup; readonly assembled: Promise<Assembled> };

const notSetUp = refusal('unsupported', 'this wallet is not set up for this entity');
const unreadable = refusal('unsupported', 'no private key of this wallet can be read at the moment');

/** The name under which a private key is stored, and the field it is sealed for. */
export const walletSecretName = (wallet: WalletName, keyId: string): string => `${wallet}/${keyId}`;

/** The location of an entity's sealed private key. */
export const walletSecretRecord = (ownerId: string, name: string): SealedRecord => ({
  merchantId: ownerId,
  entityId: ownerId,
  recordId: ownerId,
  field: name,
});

/** Opens tokens with the setup of the entity they were sent to. */
export function createWallets(needs: WalletNeeds): Wallets {
  const known = new Map<string, Remembered>();
  /** A setup is immutable and has the keys of one wallet, which are parsed once. */
  const openers = new WeakMap<WalletSetup, Opener | null>();
  const openWith = (wallet: WalletName, setup: WalletSetup): Opener | null => {
    const before = openers.get(setup);
    if (before !== undefined) return before;
    const opener = createOpener(wallet, setup);
    openers.set(setup, opener);
    return opener;
  };
  const setupOf = async (owned: Owned): Promise<WalletSetup> => {
    const name = `${owned.ownerId} ${owned.wallet}`;
    const before = known.get(name);
    if (before?.source === owned.setup) return (await before.assembled).setup;
    // The directory was reloaded: most likely nothing changed, and the parsed keys are reused.
    const assembled = (before?.assembled ?? Promise.resolve(null)).catch(() => null).then((last) => assemble(needs, owned, last));
    const entry: Remembered = { source: owned.setup, assembled };
    known.set(name, entry);
    try {
      return (await assembled).setup;
    } catch (error) {
      // After a store failure the next token tries again.
      if (known.get(name) === entry) known.delete(name);
      throw error;
    }
  };
  const nowOf = ({ merchantId }: Entity): number =>
    (merchantId === null ? needs.clock : (needs.clockOf?.(merchantId) ?? needs.clock)).now();
  return {
    async open(entityId, wallet, token) {
      const entity = needs.entity(entityId);
      const setting = entity?.settings.wallets[wallet] ?? null;
      if (entity === null || setting === null) return notSetUp;
      if (setting === 'sandbox') {
        if (needs.environment === 'live' || needs.issuer === null || entity.merchantId === null) return notSetUp;
        const setup = needs.issuer.of(entity.merchantId).setupFor(wallet);
        return openToken(openWith(wallet, setup), token, nowOf(entity));
      }
      const setup = await setupOf({ ownerId: ownerOf(entity, wallet, needs.entity), wallet, setup: setting });
      if (setup[wallet]?.keys.length === 0) return unreadable;
      return openToken(openWith(wallet, setup), token, nowOf(entity));
    },
  };
}

/** The topmost entity with the same setting, which the entities below inherit. */
export function ownerOf({ id, path, settings }: Entity, wallet: WalletName, entity: WalletNeeds['entity']): string {
  const setup = settings.wallets[wallet];
  return path.findLast((above) => entity(above)?.settings.wallets[wallet] === setup) ?? id;
}

async function assemble(needs: WalletNeeds, { ownerId, wallet, setup }: Owned, last: Assembled | null): Promise<Assembled> {
  const names = setup.keys.map((keyId) => walletSecretName(wallet, keyId));
  const sealed = await Promise.all(names.map((name) => needs.secrets.secret(ownerId, name)));
  const text = JSON.stringify(setup);
  // A key that could not be loaded is tried again with every reload of the directory: the operator may have fixed it.
  if (last?.text === text && last.isWhole && isSame(last.sealed, sealed)) return last;
  const keys: WalletKey[] = [];
  for (const [at, name] of names.entries()) {
    const privateKey = await opened(needs, walletSecretRecord(ownerId, name), sealed[at] ?? null);
    if (privateKey !== null) keys.push({ id: setup.keys[at] as string, privateKey });
  }
  return { text, sealed, isWhole: keys.length === names.length, setup: walletSetup(wallet, setup, keys) };
}

/** The setup of one wallet in the form of openWallet(). */
export function walletSetup(wallet: WalletName, setup: Setup, keys: readonly WalletKey[]): WalletSetup {
  return { walletA: null, walletB: null, walletC: null, [wallet]: { ...setup, keys } };
}

async function opened({ vault, alarm }: WalletNeeds, record: SealedRecord, sealed: Uint8Array | null): Promise<string | null> {
  const { entityId, field: name } = record;
  if (sealed === null) {
    alarm('the private key of a wallet is not there', { entityId, name });
    return null;
  }
  try {
    return await vault.open(record, sealed);
  } catch (error) {
    // A store failure says nothing about the secret.
    if (!(error instanceof VaultRefused)) throw error;
    alarm('the private key of a wallet does not open', { entityId, name, why: error.why });
    return null;
  }
}

const isSame = (some: Assembled['sealed'], others: Assembled['sealed']): boolean =>
  some.length === others.length && some.every((one, at) => equal(one, others[at] ?? null));

const equal = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : Buffer.compare(one, other) === 0;

/** Opens tokens of one wallet with keys and certificates that are parsed already. */
type Opener = (token: string, now: number) => WalletCard | WalletFault;

/** Null: the setup has no settings for this wallet. */
function createOpener(wallet: WalletName, { walletA, walletB, walletC }: WalletSetup): Opener | null {
  switch (wallet) {
    case 'walletA': {
      const keys = walletA && prepareWalletA(walletA);
      return keys && ((token, now) => openWalletA(token, keys, now));
    }
    case 'walletB': {
      const keys = walletB && prepareWalletB(walletB);
      return keys && ((token, now) => openWalletB(token, keys, now));
    }
    case 'walletC': {
      const keys = walletC && prepareWalletC(walletC);
      return keys && ((token, now) => openWalletC(token, keys, now));
    }
  }
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
  return openToken(createOpener(wallet, setup), token, now);
}

function openToken(opener: Opener | null, token: string, now: number): WalletCard | WalletFault {
  if (token.length > TOKEN_CHARACTERS_MAX) return refusal('malformed', 'the token is too long');
  return opener ? opener(token, now) : notTaken;
}

const notTaken = refusal('unsupported', 'this entity has no settings for this wallet');
