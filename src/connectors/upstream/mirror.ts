import type { Payment } from '../../payments/payment.ts';
import type { AccountNeeds } from '../ports.ts';
import { idIn } from './answers.ts';
import type { Json } from './client.ts';

/** Which of the platform's registrations belongs to one of ours. */
export interface Mirror {
  /** Keeps the id that an approved payment or registration was answered with. */
  keep(payment: Payment, json: Json): Promise<void>;
  /** Their id; null: the platform has not stored these details. */
  idOf(registrationId: string): Promise<string | null>;
}

const documentId = (registrationId: string): string => `registration/${registrationId}`;

export const createMirror = ({ documents, clockOf }: Pick<AccountNeeds, 'documents' | 'clockOf'>): Mirror => ({
  async keep({ paymentType, registrationId, merchantId }, json) {
    if (registrationId === null) return;
    const theirs = paymentType === 'RG' ? idIn(json) : idIn(json, 'registrationId');
    if (theirs === null) return;
    const at = clockOf(merchantId).now();
    // False: it was kept before.
    await documents.save([{ id: documentId(registrationId), group: 'registration', at, revision: 1, body: { id: theirs } }]);
  },
  async idOf(registrationId) {
    const document = await documents.find(documentId(registrationId));
    return document === null ? null : idIn(document.body);
  },
});
