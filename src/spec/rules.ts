import { basic } from './rules/basic.ts';
import { checkouts } from './rules/checkouts.ts';
import { instrumentRules } from './rules/instruments.ts';
import { customers, goods, threeDSecure } from './rules/purchase.ts';
import { queries } from './rules/queries.ts';
import type { Rule } from './rules/rule.ts';
import { series } from './rules/series.ts';
import { stored, tokens } from './rules/stored.ts';

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
