import type { Registration } from './registration.ts';

/** A stored card, for tests and pictures: give only what the case is about. */
export function exampleRegistration(given: Partial<Registration> = {}): Registration {
  return {
    id: '018f2b7c9a3d4e5f60718293a4b5c6e1',
    merchantId: '5eed00000000000000000000000000f1',
    entityId: '5eed0000000000000000000000000001',
    paymentId: '018f2b7c9a3d4e5f60718293a4b5c6e1',
    paymentBrand: 'VISA',
    method: 'CC',
    mode: 'INTERNAL',
    connector: 'simulator',
    instrument: {
      kind: 'card',
      bin: '420000',
      last4Digits: '0000',
      holder: 'Ann Example',
      expiryMonth: '05',
      expiryYear: '2034',
    },
    fingerprint: 'fingerprint-of-a-card',
    state: 'active',
    code: '000.100.110',
    series: null,
    networkToken: null,
    tokenDueAt: null,
    tokenTries: 0,
    createdAt: 1_790_000_000_000,
    movedAt: 1_790_000_000_000,
    usedAt: 1_790_000_000_000,
    expiresAt: 2_069_539_200_000,
    extendedUntil: null,
    revision: 1,
    ndc: '5eed0000000000000000000000000001-00000000000000000000000000000001',
    fields: {},
    ...given,
  };
}
