import type { Payment } from '../../payments/payment.ts';
import type { World } from '../../payments/ports.ts';
import type { PaymentScope } from '../../payments/read.ts';
import type { Base } from '../../payments/reply/project.ts';
import type { ResultCode } from '../../spec/resultCodes.ts';

/** The reply to a read of a payment, as text around the fields that are new in every reply. */
export type KeptReply = Pick<Payment, 'merchantId' | 'entityId' | 'familyId' | 'paymentType'> & {
  /** The version of the family that it shows. */
  readonly version: number;
  readonly status: number;
  readonly code: ResultCode;
  readonly before: string;
  readonly after: string;
};

/** Characters of all replies that one generation may keep. The generation before it is kept too. */
const CHARACTERS_MAX = 2_097_152;

type Generation = Map<string, KeptReply>;
type Kept = { young: Generation; old: Generation; characters: number };

/** Replies belong to the store that their payments are in. */
const keptIn = new WeakMap<World['store'], Kept>();

function keptBy(store: World['store']): Kept {
  const known = keptIn.get(store);
  if (known) return known;
  const kept: Kept = { young: new Map(), old: new Map(), characters: 0 };
  keptIn.set(store, kept);
  return kept;
}

function put(kept: Kept, paymentId: string, reply: KeptReply): void {
  if (kept.characters > CHARACTERS_MAX) {
    kept.old = kept.young;
    kept.young = new Map();
    kept.characters = 0;
  }
  kept.young.set(paymentId, reply);
  kept.characters += reply.before.length + reply.after.length;
}

/** The fields that are new in every reply, as its text has them. */
const baseText = (base: Base): string => `,${JSON.stringify(base).slice(1, -1)}`;

/** Whether nothing but a commit of its family changes the reply. A redirect, a proof and a schedule have states of their own. */
const isSettled = ({ phase, threeDS, scheduleId, paymentType }: Payment): boolean =>
  phase.at === 'final' && !threeDS && scheduleId === undefined && paymentType !== 'RG';

/** What a reply showed: the payment, the version of its family, and the text that was sent. */
export type Shown = {
  readonly payment: Payment;
  readonly version: number;
  readonly status: number;
  readonly code: ResultCode;
  readonly base: Base;
  readonly text: string;
};

/** Keeps a reply for later reads of the same payment. */
export function keepReply({ store }: Pick<World, 'store'>, shown: Shown): void {
  const { payment, version, status, code, base, text } = shown;
  if (!isSettled(payment)) return;
  const ofBase = baseText(base);
  // Behind it stands nothing that a client can name.
  const at = text.lastIndexOf(ofBase);
  if (at < 0) return;
  const { id, merchantId, entityId, familyId, paymentType } = payment;
  const before = text.slice(0, at);
  const after = text.slice(at + ofBase.length);
  put(keptBy(store), id, { merchantId, entityId, familyId, paymentType, version, status, code, before, after });
}

/** The kept reply about a payment that this caller may see; null: there is none, or the family has changed since. */
export function findReply(
  { store }: Pick<World, 'store'>,
  scope: PaymentScope,
  paymentId: string,
): KeptReply | null | Promise<KeptReply | null> {
  const kept = keptIn.get(store);
  const reply = kept?.young.get(paymentId) ?? kept?.old.get(paymentId);
  if (!kept || !reply || reply.merchantId !== scope.merchantId) return null;
  if (scope.entityId !== null && reply.entityId !== scope.entityId) return null;
  if (!kept.young.has(paymentId)) put(kept, paymentId, reply);
  const version = store.familyVersion(reply.merchantId, reply.familyId);
  return version instanceof Promise
    ? version.then((current) => (current === reply.version ? reply : null))
    : version === reply.version
      ? reply
      : null;
}

/** The text of a kept reply with the fields of this one. */
export const textOf = ({ before, after }: KeptReply, base: Base): string => before + baseText(base) + after;
