import type { Fault } from '../form/checked.ts';
import { fieldsMax } from '../form/limits.ts';
import { namesOf } from '../spec/longJson.ts';
import type { Order } from './order.ts';
import type { Family } from './payment.ts';

/** How large a family may become: every request about one of its payments reads all of them. What a bank did is always kept. */

/** Refused requests are counted too: they are payments of the family. */
export const FAMILY_PAYMENTS_MAX = 1_000;
/** A request with fewer fields is taken however many its family has: a refund must not fail because of the carts of captures. */
export const FEW_FIELDS = 200;

const countFields = (fields: Order['fields']): number => namesOf(fields).length;

/** Why a family takes no further request of this length; null: it does. */
export function familyFault({ payments: [, ...followUps] }: Family, { referencedId, fields }: Order): Fault | null {
  const fault = (message: string): Fault => ({ name: 'referenceUuid', value: referencedId, message });
  if (followUps.length + 1 >= FAMILY_PAYMENTS_MAX)
    return fault(
      `must not be referenced any more: it has ${followUps.length} transactions, and at most ${FAMILY_PAYMENTS_MAX - 1} are kept`,
    );
  const count = countFields(fields);
  if (count <= FEW_FIELDS) return null;
  const sum = followUps.reduce((total, payment) => total + countFields(payment.fields), count);
  if (sum <= fieldsMax) return null;
  const most = `at most ${fieldsMax} parameters are kept of all transactions that reference a payment`;
  return fault(`must not be referenced with ${count} parameters: ${most}, and these would be ${sum}. Send fewer items`);
}
