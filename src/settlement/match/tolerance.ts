import type { ModuleSettings } from '../../merchants/moduleSettings.ts';
import { type Amount, amountOf } from '../../money/amount.ts';
import { pullFaults } from '../in/pullSettings.ts';

/** The setting `settlement` of an entity: by which numbers acquirers know it, and how far a line may be off. */
export type SettlementSettings = {
  /** The acquirers' numbers for this entity; where one is set, a line with another number is nobody's. */
  readonly accounts: readonly string[];
  /** The highest fee of one transaction: a part of what it settles, and so much beside it. */
  readonly feePercentMax: string;
  readonly feeFixedMax: string;
  /** How far an exchanged amount may be off what its rate makes of it. */
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

type Kind = { readonly says: string; readonly fits: (value: unknown) => boolean };

const decimal = (most: bigint): Kind => ({
  says: `a text such as "2.50", at most ${most / 100n}`,
  fits: (value) => typeof value === 'string' && (amountOf(value) ?? most + 1n) <= most,
});
const days: Kind = {
  says: 'a whole number from 1 to 1000',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 1_000,
};

const kinds: Readonly<Record<keyof SettlementSettings, Kind>> = {
  accounts: {
    says: 'a list of at most 100 different texts of 5 to 64 characters',
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
  isInParts: { says: 'true or false', fits: (value) => typeof value === 'boolean' },
};

/** What is wrong with the setting, a sentence for each fault. */
export function settlementSettingFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['the setting "settlement" must be an object'];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'pull') return pullFaults(part);
    if (!Object.hasOwn(kinds, name)) return [`the setting "settlement.${name}" does not exist`];
    const kind = kinds[name as keyof SettlementSettings];
    return kind.fits(part) ? [] : [`the setting "settlement.${name}" must be ${kind.says}`];
  });
}

/** What a line is judged by. */
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
