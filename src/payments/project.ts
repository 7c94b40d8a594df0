import { amountText } from '../money/amount.ts';
import { resultCodes } from '../spec/resultCodes.ts';
import { isApproved } from './balance.ts';
import { type NestedObject, nest } from '../form/nest.ts';
import { isOpen, type Payment } from './payment.ts';
import { codeOf } from './take.ts';

/** The base fields of every answer, made by whoever answers. */
export type Base = { readonly buildNumber: string; readonly timestamp: string; readonly ndc: string };
export type Projected = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Stored for our own use, not for the answer. */
const NOT_SHOWN: readonly string[] = ['shopperResultUrl', 'notificationUrl'];

/** The answer of the API for a payment, keys in the order in which existing recordings have them. */
export function project(payment: Payment, base: Base): Projected {
  const code = codeOf(payment);
  const { text, http } = resultCodes[code];
  const { avsResponse, cvvResponse, resultDetails } = payment.details;
  const echo = nest(payment.fields);
  for (const name of NOT_SHOWN) delete echo[name];
  const { standingInstruction, ...structures } = withInstrument(payment, echo);
  const body: Record<string, unknown> = {
    id: payment.id,
    referencedId: payment.referencedId ?? undefined,
    paymentType: payment.paymentType,
    paymentBrand: payment.paymentBrand ?? undefined,
    ...money(payment),
    merchantTransactionId: payment.merchantTransactionId ?? undefined,
    result: { code, description: text, avsResponse, cvvResponse },
    resultDetails,
    ...structures,
    brandResult: payment.isBrandDetected ? payment.paymentBrand : undefined,
    ...base,
    standingInstruction: standingInstructionOf(payment, standingInstruction),
  };
  return { status: http, body };
}

/** The amount that was approved: a declined payment moved nothing, so it shows none. */
function money(payment: Payment): Record<string, string> {
  if (!isApproved(payment) && !isOpen(payment)) return {};
  return { amount: amountText(payment.amount), currency: payment.currency, descriptor: payment.descriptor };
}

function withInstrument(payment: Payment, echo: NestedObject): Record<string, unknown> {
  const { instrument, details } = payment;
  if (!instrument) return echo;
  const { kind, ...shown } = instrument;
  const present = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  const echoed = echo[kind];
  const extras = kind === 'card' ? details.card : undefined;
  return { [kind]: { ...present, ...(typeof echoed === 'object' ? echoed : {}), ...extras }, ...without(echo, kind) };
}

function without(echo: NestedObject, name: string): NestedObject {
  const rest: NestedObject = Object.assign(Object.create(null), echo);
  delete rest[name];
  return rest;
}

function standingInstructionOf({ details }: Payment, sent: unknown): unknown {
  if (details.initialTransactionId === undefined) return sent;
  return { ...(sent as object | undefined), initialTransactionId: details.initialTransactionId };
}
