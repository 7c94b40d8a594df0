import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Commit, RegistrationChange } from '../../src/payments/ports.ts';
import type { StoredRegistration } from '../../src/registrations/ports.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { sized } from '../long.ts';
import { commit, idempotencyKeyOf, NOW, nextId, type Open } from './storeFixtures.ts';
import { acting, many, onward, registration, to, tokenUseOf } from './storeRegistrationFixtures.ts';

const states = ['active', 'open', 'rejected', 'deleted', 'active', 'active'] as const;

/** One step of a random sequence: registration, new state, error of the revision, token, key. */
type Step = {
  readonly of: number;
  readonly state: number;
  readonly off: number;
  readonly sealed: RegistrationChange['sealed'];
  readonly tokenUse: number;
  readonly key: number;
  readonly touches: boolean;
};
const step: fc.Arbitrary<Step> = fc.record({
  of: fc.nat(2),
  state: fc.nat(5),
  off: fc.constantFrom(0, 0, 0, 0, 1, -1),
  sealed: fc.constantFrom('kept' as const, 'kept' as const, null, Uint8Array.of(1), Uint8Array.of(2)),
  tokenUse: fc.nat(6),
  key: fc.nat(9),
  touches: fc.boolean(),
});

function commitOf(at: Step, id: string, held: StoredRegistration | null, merchantId: string): Commit {
  const state = states[at.state] ?? 'active';
  const paymentId = nextId();
  const fresh = registration({ id, merchantId, paymentId, state, revision: 1 + at.off });
  const after: Registration = held
    ? onward(held.registration, { state, revision: held.registration.revision + 1 + at.off, movedAt: NOW + at.key })
    : fresh;
  return commit(acting(after, { id: paymentId }), 0, {
    registration: to(after, at.sealed),
    ...(at.tokenUse < 4 ? { tokenUse: tokenUseOf(`${merchantId} ${at.tokenUse}`) } : {}),
    ...(at.key < 3 ? { idempotencyKey: idempotencyKeyOf(`${merchantId} ${at.key}`) } : {}),
  });
}

const endOf = (store: Store, change: Commit): Promise<unknown> => store.commit(change).catch((error: Error) => error.name);

/** Random lives of registrations, applied to the store and to the reference: every outcome and the final state must be equal. */
export function registrationStoryContract(name: string, open: Open): void {
  test(`${name}: registrations behave like those of the reference store`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const tellBoth = async (steps: readonly Step[]) => {
      const reference = createMemoryStore();
      const merchantId = nextId();
      const ids = many(3, nextId);
      for (const at of steps) {
        const id = ids[at.of] as string;
        const change = commitOf(at, id, await reference.registration(merchantId, id), merchantId);
        assert.deepEqual(await endOf(store, change), await endOf(reference, change));
        const use = { usedAt: NOW + at.key, expiresAt: NOW + 2_000_000 + at.state };
        if (at.touches) for (const each of [store, reference]) await each.touch(merchantId, id, use);
        assert.deepEqual(await store.registration(merchantId, id), await reference.registration(merchantId, id));
        const made = change.payment.id;
        assert.deepEqual(await store.payment(merchantId, made), await reference.payment(merchantId, made));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), tellBoth), {
      numRuns: sized({ quick: 20, assure: 50, reliability: 50 }),
    });
  });
}
