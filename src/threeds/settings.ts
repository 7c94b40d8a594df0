import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { isRecord } from '../runtime/json.ts';
import { countryNumber } from './cardholder.ts';
import { type Check, digits, text, url } from './messages/formats.ts';
import { type NetworkName, networks } from './networks.ts';
import { defaultPolicy, type Policy, policyFaults } from './outcome.ts';

/** A channel's registration with one network: requestor and acquirer. */
type NetworkRegistration = {
  readonly requestorId: string;
  readonly requestorName: string;
  readonly acquirerBIN: string;
  readonly acquirerMerchantID: string;
};

/** A channel's registration with the networks and its acquirer. Parameters of a request take precedence. */
export type Setup = NetworkRegistration & {
  readonly requestorUrl: string;
  readonly mcc: string;
  readonly merchantName: string;
  /** ISO 3166-1, alpha-2, alpha-3 or numeric. */
  readonly merchantCountry: string;
  /** How long a cardholder has in a decoupled authentication. */
  readonly decoupledMinutes: number;
  /** Values that differ by network. */
  readonly networks: Readonly<Partial<Record<NetworkName, Partial<NetworkRegistration>>>>;
};

/** The registration with one network. */
export function registrationAt(setup: Setup, network: NetworkName): NetworkRegistration {
  const { requestorId, requestorName, acquirerBIN, acquirerMerchantID, networks } = setup;
  return { requestorId, requestorName, acquirerBIN, acquirerMerchantID, ...networks[network] };
}

/** Our addresses for callbacks. */
export type Addresses = {
  /** For results of the directory server. */
  readonly results: string;
  /** For the shopper's return from the issuer. */
  readonly notification: string;
  /** For the notification of the 3DS method. */
  readonly methodNotification: string;
};

/** The reference number of this 3DS server. */
export const SERVER_REFERENCE = 'TURNPIKE_3DS_SERVER_0001';

const SETUP_NAME_MAX = 40;

/** The setup of a channel without registration: empty values must be set before a scheme can be used. */
export const unregisteredSetup = (channelName: string, origin: string): Setup => ({
  requestorId: '',
  requestorName: channelName.slice(0, SETUP_NAME_MAX) || 'Turnpike',
  requestorUrl: origin,
  acquirerBIN: '',
  acquirerMerchantID: '',
  mcc: '',
  merchantName: channelName.slice(0, SETUP_NAME_MAX) || 'Turnpike',
  merchantCountry: '',
  decoupledMinutes: 60,
  networks: {},
});

/** The setup of a channel of the test environment, whose schemes accept every channel. */
export const sandboxSetup = (channelName: string, origin: string): Setup => ({
  ...unregisteredSetup(channelName, origin),
  requestorId: 'turnpike-sandbox',
  acquirerBIN: '400000',
  acquirerMerchantID: 'turnpike-sandbox',
  mcc: '5999',
  merchantCountry: 'DE',
});

/**
 * The setting `threeDS` of an entity: `policy`, after which outcomes a payment continues; `setup`, its registration; `withoutBrowserData`,
 * how a lenient channel treats an enrolled card without browser data.
 */

/** `collect`: a page of the gateway collects the data. `continue`: the payment continues without authentication. */
const browserDataChoices = ['collect', 'continue'] as const;
const isBrowserDataChoice = (value: unknown): boolean => browserDataChoices.some((choice) => choice === value);

type SettingRule = Pick<Check, 'says'> & { readonly fits: (value: unknown) => boolean };

const DECOUPLED_MINUTES_MAX = 10_080;

/** Values of messages must have the protocol's format and no control characters. */
const plain = (check: Check): SettingRule => ({
  says: check.says,
  fits: (value) => check.fits(value, '2.2.0') && !/\p{Cc}/u.test(String(value)),
});

const registrationRules: Readonly<Record<keyof NetworkRegistration, SettingRule>> = {
  requestorId: plain(text(35)),
  requestorName: plain(text(40)),
  acquirerBIN: plain(text(11)),
  acquirerMerchantID: plain(text(35)),
};

const setupRules: Readonly<Record<Exclude<keyof Setup, 'networks'>, SettingRule>> = {
  ...registrationRules,
  requestorUrl: plain(url(2048)),
  mcc: plain(digits(4)),
  merchantName: plain(text(40)),
  merchantCountry: {
    says: 'a country of ISO 3166-1',
    fits: (value) => typeof value === 'string' && countryNumber(value) !== undefined,
  },
  decoupledMinutes: {
    says: `a whole number from 1 to ${DECOUPLED_MINUTES_MAX}`,
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= DECOUPLED_MINUTES_MAX,
  },
};

/** The faults of the setting, a sentence each with its location; values are never repeated. */
export function threeDSSettingFaults(value: unknown): readonly string[] {
  return membersOf('threeDS', value, (name, part, place) => {
    if (name === 'policy') return policyFaultsAt(part, place);
    if (name === 'withoutBrowserData') {
      return isBrowserDataChoice(part) ? [] : [`the setting "${place}" must be ${browserDataChoices.join(' or ')}`];
    }
    return name === 'setup' ? setupFaults(part, place) : null;
  });
}

const policyFaultsAt = (value: unknown, at: string): readonly string[] =>
  isRecord(value) ? policyFaults(value).map((says) => `the setting "${at}": ${says}`) : [`the setting "${at}" must be an object`];

const setupFaults = (value: unknown, at: string): readonly string[] =>
  membersOf(at, value, (name, part, place) => {
    if (name === 'networks') return networkFaults(part, place);
    return kindFaults(setupRules, name, { part, place });
  });

const networkFaults = (value: unknown, at: string): readonly string[] =>
  membersOf(at, value, (name, part, place) => (Object.hasOwn(networks, name) ? faultsBy(registrationRules, part, place) : null));

const faultsBy = (kinds: Readonly<Record<string, SettingRule>>, value: unknown, at: string): readonly string[] =>
  membersOf(at, value, (name, part, place) => kindFaults(kinds, name, { part, place }));

type Part = { readonly part: unknown; readonly place: string };

function kindFaults(kinds: Readonly<Record<string, SettingRule>>, name: string, { part, place }: Part): readonly string[] | null {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) return null;
  return kind.fits(part) ? [] : [`the setting "${place}" must be ${kind.says}`];
}

type Members = (name: string, part: unknown, place: string) => readonly string[] | null;

/** The faults of every member; null from `faults` means that there is no such member. */
function membersOf(at: string, value: unknown, faults: Members): readonly string[] {
  if (!isRecord(value)) return [`the setting "${at}" must be an object`];
  return Object.entries(value).flatMap(([name, part]) => {
    const place = `${at}.${name}`;
    return faults(name, part, place) ?? [`the setting "${place}" does not exist`];
  });
}

/** The policy of an entity: its own choices over the defaults. */
export const policyOf = (settings: ModuleSettings): Policy => policyIn(settings.policy);

/** Whether a lenient channel continues without authentication when browser data is missing. */
export const skipsWithoutBrowser = (settings: ModuleSettings): boolean => settings.withoutBrowserData === 'continue';

/** The setup of an entity: its own values over the fallback. */
export const setupOf = (settings: ModuleSettings, fallback: Setup): Setup => ({ ...fallback, ...setupIn(settings.setup) });

/** The valid parts. Faults are reported when the hierarchy is read; nothing may throw here. */
const partsIn = (value: unknown, kinds: Readonly<Record<string, SettingRule>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      ([name, part]) => Object.hasOwn(kinds, name) && kinds[name]?.fits(part) === true,
    ),
  );

const policyIn = (value: unknown): Policy =>
  isRecord(value) && policyFaults(value).length === 0 ? { ...defaultPolicy, ...value } : defaultPolicy;

function setupIn(value: unknown): Partial<Setup> {
  if (!isRecord(value)) return {};
  const byNetwork = Object.entries(isRecord(value.networks) ? value.networks : {})
    .filter(([name]) => Object.hasOwn(networks, name))
    .map(([name, part]): [string, Partial<NetworkRegistration>] => [name, partsIn(part, registrationRules)]);
  const parts: Partial<Setup> = partsIn(value, setupRules);
  return byNetwork.length === 0
    ? parts
    : { ...parts, networks: Object.fromEntries(byNetwork) as Partial<Record<NetworkName, Partial<NetworkRegistration>>> };
}
