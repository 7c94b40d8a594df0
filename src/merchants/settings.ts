import { isValidBIC, isValidIBAN } from 'ibantools';
import { amountOf } from '../money/amount.ts';
import { isRecord } from '../runtime/json.ts';
import { brands } from '../spec/cards/brands.ts';
import { type CardNumberMode, cardNumberModes } from '../spec/cards/cardNumbers.ts';
import { isCountryAlpha2 } from '../spec/countries.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { type MethodCode, methods } from '../spec/paymentTypes.ts';
import { paymentResponse } from '../spec/response.ts';
import { VALIDITY_DAYS_MAX } from '../spec/validity.ts';
import {
  inheritTables,
  isModuleName,
  type ModuleFaults,
  type ModuleName,
  type ModuleSettings,
  noModuleFaults,
} from './moduleSettings.ts';
import { type WalletSettings, walletFaults } from './walletSettings.ts';

/** `new`: not open yet. `disabled`: closed for the moment. `closed`: for good. Only an active entity takes payments. */
export type EntityState = 'active' | 'new' | 'disabled' | 'closed';

/** A token bucket: it holds `requests` and refills evenly within `perSeconds`. */
export type Limit = { readonly requests: number; readonly perSeconds: number };

export type Throttle = Readonly<Partial<Record<EndpointName, Limit>>>;

/** Names of connectors by method; `default` for every method that is not named. */
export type Connectors = Readonly<Partial<Record<MethodCode | 'default', string>>>;

/** A merchant's account with a bank. The number is an IBAN for SEPA. */
export type MerchantAccount = {
  readonly holder: string;
  readonly number: string;
  readonly bic?: string;
  readonly country?: string;
};

/** The settings of a node, in the JSON of its `settings`. */
export type Settings = {
  /** Descriptive fields are accepted as existing clients send them; see `lenient` in spec/row.ts. */
  readonly isLenient: boolean;
  /** 3D Secure is set up: an enrolled card is authenticated. */
  readonly threeDSecure: boolean;
  /** Which connector takes which method; a method without one is not set up. */
  readonly connectors: Connectors;
  /** The accepted brands and currencies; null: all. */
  readonly brands: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  readonly timeZone: string;
  /** Where shoppers may be sent after paying elsewhere; null: wherever the merchant says. `*.shop.example` is every host below. */
  readonly shopperResultHosts: readonly string[] | null;
  /** The pages that may show the payment widget, as origins; null: any. */
  readonly widgetOrigins: readonly string[] | null;
  /** Chargebacks and the like may be recorded by the API; null: in the test environment only. */
  readonly recordsByApi?: boolean | null;
  /** Days for which authorisations are valid, by brand, by method or as `default`, instead of the table of spec/validity.ts. */
  readonly authorisationDays?: Readonly<Record<string, number>>;
  /** A checkout's form may carry card fields in clear; null: in the test environment only. */
  readonly plainCardForms?: boolean | null;
  /** The account that shoppers transfer money to; null: in the test environment that of the simulator, in live none. */
  readonly bankAccount?: MerchantAccount | null;
  /** The treatment of card numbers in free text; default: mask. */
  readonly cardNumbersInText?: CardNumberMode;
  /** By currency: how much one user may move alone. While one currency is named, the others have the limit 0; none: approvals are off. */
  readonly approvals?: Readonly<Record<string, string>>;
  readonly throttle: Throttle;
  readonly state: EntityState;
  /** Dispatching tries the channels of a merchant in this order, the lowest first; equal ones by entityId. */
  readonly priority: number;
  readonly dispatch: boolean;
  /** The accepted wallets and their setup. */
  readonly wallets: WalletSettings;
  /** The settings of the risk, 3D Secure and schedules modules, which read them. */
  readonly risk: ModuleSettings;
  readonly threeDS: ModuleSettings;
  readonly schedules: ModuleSettings;
  /** The scenarios of the simulators, in the test environment. */
  readonly scenarios?: ModuleSettings;
  /** How settlement files are matched with payments. */
  readonly settlement?: ModuleSettings;
  /** Where a merchant's reconciliation files go. */
  readonly reconciliation?: ModuleSettings;
  /** Accounts at acquirers by name, which `connectors` names. */
  readonly accounts?: ModuleSettings;
  /** Which account takes which payment; without a rule, `connectors` decides. */
  readonly routing?: ModuleSettings;
};

/** The default limits: as providers of this API family publish them, and generous ones for the rest. */
const defaultThrottle = {
  pay: { requests: 6_000, perSeconds: 60 },
  refer: { requests: 200, perSeconds: 60 },
  read: { requests: 600, perSeconds: 60 },
  query: { requests: 600, perSeconds: 60 },
  queryOne: { requests: 600, perSeconds: 60 },
  findPayments: { requests: 600, perSeconds: 60 },
  queryRecords: { requests: 600, perSeconds: 60 },
  queryRecord: { requests: 600, perSeconds: 60 },
  createCheckout: { requests: 6_000, perSeconds: 60 },
  updateCheckout: { requests: 200, perSeconds: 60 },
  // Per entity, as all limits are. Two a minute for each checkout, as some publish, fail the loops in which shops ask again.
  readCheckoutPayment: { requests: 600, perSeconds: 60 },
  readCheckoutRegistration: { requests: 600, perSeconds: 60 },
  listWebhooks: { requests: 600, perSeconds: 60 },
  createWebhook: { requests: 600, perSeconds: 60 },
  readWebhook: { requests: 600, perSeconds: 60 },
  changeWebhook: { requests: 600, perSeconds: 60 },
  removeWebhook: { requests: 600, perSeconds: 60 },
  // Each of these makes the gateway call a merchant's server.
  testWebhook: { requests: 60, perSeconds: 60 },
  resendDeliveries: { requests: 60, perSeconds: 60 },
  rotateWebhookKey: { requests: 600, perSeconds: 60 },
  switchOffWebhook: { requests: 600, perSeconds: 60 },
  listDeliveries: { requests: 600, perSeconds: 60 },
  readDelivery: { requests: 600, perSeconds: 60 },
  listScenarios: { requests: 600, perSeconds: 60 },
  readScenario: { requests: 600, perSeconds: 60 },
  readScenarioLog: { requests: 600, perSeconds: 60 },
  readPlayed: { requests: 600, perSeconds: 60 },
  // Each of these may be a file of many lines.
  bringSettlement: { requests: 60, perSeconds: 60 },
  listSettlements: { requests: 600, perSeconds: 60 },
  readSettlement: { requests: 600, perSeconds: 60 },
  listExceptions: { requests: 600, perSeconds: 60 },
  resolveException: { requests: 600, perSeconds: 60 },
  // Each of these goes through days of payments.
  listUnsettled: { requests: 60, perSeconds: 60 },
  // Each of these makes every node read the hierarchy.
  putScenario: { requests: 200, perSeconds: 60 },
  removeScenario: { requests: 200, perSeconds: 60 },
  attachScenario: { requests: 200, perSeconds: 60 },
  detachScenario: { requests: 200, perSeconds: 60 },
  addEntity: { requests: 200, perSeconds: 60 },
  addChannel: { requests: 200, perSeconds: 60 },
  changeEntity: { requests: 200, perSeconds: 60 },
  issueToken: { requests: 60, perSeconds: 60 },
  rotateToken: { requests: 60, perSeconds: 60 },
  endToken: { requests: 200, perSeconds: 60 },
  setTokenAddresses: { requests: 200, perSeconds: 60 },
} as const satisfies Throttle;

export const defaultSettings: Settings = {
  isLenient: false,
  threeDSecure: false,
  connectors: {},
  brands: null,
  currencies: null,
  timeZone: 'UTC',
  shopperResultHosts: null,
  widgetOrigins: null,
  recordsByApi: null,
  authorisationDays: {},
  plainCardForms: null,
  bankAccount: null,
  cardNumbersInText: 'mask',
  approvals: {},
  throttle: defaultThrottle,
  state: 'active',
  priority: 100,
  dispatch: false,
  // Without a setup every wallet works in the test environment and none in live.
  wallets: { walletA: 'sandbox', walletB: 'sandbox', walletC: 'sandbox' },
  risk: {},
  threeDS: {},
  schedules: {},
};

type Kind = {
  readonly says: string;
  readonly fits: (value: unknown) => boolean;
};

const flag: Kind = { says: 'true or false', fits: (value) => typeof value === 'boolean' };

const flagOrNull: Kind = { says: 'true, false or null', fits: (value) => value === null || typeof value === 'boolean' };

const listOf = (what: string, pattern: RegExp): Kind => ({
  says: `null or a list of ${what}`,
  fits: (value) =>
    value === null || (Array.isArray(value) && value.every((item) => typeof item === 'string' && pattern.test(item))),
});

const CONNECTOR_NAME = /^[a-z][a-zA-Z0-9]{0,63}$/;
const isConnectorName = (value: unknown): boolean => typeof value === 'string' && CONNECTOR_NAME.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** Names that were found to be time zones: a lookup takes some 50 µs, and a hundred thousand channels have few of them. */
const timeZones = new Set<string>();

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (timeZones.has(value)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    // There are some 600 names, each in any case of its letters.
    if (timeZones.size < TIME_ZONES_MAX) timeZones.add(value);
    return true;
  } catch {
    return false;
  }
}

const TIME_ZONES_MAX = 1_000;

const accountFormats = {
  holder: paymentResponse['merchant.bankAccount.holder'].format,
  number: paymentResponse['merchant.bankAccount.number'].format,
  bic: paymentResponse['merchant.bankAccount.bic'].format,
  country: paymentResponse['merchant.bankAccount.country'].format,
};

/** Document 1: the formats of `merchant.bankAccount`. A string that looks like an IBAN must be valid. */
function isMerchantAccount(value: unknown): boolean {
  const fits = (name: string, text: unknown): boolean =>
    typeof text === 'string' && accountFormats[name as keyof typeof accountFormats].pattern.test(text);
  if (!everyEntry(value, accountFormats, () => true) || !isRecord(value)) return false;
  const { number, bic, country } = value;
  const isIban = !/^[A-Z]{2}[0-9]{2}/.test(String(number)) || isValidIBAN(String(number));
  const isRight = isIban && (!bic || isValidBIC(String(bic))) && (!country || isCountryAlpha2(String(country)));
  return 'holder' in value && 'number' in value && isRight && Object.entries(value).every(([name, text]) => fits(name, text));
}

const validityKeys = { default: '', ...methods, ...brands };

function isDaysTable(value: unknown): boolean {
  const isDays = (days: unknown): boolean => isCount(days) && (days as number) <= VALIDITY_DAYS_MAX;
  return everyEntry(value, validityKeys, isDays);
}

const isAmount = (text: string): boolean => amountOf(text) !== undefined;

const isLimit = (value: unknown): boolean => isRecord(value) && isCount(value.requests) && isCount(value.perSeconds);

const everyEntry = (value: unknown, names: object, fits: (item: unknown) => boolean): boolean =>
  isRecord(value) && Object.entries(value).every(([name, item]) => Object.hasOwn(names, name) && fits(item));

const connectorKeys = { default: '', ...methods };
const states: readonly EntityState[] = ['active', 'new', 'disabled', 'closed'];

/** How each setting must look. A name that is not here is a typing error and is refused as one. */
const kinds: Readonly<Record<Exclude<keyof Settings, 'wallets' | ModuleName>, Kind>> = {
  isLenient: flag,
  threeDSecure: flag,
  connectors: {
    says: `an object of connector names by method (${Object.keys(connectorKeys).join(', ')})`,
    fits: (value) => everyEntry(value, connectorKeys, isConnectorName),
  },
  brands: listOf('brands', /^[A-Za-z0-9_]{1,32}$/),
  currencies: listOf('ISO 4217 currencies', /^[A-Z]{3}$/),
  shopperResultHosts: listOf(
    'host names such as shop.example or *.shop.example',
    /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?$/,
  ),
  widgetOrigins: listOf(
    'origins such as https://shop.example, or null for pages that have none',
    /^(?:https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?|null)$/,
  ),
  recordsByApi: flagOrNull,
  authorisationDays: {
    says: `an object of whole numbers of days, 1 to ${VALIDITY_DAYS_MAX}, by brand, by method or as default`,
    fits: isDaysTable,
  },
  plainCardForms: flagOrNull,
  bankAccount: {
    says: 'null or an object of holder, number (an IBAN for SEPA), and if known bic and country',
    fits: (value) => value === null || isMerchantAccount(value),
  },
  cardNumbersInText: {
    says: `one of ${cardNumberModes.join(', ')}`,
    fits: (value) => cardNumberModes.some((mode) => mode === value),
  },
  timeZone: { says: 'the name of a time zone such as Europe/Vienna', fits: isTimeZone },
  approvals: {
    says: 'an object of amounts such as "500.00" by ISO 4217 currency',
    fits: (value) =>
      isRecord(value) &&
      Object.entries(value).every(([code, text]) => /^[A-Z]{3}$/.test(code) && typeof text === 'string' && isAmount(text)),
  },
  throttle: {
    says: 'an object of {requests, perSeconds}, both whole numbers above 0, by the name of an endpoint',
    fits: (value) => everyEntry(value, endpoints, isLimit),
  },
  state: { says: `one of ${states.join(', ')}`, fits: (value) => states.some((state) => state === value) },
  priority: { says: 'a whole number', fits: Number.isSafeInteger },
  dispatch: flag,
};

/** The faults of one node's settings, a sentence for each. */
export function settingFaults(
  settings: Readonly<Record<string, unknown>>,
  services: ModuleFaults = noModuleFaults,
): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (name === 'wallets') return walletFaults(value);
    if (isModuleName(name)) return isRecord(value) ? services[name](value) : [`the setting "${name}" must be an object`];
    if (!Object.hasOwn(kinds, name)) return [`the setting "${name}" does not exist`];
    const kind = kinds[name as keyof typeof kinds];
    return kind.fits(value) ? [] : [`the setting "${name}" must be ${kind.says}`];
  });
}

const without = (table: ModuleSettings, names: readonly string[]): ModuleSettings =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));

/** A node's settings over the settings of the node above it. Settings of the node alone are not inherited. */
export function inherit(above: Settings, own: Partial<Settings>): Settings {
  return {
    ...above,
    ...own,
    throttle: { ...above.throttle, ...own.throttle },
    authorisationDays: { ...above.authorisationDays, ...own.authorisationDays },
    approvals: { ...above.approvals, ...own.approvals },
    // A wallet is set up as a whole: no part of it comes from above.
    wallets: { ...above.wallets, ...own.wallets },
    risk: { ...above.risk, ...own.risk },
    threeDS: { ...above.threeDS, ...own.threeDS },
    schedules: { ...above.schedules, ...own.schedules },
    scenarios: inheritTables(above.scenarios ?? {}, own.scenarios ?? {}),
    // Account numbers and an acquirer's folder belong to their node and are not inherited.
    settlement: { ...without(above.settlement ?? {}, ['accounts', 'pull']), ...own.settlement },
    // A server is named as a whole: no part of it comes from above.
    reconciliation: own.reconciliation ?? above.reconciliation ?? {},
    // An account is set up as a whole: no part of it comes from above.
    accounts: { ...above.accounts, ...own.accounts },
    ...((above.routing ?? own.routing) !== undefined && { routing: { ...above.routing, ...own.routing } }),
    // A default connector also replaces inherited connectors of single methods.
    connectors: own.connectors?.default === undefined ? { ...above.connectors, ...own.connectors } : own.connectors,
    // Nothing below an entity that is not active is active.
    state: above.state === 'active' ? (own.state ?? 'active') : above.state,
    priority: own.priority ?? defaultSettings.priority,
    dispatch: own.dispatch ?? false,
  };
}
