import type { Kind } from './kinds.ts';

/** One field of a request of the administration API: in the JSON body of a POST, in the query of anything else. */
export type AdminField<Value = unknown, IsNeeded extends boolean = boolean> = {
  readonly isRequired: IsNeeded;
  /** Its purpose, as a sentence. */
  readonly description: string;
  readonly kind: Kind<Value>;
  readonly example: unknown;
  /** Never shown, not even in the message about it. */
  readonly isSecret: boolean;
};

export type AdminFieldTable = Readonly<Record<string, AdminField>>;

export const required = <Value>(
  kind: Kind<Value>,
  description: string,
  example: unknown = kind.good[0],
): AdminField<Value, true> => ({
  isRequired: true,
  description,
  kind,
  example,
  isSecret: kind.isSecret === true,
});

export const optional = <Value>(
  kind: Kind<Value>,
  description: string,
  example: unknown = kind.good[0],
): AdminField<Value, false> => ({
  ...required(kind, description, example),
  isRequired: false,
});

/** An entity for examples. */
export const ENTITY = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
export const PAGE_MAX = 200;

/** Fields that many lists have. */
export const limit = optional(
  {
    message: `must be a whole number from 1 to ${PAGE_MAX}`,
    schema: { type: 'integer', minimum: 1, maximum: PAGE_MAX },
    parse: (value) =>
      Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= PAGE_MAX ? (value as number) : undefined,
    good: [1, PAGE_MAX],
    bad: [0, PAGE_MAX + 1, 1.5, 'many', '', null],
  },
  'Page size; default 50.',
  50,
);
