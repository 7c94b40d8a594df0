import type { Payment } from '../client/generated/answers.ts';
import { formatAmount } from '../client/reconciliation.ts';
import { classifyResult, type Result } from '../client/results.ts';

/** Expectations that name the result in words when they fail. After them the compiler knows which fields are there. */

type Answer = { readonly result: Payment['result']; readonly amount?: string; readonly currency?: string };
export type Transaction<Of extends Answer> = Of & { readonly id: string };
export type Paid<Of extends Answer> = Of & { readonly id: string; readonly amount: string; readonly currency: string };

/** A payment that is not what a test expects. */
export class ExpectationError extends Error {
  override readonly name: string = 'ExpectationError';
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`expected ${expected}, but the payment is ${actual}`);
    this.expected = expected;
    this.actual = actual;
  }
}

function wordsFor({ result, amount, currency }: Answer): string {
  const found = classifyResult({ result: { code: result.code ?? '' } });
  const decline = found.kind === 'declined' ? ` (${found.decline})` : '';
  const errors = result.parameterErrors?.map(({ name, message }) => `; ${name} ${message}`).join('') ?? '';
  return [`${found.kind}${decline}: ${found.code} ${result.description ?? ''}${errors}`, amount, currency]
    .filter(Boolean)
    .join(', ');
}

function expectKind(answer: Answer, kind: Result['kind']): void {
  if (classifyResult({ result: { code: answer.result.code ?? '' } }).kind !== kind)
    throw new ExpectationError(kind, wordsFor(answer));
}

/** Paid, and by this amount where one is given: `'92.00'` or `9200n`. */
export function expectPaid<Of extends Answer>(
  payment: Of,
  { amount, currency }: { readonly amount?: string | bigint; readonly currency?: string } = {},
): asserts payment is Paid<Of> {
  expectKind(payment, 'success');
  const wanted = typeof amount === 'bigint' ? formatAmount(amount) : (amount ?? payment.amount);
  if (payment.amount !== wanted || payment.currency !== (currency ?? payment.currency))
    throw new ExpectationError(`success of ${wanted} ${currency ?? payment.currency}`, wordsFor(payment));
}

/** Not decided yet. */
export function expectPending<Of extends Answer>(payment: Of): asserts payment is Transaction<Of> {
  expectKind(payment, 'pending');
}

/** Declined: in any way, softly, for good, or with this code. */
export function expectDeclined<Of extends Answer>(
  payment: Of,
  how?: 'soft' | 'hard' | `${number}.${number}.${number}`,
): asserts payment is Transaction<Of> {
  expectKind(payment, 'declined');
  const found = classifyResult({ result: { code: payment.result.code ?? '' } });
  const isRight = how === undefined || found.code === how || (found.kind === 'declined' && found.decline === how);
  if (!isRight) throw new ExpectationError(`declined (${how})`, wordsFor(payment));
}
