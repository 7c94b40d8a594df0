import { ENTITY, optional, required } from '../admin/field.ts';
import { id, instant, type Kind } from '../admin/kinds.ts';
import { admin } from './row.ts';

/** Routing: rules are tried on past payments. */

/** The handler reports the place of each fault. */
const ruleList: Kind<readonly unknown[]> = {
  message: 'must be a list of rules as in the setting routing.rules',
  schema: { type: 'array', items: { type: 'object' } },
  parse: (value) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined),
  good: [[], [{ when: { currencies: ['EUR'] }, to: ['stripeEU'] }]],
  bad: ['', 'on', 1, null, {}],
};

export const routingEndpoints = {
  tryRouting: admin(
    'routing',
    'POST',
    '/admin/v1/routingBacktest',
    'readPayments',
    'Back-test routing rules on the stored payments of a channel, beside the present rules; nothing is stored.',
  ),
} as const;

export const routingFields = {
  tryRouting: {
    entityId: required(id, 'The channel.', ENTITY),
    rules: optional(ruleList, 'The proposed rules; default: the present ones.'),
    from: optional(instant, 'Only payments created at or after this instant; default: 30 days before the end.'),
    to: optional(instant, 'Only payments created before this instant, at most 366 days after the start; default: now.'),
  },
} as const;
