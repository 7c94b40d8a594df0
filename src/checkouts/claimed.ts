import type { Claim } from '../payments/needs.ts';
import type { Checkout } from './checkout.ts';
import type { CheckoutRoom } from './needs.ts';

/** What a key stands for that was used before. `gone`: a checkout that is over for more than a day, and forgotten. */
export type Claimed = Checkout | 'otherBody' | 'gone';

/** What the key of a request stands for; null: it is free, or there is none. */
export async function claimedBy({ world, store }: CheckoutRoom, claim: Claim | null): Promise<Claimed | null> {
  const held = claim && (await world.store.claim(claim.entityId, claim.key));
  if (!claim || !held) return null;
  // The address is part of what is compared, so that a key of the same body is a key of a checkout.
  if (held.bodyHash !== claim.bodyHash) return 'otherBody';
  return (await store.checkout(held.paymentId)) ?? 'gone';
}

/** The same for a key that somebody was quicker with. */
export async function takenBy(room: CheckoutRoom, claim: Claim): Promise<Claimed> {
  const claimed = await claimedBy(room, claim);
  if (claimed === null) throw new Error(`the key of a request to ${claim.entityId} was taken and is free again`);
  return claimed;
}
