import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { isRecord } from '../spec/json.ts';
import { countryNumber } from './cardholder.ts';
import { type Check, digits, text, url } from './messages/formats.ts';
import { type NetworkName, networks } from './networks.ts';
import { defaultPolicy, type Policy, policyFaults } from './policy.ts';
import type { Registered, Setup } from './setup.ts';

/** The setting `threeDS` of an entity: `policy`, what is gone on with; `setup`, what it is registered with. */

type Fits = Pick<Check, 'says'> & { readonly fits: (value: unknown) => boolean };

const DECOUPLED_MINUTES_MAX = 10_080;

/** What goes into a message must be as the protocol wants it, and without signs that nobody can see. */
const plain = (check: Check): Fits => ({
  says: check.says,
  fits: (value) => check.fits(value, '2.2.0') && !/\p{Cc}/u.test(String(value)),
});

const registered: Readonly<Record<keyof Registered, Fits>> = {
  requestorId: plain(text(35)),
  requestorName: plain(text(40)),
  acquirerBIN: plain(text(11)),
  acquirerMerchantID: plain(text(35)),
};

const forAll: Readonly<Record<Exclude<keyof Setup, 'networks'>, Fits>> = {
  ...registered,
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

/** What is wrong with the setting, a sentence for each fault with its place; values are never repeated. */
export function threeDSSettingFaults(value: unknown): readonly string[] {
  return membersOf('threeDS', value, (name, part, place) => {
    if (name === 'policy') return policyFaultsAt(part, place);
    return name === 'setup' ? setupFaults(part, place) : null;
  });
}

const policyFaultsAt = (value: unknown, at: string): readonly string[] =>
  isRecord(value) ? policyFaults(value).map((says) => `the setting "${at}": ${says}`) : [`the setting "${at}" must be an object`];

const setupFaults = (value: unknown, at: string): readonly string[] =>
  membersOf(at, value, (name, part, place) => {
    if (name === 'networks') return networkFaults(part, place);
    return kindFaults(forAll, name, { part, place });
  });

const networkFaults = (value: unknown, at: string): readonly string[] =>
  membersOf(at, value, (name, part, place) => (Object.hasOwn(networks, name) ? faultsBy(registered, part, place) : null));

const faultsBy = (kinds: Readonly<Record<string, Fits>>, value: unknown, at: string): readonly string[] =>
  membersOf(at, value, (name, part, place) => kindFaults(kinds, name, { part, place }));

type Part = { readonly part: unknown; readonly place: string };

function kindFaults(kinds: Readonly<Record<string, Fits>>, name: string, { part, place }: Part): readonly string[] | null {
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

type Ready = { readonly policy: Policy; readonly setup: Partial<Setup> };

const ready = new WeakMap<ModuleSettings, Ready>();

function readyOf(settings: ModuleSettings): Ready {
  const known = ready.get(settings);
  if (known) return known;
  const made: Ready = { policy: policyIn(settings.policy), setup: setupIn(settings.setup) };
  ready.set(settings, made);
  return made;
}

/** What an entity goes on with: its own choices over the default ones. */
export const policyOf = (settings: ModuleSettings): Policy => readyOf(settings).policy;

/** What an entity is registered with: its own setup over the one that stands for everybody. */
export const setupOf = (settings: ModuleSettings, fallback: Setup): Setup => ({ ...fallback, ...readyOf(settings).setup });

/** The parts that are right. Faults are told when the hierarchy is read; here nothing may throw. */
const partsIn = (value: unknown, kinds: Readonly<Record<string, Fits>>): Readonly<Record<string, unknown>> =>
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
    .map(([name, part]): [string, Partial<Registered>] => [name, partsIn(part, registered)]);
  const parts: Partial<Setup> = partsIn(value, forAll);
  return byNetwork.length === 0
    ? parts
    : { ...parts, networks: Object.fromEntries(byNetwork) as Partial<Record<NetworkName, Partial<Registered>>> };
}
