import { type NestedObject, nest } from '../../form/nest.ts';
import { instantTextFine } from '../../spec/dates.ts';
import type { Payment } from '../payment.ts';
import { sourceOf } from '../webhook/payload.ts';
import { projectNested } from './project.ts';

/**
 * A payment as one of a list: without the fields of a request, with the instant at which it was begun, with its type whatever it is, and
 * with the memo, which only reports show. `isFull` adds what newer clients read there.
 */
export function projectRecord(
  payment: Payment,
  { origin, isFull, family }: { readonly origin: string; readonly isFull: boolean; readonly family: readonly Payment[] | null },
  nested: NestedObject = nest(payment.fields),
): Readonly<Record<string, unknown>> {
  const base = { buildNumber: '', timestamp: instantTextFine(payment.createdAt), ndc: '' };
  const {
    id,
    buildNumber: _,
    timestamp,
    ndc: __,
    standingInstruction,
    ...others
  } = projectNested(payment, nested, { base, origin, family }).body;
  const { referencedId, registrationId, paymentType: ___, ...rest } = others;
  return {
    id,
    referencedId,
    registrationId,
    paymentType: payment.paymentType,
    ...rest,
    merchantMemo: payment.fields.merchantMemo,
    timestamp,
    ...(isFull && { source: sourceOf(payment), paymentMethod: payment.method, shortId: payment.shortId }),
    standingInstruction,
  };
}
