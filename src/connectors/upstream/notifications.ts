import { createDecipheriv } from 'node:crypto';
import { amountOf } from '../../money/amount.ts';
import { paymentIdIn } from '../../payments/payment.ts';
import type { AcquirerNotification, NotificationClaims, NotificationReading, NotificationRequest } from '../../payments/ports.ts';
import { isRecord, parsedJson } from '../../runtime/json.ts';
import { idIn, readFinal } from './answers.ts';
import { type Json, textAt } from './client.ts';
import type { Search } from './inquiries.ts';
import { MERCHANT } from './requests.ts';

const [IV_HEADER, TAG_HEADER] = ['x-initialization-vector', 'x-authentication-tag'] as const;
const OUR_ID = /^[0-9a-f]{32}$/;

/**
 * The content of an encrypted webhook: AES-256-GCM, so that only a holder of the key can have written it. Null when it does not open. The
 * body is hexadecimal, by itself or as `encryptedBody`.
 */
export function decryptBody({ headers, body }: Pick<NotificationRequest, 'headers' | 'body'>, key: string): string | null {
  const [iv, tag] = [headers[IV_HEADER] ?? '', headers[TAG_HEADER] ?? ''];
  const hex = hexOf(Buffer.from(body).toString('utf8').trim());
  // A shorter tag would be easier to guess.
  if (hex === null || !/^[0-9a-f]{24}$/i.test(iv) || !/^[0-9a-f]{32}$/i.test(tag)) return null;
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex'), { authTagLength: 16 });
  decipher.setAuthTag(Buffer.from(tag, 'hex'));
  try {
    return Buffer.concat([decipher.update(hex, 'hex'), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function hexOf(text: string): string | null {
  const hex = text.startsWith('{') ? textAt(parsedJson(text), 'encryptedBody') : text;
  return hex !== null && /^(?:[0-9a-f]{2})+$/i.test(hex) ? hex : null;
}

export type NotificationNeeds = {
  /** The key of the webhook, and the one before it while it is exchanged. */
  keys(): Promise<readonly string[]>;
  readonly search: Pick<Search, 'read'>;
};

const refused = (reason: string): NotificationReading => ({ is: 'refused', reason });

/** Reads a webhook of the platform. Rejects when the platform must send it again. */
export async function readWebhook(
  { keys, search }: NotificationNeeds,
  request: NotificationRequest,
): Promise<NotificationReading> {
  const known = await keys();
  if (known.length === 0) return refused('the account has no webhook key');
  const text = known.map((key) => decryptBody(request, key)).find((one) => one !== null) ?? null;
  if (text === null) return refused('it is not encrypted with the key of this account');
  const json = parsedJson(text);
  if (!isRecord(json) || typeof json.type !== 'string') return refused('it is none of this API');
  const payload = isRecord(json.payload) ? json.payload : {};
  const read = json.type === 'PAYMENT' || json.type === 'REGISTRATION' ? await notificationIn(payload, search) : null;
  return { is: 'read', notifications: read === null ? [] : [read] };
}

/** Null: nothing that this gateway has to do with, such as the first webhook of a set-up. */
async function notificationIn(payload: Json, search: Pick<Search, 'read'>): Promise<AcquirerNotification | null> {
  const [id, code] = [idIn(payload), textAt(payload, 'result', 'code')];
  if (id === null || code === null) return null;
  const about = await paymentIn(payload, search);
  const data = { id, code, type: textAt(payload, 'paymentType') ?? 'RG' };
  return { id: `${id}.${code}`, about, event: eventIn(payload, code), data };
}

/**
 * Our payment: its id is the reference of theirs, and what follows a payment at a bank inherits it. The merchant stands in a custom
 * parameter, which is not inherited: then the payment that the webhook refers to has it.
 */
async function paymentIn(payload: Json, search: Pick<Search, 'read'>): Promise<AcquirerNotification['about']> {
  const paymentId = paymentIdIn(textAt(payload, 'merchantTransactionId') ?? '');
  if (paymentId === null) return null;
  const referencedId = isOfBank(payload) ? idIn(payload, 'referencedId') : null;
  const named = textAt(payload, 'customParameters', MERCHANT);
  const merchantId =
    named ?? (referencedId === null ? null : textAt(await search.read(referencedId), 'customParameters', MERCHANT));
  if (merchantId === null || !OUR_ID.test(merchantId)) return null;
  return { merchantId, paymentId, ...(referencedId !== null && { reference: referencedId }) };
}

const isOfBank = (payload: Json): boolean => payload.paymentType === 'CB' || payload.paymentType === 'CR';

function eventIn(payload: Json, code: string): AcquirerNotification['event'] {
  if (isOfBank(payload)) {
    const amount = amountOf(textAt(payload, 'amount') ?? '') ?? null;
    const is = payload.paymentType === 'CB' ? 'chargeback' : 'chargebackReversal';
    return { is, amount, code: code.startsWith('000.100.2') ? code : null };
  }
  // A transaction that stores details has the registration as its payload, so its result is queried.
  if (textAt(payload, 'paymentType') === null) return { is: 'inquire' };
  const answer = readFinal(payload);
  return answer === null ? { is: 'kept' } : { is: 'answer', answer, claims: claimsIn(payload) };
}

/** Some platforms show the amount of the reversed payment with a reversal. */
function claimsIn(payload: Json): NotificationClaims {
  const [paymentType, currency] = [textAt(payload, 'paymentType'), textAt(payload, 'currency')];
  const text = paymentType === 'RV' ? null : textAt(payload, 'amount');
  // An amount that cannot be read is none of the payment's.
  const amount = text === null ? undefined : (amountOf(text) ?? -1n);
  return {
    ...(paymentType !== null && { paymentType }),
    ...(currency !== null && { currency }),
    ...(amount !== undefined && { amount }),
  };
}
