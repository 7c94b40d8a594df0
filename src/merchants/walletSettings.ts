import { isRecord } from '../runtime/json.ts';
/**
 * How an entity takes the tokens of device wallets. The keys are named by id alone; each private key is sealed in the store under
 * the name of its wallet and its id, `walletA/2026`. Two ids side by side are a key that is being exchanged.
 */

/** The identity of a shop at the wallet's servers, which open the payment sheet for its pages only. */
export type WalletIdentity = {
  /** Names the private key, which is sealed in the store as `walletA/identity/<id>`. */
  readonly id: string;
  /** The certificate signed by the wallet's provider, as PEM. */
  readonly certificate: string;
  /** The name that the sheet shows. */
  readonly displayName: string;
  /** The hosts that may open the sheet, as registered with the provider. */
  readonly domains: readonly string[];
};

type WalletASettings = {
  readonly merchantIdentifier: string;
  /** Without one the payment widget does not offer the wallet; tokens of apps are taken all the same. */
  readonly identity?: WalletIdentity;
  readonly keys: readonly string[];
  /** Certificates of the roots that are trusted, as PEM. */
  readonly roots: readonly string[];
  readonly windowSeconds: number;
};

type WalletBSettings = {
  readonly identity?: undefined;
  readonly recipientId: string;
  readonly gatewayMerchantId: string | null;
  readonly keys: readonly string[];
  readonly roots: readonly {
    readonly keyValue: string;
    readonly protocolVersion: string;
    readonly keyExpiration: string | null;
  }[];
};

type WalletCSettings = {
  readonly identity?: undefined;
  readonly merchantIdentifier: string;
  readonly keys: readonly string[];
  readonly signers: readonly { readonly id: string; readonly publicKey: string }[];
  readonly requireSigned: boolean;
  readonly windowSeconds: number;
};

/** The setup of each wallet. */
export type WalletSetups = {
  readonly walletA: WalletASettings;
  readonly walletB: WalletBSettings;
  readonly walletC: WalletCSettings;
};

/** For each wallet its setup, `sandbox` for the issuer of the test environment, which live does not know, or null: not taken. */
export type WalletSettings = { readonly [Name in keyof WalletSetups]: WalletSetups[Name] | 'sandbox' | null };

type Check = { readonly says: string; readonly fits: (value: unknown) => boolean; readonly isOptional?: true };

const TEXT_CHARACTERS_MAX = 256;
const PEM_CHARACTERS_MAX = 16_384;
const LIST_MAX = 32;
/** As many as the provider lets one shop register. */
const DOMAINS_MAX = 99;
const WINDOW_SECONDS_MAX = 86_400;
const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const RECIPIENT = /^(?:merchant|gateway):[\x21-\x7e]{1,200}$/;
const CERTIFICATE = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;
const PUBLIC_KEY = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/;

const isText = (value: unknown, pattern: RegExp, charactersMax = TEXT_CHARACTERS_MAX): boolean =>
  typeof value === 'string' && value.length <= charactersMax && pattern.test(value);

type Count = { readonly min?: number; readonly max?: number };

const isList = (value: unknown, fits: (item: unknown) => boolean, { min = 1, max = LIST_MAX }: Count = {}): boolean =>
  Array.isArray(value) && value.length >= min && value.length <= max && value.every(fits);

/** An object of exactly these members. */
const hasOnly = (value: unknown, members: Readonly<Record<string, (item: unknown) => boolean>>): boolean =>
  isRecord(value) &&
  Object.keys(value).length === Object.keys(members).length &&
  Object.entries(members).every(([name, fits]) => Object.hasOwn(value, name) && fits(value[name]));

const identifier: Check = {
  says: 'a text of 1 to 256 printable characters',
  fits: (value) => isText(value, /^[\x21-\x7e]+$/),
};

const keys: Check = {
  says: 'a list of key ids such as "2026", each once; the private keys themselves are kept by the command wallet-setup',
  fits: (value) => isList(value, (id) => isText(id, KEY_ID)) && new Set(value as string[]).size === (value as string[]).length,
};

const identity: Check = {
  says: 'an object of id, certificate (PEM), displayName (1 to 64 characters) and domains (host names such as shop.example)',
  isOptional: true,
  fits: (value) =>
    hasOnly(value, {
      id: (text) => isText(text, KEY_ID),
      certificate: (text) => isText(text, CERTIFICATE, PEM_CHARACTERS_MAX),
      displayName: (text) => isText(text, /^[^\p{Cc}\p{Cs}]{1,64}$/u),
      domains: (list) => isList(list, (host) => isText(host, DOMAIN), { max: DOMAINS_MAX }),
    }),
};

const windowSeconds: Check = {
  says: `a whole number of 1 to ${WINDOW_SECONDS_MAX}`,
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= WINDOW_SECONDS_MAX,
};

const isOptional = (value: unknown, pattern: RegExp): boolean => value === null || isText(value, pattern);

/** The format of each member. Certificates and keys are checked when they are saved. */
const members: Readonly<Record<keyof WalletSetups, Readonly<Record<string, Check>>>> = {
  walletA: {
    merchantIdentifier: identifier,
    keys,
    roots: {
      says: 'a list of certificates in PEM',
      fits: (value) => isList(value, (root) => isText(root, CERTIFICATE, PEM_CHARACTERS_MAX)),
    },
    windowSeconds,
    identity,
  },
  walletB: {
    recipientId: { says: 'merchant:<id> or gateway:<id>', fits: (value) => isText(value, RECIPIENT) },
    gatewayMerchantId: {
      says: 'null or a text of 1 to 256 printable characters',
      fits: (value) => isOptional(value, /^[\x21-\x7e]+$/),
    },
    keys,
    roots: {
      says: 'a list of {keyValue, protocolVersion, keyExpiration}: base64, ECv1 or ECv2, milliseconds as text or null',
      fits: (value) =>
        isList(value, (root) =>
          hasOnly(root, {
            keyValue: (text) => isText(text, /^[A-Za-z0-9+/]+=*$/),
            protocolVersion: (text) => text === 'ECv1' || text === 'ECv2',
            keyExpiration: (text) => isOptional(text, /^[0-9]{1,16}$/),
          }),
        ),
    },
  },
  walletC: {
    merchantIdentifier: identifier,
    keys,
    signers: {
      says: 'a list of {id, publicKey}, each key a public one in PEM',
      fits: (value) =>
        isList(
          value,
          (signer) =>
            hasOnly(signer, {
              id: (text) => isText(text, /^[\x21-\x7e]+$/),
              publicKey: (text) => isText(text, PUBLIC_KEY, PEM_CHARACTERS_MAX),
            }),
          { min: 0 },
        ),
    },
    requireSigned: { says: 'true or false', fits: (value) => typeof value === 'boolean' },
    windowSeconds,
  },
};

/** Whether an object has a member of this name that is a wallet. */
export const isWalletName = (name: string): name is keyof WalletSetups => Object.hasOwn(members, name);

/** The faults of one wallet's setup, each with its member. A fault never repeats a value, which may be a secret. */
export function walletSetupFaults(wallet: keyof WalletSetups, setup: unknown): readonly string[] {
  if (!isRecord(setup)) return [`"${wallet}" must be null, "sandbox" or an object`];
  const rows = members[wallet];
  const unknown = Object.keys(setup).filter((name) => !Object.hasOwn(rows, name));
  return [
    ...unknown.map((name) => `"${wallet}.${name.slice(0, 64)}" does not exist`),
    ...Object.entries(rows).flatMap(([name, { says, fits, isOptional: mayLack }]) => {
      if (!Object.hasOwn(setup, name)) return mayLack ? [] : [`"${wallet}.${name}" is missing; it must be ${says}`];
      return fits(setup[name]) ? [] : [`"${wallet}.${name}" must be ${says}`];
    }),
  ];
}

/** The faults of the setting `wallets` of one node, a sentence for each. */
export function walletFaults(wallets: unknown): readonly string[] {
  if (!isRecord(wallets)) return ['the setting "wallets" must be an object of walletA, walletB and walletC'];
  return Object.entries(wallets).flatMap(([name, setup]) => {
    if (!isWalletName(name))
      return [`the setting "wallets" has no "${name.slice(0, 64)}"; it may have walletA, walletB and walletC`];
    if (setup === null || setup === 'sandbox') return [];
    return walletSetupFaults(name, setup).map((says) => `in the setting "wallets", ${says}`);
  });
}
