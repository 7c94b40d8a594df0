import { FEW_FIELDS, type NestedObject, nest, nestInSlices } from '../../form/nest.ts';
import { codeOf } from '../../payments/commitPayment.ts';
import type { Payment } from '../../payments/payment.ts';
import { type Base, projectAuthentication, projectNested, projectRegistration } from '../../payments/reply/project.ts';
import { openProof, withOpenProof } from '../../payments/threeDS/steps.ts';
import type { Registration } from '../../registrations/registration.ts';
import { jsonInSlices, namesOf } from '../../runtime/json.ts';
import { ticks } from '../../runtime/ticks.ts';
import { instantText } from '../../spec/formats/dates.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { originFor } from '../handler.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';

/** The name of the reply, and the request that it answers. */
type ReplyContext = {
  readonly ndc: string;
  readonly request: Request;
  /** The payments of its family, where the reply tells the sums. */
  readonly family?: readonly Payment[] | null;
  /** When the run of its schedule is tried again; null: never, or it is of no schedule. */
  readonly nextAttemptAt?: number | null;
  /** The fields at the end of the reply; left out: made for it. */
  readonly base?: Base;
};

export type ReplyServices = Pick<Services, 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>;

/** The parts of a reply, before its body is text. */
type ReplyParts = {
  readonly status: number;
  readonly body: object;
  readonly code: ReturnType<typeof codeOf>;
};

/** A payment as a reply, counted by its result. */
export function paymentReply(services: ReplyServices, payment: Payment, context: ReplyContext): Reply {
  const parts = replyParts(services, payment, context, nest(payment.fields));
  return replyOf(services, payment, context, { ...parts, text: JSON.stringify(parts.body) });
}

function replyParts(
  services: ReplyServices,
  payment: Payment,
  { ndc, request, family = null, nextAttemptAt = null, base }: ReplyContext,
  nested: NestedObject,
): ReplyParts {
  const { replies, metrics } = services;
  const code = codeOf(payment);
  metrics.payment(payment.paymentType, resultCodes[code].means);
  // Only the redirect of an open payment has the origin in it.
  const origin = payment.phase.at === 'final' ? '' : (originFor(services, request) ?? '');
  const { status, body } = projectNested(payment, nested, { base: base ?? replies.base(ndc), origin, family });
  const next = nextAttemptAt !== null && { ...(body.schedule as object), nextAttemptAt: instantText(nextAttemptAt) };
  return { status, body: next ? { ...body, schedule: next } : body, code };
}

function replyOf(
  { replies }: ReplyServices,
  payment: Payment,
  { ndc }: ReplyContext,
  { status, code, text }: ReplyParts & { readonly text: string },
): Reply {
  return replies.text(status, text, { code, ndc, entityId: payment.entityId });
}

/** The same for the merchant, who also reads the proof of an authentication. */
export async function merchantReply(services: ReplyServices, payment: Payment, context: ReplyContext): Promise<Reply> {
  if (payment.isBrief) return wholeReply(services, payment, context);
  const names = namesOf(payment.fields);
  if (names.length > FEW_FIELDS) return longReply(services, payment, { ...context, names });
  const opened = payment.threeDS?.sealedProof ? await withOpenProof(services.world, payment) : payment;
  return paymentReply(services, opened, context);
}

/** The same for a payment that was read without its cart. */
async function wholeReply(services: ReplyServices, { merchantId, id }: Payment, context: ReplyContext): Promise<Reply> {
  const payment = await services.world.store.payment(merchantId, id);
  if (!payment) throw new Error(`payment ${id} is gone`);
  return merchantReply(services, payment, context);
}

/** The same for a payment with many fields: other requests come in between. The proof of an authentication is in a field of its own. */
async function longReply(
  services: ReplyServices,
  payment: Payment,
  { names, ...context }: ReplyContext & { readonly names: readonly string[] },
): Promise<Reply> {
  const rest = context.request.decoded?.rest ?? ticks.ofForm();
  const nested = await nestInSlices(payment.fields, names, rest);
  const opened = await withOpenProof(services.world, payment);
  const parts = replyParts(services, opened, context, nested);
  const reply = replyOf(services, opened, context, { ...parts, text: await jsonInSlices(parts.body, rest) });
  await rest();
  return reply;
}

/** A registration as a reply. */
export async function registrationReply(
  { replies, world }: Pick<Services, 'replies' | 'world'>,
  registration: Registration,
  ndc: string,
): Promise<Reply> {
  const storedBy = await world.store.payment(registration.merchantId, registration.paymentId);
  const { status, body } = projectRegistration(
    registration,
    replies.base(ndc),
    storedBy && (await withOpenProof(world, storedBy)),
  );
  return replies.json(status, body, { code: registration.code, ndc, entityId: registration.entityId });
}

/** An authentication as a reply; its proof is opened for the merchant alone. */
export async function authenticationReply(
  { replies, world }: Pick<Services, 'replies' | 'world'>,
  payment: Payment,
  ndc: string,
): Promise<Reply> {
  const state = payment.threeDS && (await openProof(world, payment, payment.threeDS));
  const { status, body } = projectAuthentication(payment, replies.base(ndc), state);
  return replies.json(status, body, { code: codeOf(payment), ndc, entityId: payment.entityId });
}
