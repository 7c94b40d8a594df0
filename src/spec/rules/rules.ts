import { basic, queries } from './basic.ts';
import { instrumentRules } from './instruments.ts';
import { checkouts, customers, goods, threeDSecure } from './purchase.ts';
import type { Rule } from './rule.ts';
import { series, stored, tokens } from './stored.ts';

/**
 * The rules between parameters, in the order in which missing parameters are reported. That a parameter is well formed is said by its
 * row, that an endpoint cannot do without it by the endpoint.
 */
export const rules: readonly Rule[] = [
  ...stored,
  ...basic,
  ...instrumentRules,
  ...tokens,
  ...customers,
  ...goods,
  ...threeDSecure,
  ...series,
  ...queries,
  ...checkouts,
];
