import { cardNumberModes } from './cards/cardNumbers.ts';
import { methods } from './paymentTypes.ts';
import type { Right } from './rights.ts';

/** How one value is shown and typed. `json` takes whatever the checks of the server let through. */
export type Control =
  | { readonly is: 'flag' | 'flagOrNull' | 'timeZone' | 'json' }
  | { readonly is: 'text'; readonly isLong?: true }
  | { readonly is: 'choice'; readonly words: readonly string[] }
  | { readonly is: 'number'; readonly least: number; readonly most: number }
  /** Null means that everything is allowed, where `orNull` says so. */
  | { readonly is: 'list'; readonly of: 'brand' | 'currency' | 'column' | 'text'; readonly orNull?: true }
  /** A text by one of some keys. */
  | { readonly is: 'table'; readonly keys: readonly string[] }
  /** Amounts by currency. */
  | { readonly is: 'amounts' }
  /** An object; required members are marked. */
  | { readonly is: 'members'; readonly members: Readonly<Record<string, Member>> };

export type Member = { readonly control: Control; readonly isNeeded?: true };

export type EntityKind = 'psp' | 'division' | 'merchant' | 'channel';

/** One setting of a node, as the page that shows it reads it. */
export type SettingRow = {
  readonly group: SettingGroup;
  readonly control: Control;
  /** Where it can be set; everywhere where nothing is said. */
  readonly at?: readonly EntityKind[];
  /** A right that the caller needs beside that of changing settings. */
  readonly right?: Right;
  /** The user must have confirmed the sign-in a short time ago. */
  readonly stepUp?: true;
  /** The value of the parent is not inherited. */
  readonly isOwnOnly?: true;
};

/** In the order in which they are shown. */
export const settingGroups = [
  'general',
  'methods',
  'shopper',
  'limits',
  'risk',
  'threeDS',
  'wallets',
  'schedules',
  'settlement',
  'reconciliation',
  'scenarios',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

const flag: Control = { is: 'flag' };
const json: Control = { is: 'json' };
const text: Control = { is: 'text' };
const choice = (...words: readonly string[]): Control => ({ is: 'choice', words });
const number = (least: number, most: number): Control => ({ is: 'number', least, most });
const rule = { group: 'risk', control: choice('on', 'report', 'off') } as const;
const wallet = { group: 'wallets', control: json, right: 'keys', stepUp: true } as const;
const amount = { group: 'settlement', control: text } as const;

const place = {
  kind: { control: choice('sftp', 'ftps', 'ftp'), isNeeded: true },
  host: { control: text, isNeeded: true },
  port: { control: number(1, 65_535) },
  user: { control: text, isNeeded: true },
  directory: { control: text },
  hostKey: { control: text },
  ca: { control: { is: 'text', isLong: true } },
  insecure: { control: flag },
} as const satisfies Readonly<Record<string, Member>>;

/**
 * Every setting by its name, or by the names of the table and its member, as in the JSON of a node. The gateway sends a
 * password to a server of files, so naming one needs the right to keys.
 */
export const settingRows = {
  state: { group: 'general', control: choice('active', 'new', 'disabled', 'closed') },
  timeZone: { group: 'general', control: { is: 'timeZone' } },
  isLenient: { group: 'general', control: flag },
  cardNumbersInText: { group: 'general', control: choice(...cardNumberModes) },
  dispatch: { group: 'general', control: flag, at: ['merchant'], isOwnOnly: true },
  priority: { group: 'general', control: number(-1_000_000, 1_000_000), at: ['channel'], isOwnOnly: true },
  threeDSecure: { group: 'methods', control: flag },
  connectors: { group: 'methods', control: { is: 'table', keys: ['default', ...Object.keys(methods)] } },
  accounts: { group: 'methods', control: json, right: 'keys', stepUp: true },
  'routing.rules': { group: 'methods', control: json, right: 'keys', stepUp: true },
  brands: { group: 'methods', control: { is: 'list', of: 'brand', orNull: true } },
  currencies: { group: 'methods', control: { is: 'list', of: 'currency', orNull: true } },
  shopperResultHosts: { group: 'shopper', control: { is: 'list', of: 'text', orNull: true } },
  widgetOrigins: { group: 'shopper', control: { is: 'list', of: 'text', orNull: true } },
  // A change of it redirects the merchant's money.
  bankAccount: {
    group: 'shopper',
    control: {
      is: 'members',
      members: {
        holder: { control: text, isNeeded: true },
        number: { control: text, isNeeded: true },
        bic: { control: text },
        country: { control: text },
      },
    },
    right: 'keys',
    stepUp: true,
  },
  authorisationDays: { group: 'methods', control: json },
  recordsByApi: { group: 'limits', control: { is: 'flagOrNull' } },
  // In live it brings card numbers to servers and pages that PCI DSS would otherwise leave out.
  plainCardForms: { group: 'shopper', control: { is: 'flagOrNull' }, right: 'keys', stepUp: true },
  // A user who could raise the limit alone would need no approval.
  approvals: { group: 'limits', control: { is: 'amounts' }, right: 'users', stepUp: true },
  throttle: { group: 'limits', control: json },
  'risk.mode': rule,
  'risk.cardTesting': rule,
  'risk.velocity': rule,
  'risk.lists': rule,
  'risk.countryMismatch': rule,
  'risk.holderMismatch': rule,
  'risk.uniqueTransactionIds': rule,
  'risk.duplicateSeconds': { group: 'risk', control: number(0, 86_400) },
  'risk.unchallenged': { group: 'risk', control: choice('accept', 'review', 'decline') },
  'risk.thresholds': { group: 'risk', control: json },
  'risk.limits': { group: 'risk', control: json },
  'risk.screening': { group: 'risk', control: json },
  'risk.rules': { group: 'risk', control: json, right: 'risk' },
  'risk.ruleSets': { group: 'risk', control: json, right: 'risk' },
  'threeDS.policy': { group: 'threeDS', control: json },
  'threeDS.setup': { group: 'threeDS', control: json },
  'threeDS.withoutBrowserData': { group: 'threeDS', control: choice('collect', 'continue') },
  'wallets.walletA': wallet,
  'wallets.walletB': wallet,
  'wallets.walletC': wallet,
  'schedules.triesMax': { group: 'schedules', control: number(1, 20) },
  'schedules.days': { group: 'schedules', control: number(1, 60) },
  'schedules.waitHoursDefault': { group: 'schedules', control: number(1, 720) },
  'schedules.waitHoursByAdvice': { group: 'schedules', control: json },
  'settlement.accounts': { group: 'settlement', control: { is: 'list', of: 'text' }, isOwnOnly: true },
  'settlement.feePercentMax': amount,
  'settlement.feeFixedMax': amount,
  'settlement.fxPercentMax': amount,
  'settlement.daysMax': { group: 'settlement', control: number(1, 1_000) },
  'settlement.chargebackDaysMax': { group: 'settlement', control: number(1, 1_000) },
  'settlement.isInParts': { group: 'settlement', control: flag },
  'settlement.pull': {
    group: 'settlement',
    control: { is: 'members', members: { ...place, afterwards: { control: choice('leave', 'rename', 'remove') } } },
    isOwnOnly: true,
    right: 'keys',
    stepUp: true,
  },
  reconciliation: {
    group: 'reconciliation',
    control: {
      is: 'members',
      members: {
        ...place,
        since: { control: text, isNeeded: true },
        when: { control: text },
        zone: { control: { is: 'timeZone' } },
        pattern: { control: text },
        columns: { control: { is: 'list', of: 'column' } },
      },
    },
    right: 'keys',
    stepUp: true,
  },
  scenarios: { group: 'scenarios', control: json, right: 'scenarios' },
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingName = keyof typeof settingRows;

export const settingNames = Object.keys(settingRows) as readonly SettingName[];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingRows, name);

/** The row of a setting, with what it may say. */
export const settingRow = (name: SettingName): SettingRow => settingRows[name];
