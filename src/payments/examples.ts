import { codeOf } from './commitPayment.ts';
import type { Payment } from './payment.ts';
import type { Commit } from './ports.ts';
import { releaseAtOf } from './validity.ts';

/** An ordinary debit, for pictures and tests: give only what the case is about. */
export function examplePayment(given: Partial<Payment> = {}): Payment {
  const id = given.id ?? '018f2b7c9a3d4e5f60718293a4b5c6d7';
  return {
    id,
    merchantId: '5eed00000000000000000000000000f1',
    entityId: '5eed0000000000000000000000000001',
    familyId: id,
    referencedId: null,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    method: 'CC',
    amount: 9200n,
    currency: 'EUR',
    mode: 'INTERNAL',
    connector: 'simulator',
    shortId: '4821.0937.1152',
    ndc: '5eed0000000000000000000000000001-00000000000000000000000000000001',
    descriptor: '4821.0937.1152 Demo_Shop',
    merchantTransactionId: null,
    industryPractice: null,
    isBrandDetected: false,
    isLast: false,
    numberOfCaptures: null,
    createdAt: 1_790_000_000_000,
    movedAt: 1_790_000_000_000,
    revision: 1,
    phase: { at: 'final', code: '000.100.110' },
    instrument: {
      kind: 'card',
      bin: '420000',
      last4Digits: '0000',
      holder: 'Ann Example',
      expiryMonth: '05',
      expiryYear: '2034',
    },
    fingerprint: null,
    registrationId: null,
    checkoutId: null,
    details: {},
    threeDS: null,
    risk: null,
    fields: {},
    ...given,
  };
}

/** A commit of that payment with nothing else in it, for tests and benches that write to a store themselves. */
export const exampleCommit = (payment: Payment, given: Partial<Omit<Commit, 'payment'>> = {}): Commit => ({
  payment,
  version: 0,
  sealed: null,
  idempotencyKey: null,
  event: { id: payment.id, type: 'PAYMENT', action: null, code: codeOf(payment) },
  registration: null,
  tokenUse: null,
  releaseAt: releaseAtOf(payment),
  schedule: null,
  posting: null,
  statisticsLine: null,
  emailHash: null,
  ...given,
});
