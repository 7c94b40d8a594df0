import type { Payment } from '../../payments/payment.ts';
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

/** A reply as it was sent: the payment and the version of its family that it shows, and its text with the fields of `base`. */
export type Shown = Pick<KeptReply, 'version' | 'status' | 'code'> & {
  readonly payment: Payment;
  readonly base: Base;
  readonly text: string;
};

/** Replies to reads of payments, kept while they are true (decisions/0050). */
export interface KeptReplies {
  /** Keeps a reply for later reads of the same payment, if nothing but a commit of its family changes it. */
  keep(shown: Shown): void;
  /** The kept reply about a payment that this caller may see; it is true if the family still has its version. Null: there is none. */
  find(scope: PaymentScope, paymentId: string): KeptReply | null;
}

/** Characters of all replies that one generation may keep. The generation before it is kept too. */
const CHARACTERS_MAX = 2_097_152;

export function createKeptReplies(): KeptReplies {
  let [young, old] = [new Map<string, KeptReply>(), new Map<string, KeptReply>()];
  let characters = 0;
  const put = (paymentId: string, reply: KeptReply): void => {
    if (characters > CHARACTERS_MAX) [young, old, characters] = [new Map(), young, 0];
    young.set(paymentId, reply);
    characters += reply.before.length + reply.after.length;
  };
  return {
    keep({ payment, version, status, code, base, text }) {
      if (!isSettled(payment)) return;
      const ofBase = baseText(base);
      // No text that a client can choose follows the base.
      const at = text.lastIndexOf(ofBase);
      if (at < 0) return;
      const { id, merchantId, entityId, familyId, paymentType } = payment;
      const [before, after] = [text.slice(0, at), text.slice(at + ofBase.length)];
      put(id, { merchantId, entityId, familyId, paymentType, version, status, code, before, after });
    },
    find(scope, paymentId) {
      const reply = young.get(paymentId) ?? old.get(paymentId);
      if (reply?.merchantId !== scope.merchantId) return null;
      if (scope.entityId !== null && reply.entityId !== scope.entityId) return null;
      if (!young.has(paymentId)) put(paymentId, reply);
      return reply;
    },
  };
}

/** Whether nothing but a commit of its family changes the reply. A redirect, a proof and a schedule have states of their own. */
const isSettled = ({ phase, threeDS, scheduleId, paymentType }: Payment): boolean =>
  phase.at === 'final' && !threeDS && scheduleId === undefined && paymentType !== 'RG';

/** The fields that are new in every reply, as its text has them. */
const baseText = (base: Base): string => `,${JSON.stringify(base).slice(1, -1)}`;

/** The text of a kept reply with the fields of this one. */
export const textOf = ({ before, after }: KeptReply, base: Base): string => before + baseText(base) + after;
