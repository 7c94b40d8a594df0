import type { Kind } from './kinds.ts';

/** One field of a request of the administration API: in the JSON body of a POST, in the query of anything else. */
export type AdminField<Value = unknown, IsNeeded extends boolean = boolean> = {
  readonly isNeeded: IsNeeded;
  /** What it is for, as a sentence. */
  readonly says: string;
  readonly fits: Kind<Value>;
  readonly example: unknown;
  /** Never shown, not even in the fault about it. */
  readonly isSecret: boolean;
};

export type AdminFieldTable = Readonly<Record<string, AdminField>>;

export const needed = <Value>(fits: Kind<Value>, says: string, example: unknown = fits.good[0]): AdminField<Value, true> => ({
  isNeeded: true,
  says,
  fits,
  example,
  isSecret: fits.isSecret === true,
});

export const free = <Value>(fits: Kind<Value>, says: string, example: unknown = fits.good[0]): AdminField<Value, false> => ({
  ...needed(fits, says, example),
  isNeeded: false,
});

/** An entity for examples. */
export const ENTITY = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
export const PAGE_MAX = 200;

/** Fields that many lists have. */
export const limit = free(
  {
    says: `must be a whole number from 1 to ${PAGE_MAX}`,
    schema: { type: 'integer', minimum: 1, maximum: PAGE_MAX },
    read: (value) =>
      Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= PAGE_MAX ? (value as number) : undefined,
    good: [1, PAGE_MAX],
    bad: [0, PAGE_MAX + 1, 1.5, 'many', '', null],
  },
  'Page size; default 50.',
  50,
);
