import type { Payment } from '../../src/payments/payment.ts';
import type { NewOutboxEvent, RegistrationChange } from '../../src/payments/ports.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import type { Store } from '../../src/store/store.ts';
import type { KeyRow } from '../../src/vault/ports.ts';
import type { TokenUse } from '../../src/wallets/ports.ts';
import { commit, NOW, nextId, payment } from './storeFixtures.ts';

/** An active stored card by default. */
export function registration(changes: Partial<Registration> = {}): Registration {
  const id = changes.id ?? nextId();
  return {
    id,
    merchantId: 'merchant',
    entityId: 'channel',
    paymentId: id,
    paymentBrand: 'VISA',
    method: 'CC',
    mode: 'INTERNAL',
    connector: 'simulator',
    instrument: { kind: 'card', bin: '411111', last4Digits: '1111', holder: null, expiryMonth: '05', expiryYear: '2034' },
    fingerprint: null,
    state: 'active',
    code: '000.100.110',
    series: null,
    networkToken: null,
    tokenDueAt: null,
    tokenTries: 0,
    createdAt: NOW,
    movedAt: NOW,
    usedAt: NOW,
    expiresAt: NOW + 1_000_000,
    extendedUntil: null,
    revision: 1,
    ndc: `channel_${id}`,
    fields: {},
    ...changes,
  };
}

/** The transaction that makes a registration of the same id. */
export const storing = (of: Registration, changes: Partial<Payment> = {}): Payment =>
  payment({
    id: of.paymentId,
    merchantId: of.merchantId,
    entityId: of.entityId,
    registrationId: of.id,
    paymentType: 'RG',
    amount: 0n,
    currency: 'XXX',
    ...changes,
  });

/** A later transaction that does something to a registration. */
export const acting = (on: Registration, changes: Partial<Payment> = {}): Payment =>
  storing(on, { id: nextId(), paymentType: 'TE', ...changes });

export const onward = (from: Registration, changes: Partial<Registration> = {}): Registration => ({
  ...from,
  revision: from.revision + 1,
  ...changes,
});

export const to = (
  after: Registration,
  sealed: RegistrationChange['sealed'] = 'kept',
  event: NewOutboxEvent | null = null,
): RegistrationChange => ({ registration: after, sealed, event });

export const SECRET = Uint8Array.of(1, 2, 3);

/** Keeps a new registration with its RG; throws when it was not kept. */
export async function register(store: Store, of: Registration, sealed: Uint8Array | null = SECRET): Promise<Registration> {
  const { is } = await store.commit(commit(storing(of), 0, { registration: to(of, sealed) }));
  if (is !== 'kept') throw new Error(`the registration was not kept: ${is}`);
  return of;
}

/** Moves a registration by a transaction of its own; answers the outcome's word. */
export const change = async (store: Store, after: Registration, sealed: RegistrationChange['sealed'] = 'kept'): Promise<string> =>
  (await store.commit(commit(acting(after), 0, { registration: to(after, sealed) }))).is;

export const tokenUseOf = (tokenId: string, changes: Partial<TokenUse> = {}): TokenUse => ({
  wallet: 'walletA',
  tokenId,
  until: NOW + 1_000,
  ...changes,
});

export const keyRow = (owner: string, version: number, changes: Partial<KeyRow> = {}): KeyRow => ({
  owner,
  purpose: 'data',
  version,
  masterId: 'master',
  wrapped: Uint8Array.of(version, 255, 0),
  state: 'current',
  createdAt: NOW,
  reserved: 0,
  ...changes,
});

export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
