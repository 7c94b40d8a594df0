import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { type Amount, amountOf } from '../money/amount.ts';
import { isRecord } from '../runtime/json.ts';
import type { FolderAddress } from '../spec/remoteFolder.ts';
import {
  type FolderSettings,
  kindFaults,
  protocolFaults,
  remoteFolderFrom,
  remoteFolderKinds,
  requiredOfFolder,
  text,
} from './remoteFolder.ts';

/** The setting `settlement` of an entity: its account numbers at acquirers, and how far a line may be off. */
type SettlementSettings = {
  /** The acquirers' account numbers of this entity. Once one is set, lines with unknown numbers belong to no entity. */
  readonly accounts: readonly string[];
  /** The highest fee of one transaction: a percentage of its amount plus a fixed amount. */
  readonly feePercentMax: string;
  readonly feeFixedMax: string;
  /** How far a converted amount may differ from amount × rate. */
  readonly fxPercentMax: string;
  /** Days from a payment to its settlement, and to its chargeback. */
  readonly daysMax: number;
  readonly chargebackDaysMax: number;
  /** The acquirer settles one payment in several amounts. */
  readonly isInParts: boolean;
};

export const defaultSettlement: SettlementSettings = {
  accounts: [],
  feePercentMax: '5.00',
  feeFixedMax: '1.00',
  fxPercentMax: '2.00',
  daysMax: 45,
  chargebackDaysMax: 540,
  isInParts: false,
};

type Kind = { readonly description: string; readonly fits: (value: unknown) => boolean };

const decimal = (most: bigint): Kind => ({
  description: `a text such as "2.50", at most ${most / 100n}`,
  fits: (value) => typeof value === 'string' && (amountOf(value) ?? most + 1n) <= most,
});
const days: Kind = {
  description: 'a whole number from 1 to 1000',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 1_000,
};

const toleranceKinds: Readonly<Record<keyof SettlementSettings, Kind>> = {
  accounts: {
    description: 'a list of at most 100 different texts of 5 to 64 characters',
    fits: (value) =>
      Array.isArray(value) &&
      value.length <= 100 &&
      new Set(value).size === value.length &&
      value.every((one) => typeof one === 'string' && one.length >= 5 && one.length <= 64),
  },
  feePercentMax: decimal(10_000n),
  feeFixedMax: decimal(100_000_00n),
  fxPercentMax: decimal(10_000n),
  daysMax: days,
  chargebackDaysMax: days,
  isInParts: { description: 'true or false', fits: (value) => typeof value === 'boolean' },
};

/** One sentence for each fault of the setting. */
export function settlementSettingFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['the setting "settlement" must be an object'];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'pull') return pullFaults(part);
    if (!Object.hasOwn(toleranceKinds, name)) return [`the setting "settlement.${name}" does not exist`];
    const kind = toleranceKinds[name as keyof SettlementSettings];
    return kind.fits(part) ? [] : [`the setting "settlement.${name}" must be ${kind.description}`];
  });
}

/** The limits that a line is checked against. */
export type Tolerance = Pick<SettlementSettings, 'daysMax' | 'chargebackDaysMax' | 'isInParts'> & {
  /** In hundredths of a percent, and in hundredths. */
  readonly feeBasisPoints: bigint;
  readonly feeFixed: Amount;
  readonly fxBasisPoints: bigint;
};

export function settlementOf(settings: ModuleSettings | undefined): SettlementSettings {
  return { ...defaultSettlement, ...(settings as Partial<SettlementSettings> | undefined) };
}

export function toleranceOf({ feePercentMax, feeFixedMax, fxPercentMax, ...rest }: SettlementSettings): Tolerance {
  return {
    daysMax: rest.daysMax,
    chargebackDaysMax: rest.chargebackDaysMax,
    isInParts: rest.isInParts,
    feeBasisPoints: amountOf(feePercentMax) ?? 0n,
    feeFixed: amountOf(feeFixedMax) ?? 0n,
    fxBasisPoints: amountOf(fxPercentMax) ?? 0n,
  };
}

/** The member `pull` of the setting `settlement`: an acquirer's folder from which files are fetched. */
export type Pull = {
  readonly target: FolderAddress;
  /** The treatment of a file on the server after its import. */
  readonly afterwards: 'leave' | 'rename' | 'remove';
};

const SETTING = 'settlement.pull';
const pullKinds = { ...remoteFolderKinds, afterwards: text('one of leave, rename, remove', /^(?:leave|rename|remove)$/) };

/** One sentence for each fault of the setting. */
export function pullFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return [`the setting "${SETTING}" must be an object`];
  const missing = requiredOfFolder
    .filter((name) => value[name] === undefined)
    .map((name) => `the setting "${SETTING}.${name}" is missing`);
  return [...kindFaults(SETTING, pullKinds, value), ...missing, ...protocolFaults(SETTING, value)];
}

/** Reads a setting without faults; null: nothing is fetched. */
export function pullOf(settings: Readonly<Record<string, unknown>> | undefined): Pull | null {
  const own = settings?.pull as (FolderSettings & Partial<Pick<Pull, 'afterwards'>>) | undefined;
  return own ? { target: remoteFolderFrom(own), afterwards: own.afterwards ?? 'leave' } : null;
}
