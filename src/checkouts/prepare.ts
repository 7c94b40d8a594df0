import { check } from '../form/check.ts';
import type { Checked, Fault } from '../form/checked.ts';
import type { Decoded } from '../form/decode.ts';
import type { Entity } from '../merchants/directory.ts';
import { isApproved } from '../payments/balance.ts';
import type { IdempotencyKey } from '../payments/ports.ts';
import { isAllowedHost } from '../payments/resultUrl.ts';
import { parameters } from '../spec/parameters.ts';
import { CHECKOUT_MS, type Checkout, checkoutIdOf, offered } from './checkout.ts';
import { updateCheckoutOnce } from './find.ts';
import type { CheckoutService } from './ports.ts';
import { openPrepared, sealPrepared } from './secrets.ts';

type Faults = { readonly faults: readonly Fault[] };
type Texts = Readonly<Record<string, string>>;

/** Who asks, how that is his affair; everything else that is sent is part of the checkout. */
const isAboutAsking = (name: string): boolean => name === 'entityId' || name.startsWith('authentication.');

/** What was sent, apart by who may read it. */
type Sorted = { readonly open: Texts; readonly hidden: Texts; readonly faults: readonly Fault[] };

function sorted(checked: Checked): Sorted {
  const [open, hidden]: [Record<string, string>, Record<string, string>] = [{}, {}];
  const faults: Fault[] = [];
  for (const [name, text] of checked.fields) {
    if (isAboutAsking(name)) continue;
    const { secret } = parameters[checked.rowOf(name)];
    if (secret === undefined) open[name] = text;
    else if (secret.stored === 'never') faults.push({ name, value: null, message: 'must not be sent before the payment' });
    else hidden[name] = text;
  }
  return { open, hidden, faults };
}

/** Fields as a form that is checked once more. */
export const asForm = (fields: Texts | ReadonlyMap<string, string>): Decoded => ({
  fields: fields instanceof Map ? fields : new Map(Object.entries(fields)),
  repeated: new Set(),
  faults: [],
  isWhole: true,
});

/** What no table can know: whose stored details they are, and where the entity lets its shoppers go. */
async function outerFaults({ world }: CheckoutService, entity: Entity, fields: Texts): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const { shopperResultUrl } = fields;
  if (shopperResultUrl !== undefined && !isAllowedHost(shopperResultUrl, entity.settings.shopperResultHosts)) {
    faults.push({ name: 'shopperResultUrl', value: shopperResultUrl, message: 'must be on a host that the entity has listed' });
  }
  for (const [name, id] of offered({ fields })) {
    const registered = await world.store.registration(entity.merchantId ?? '', id);
    if (registered?.registration.state !== 'active')
      faults.push({ name, value: id, message: 'no stored payment details have this id' });
  }
  return faults;
}

const contextOf = ({ environment }: CheckoutService, { settings }: Entity) =>
  ({ isLenient: settings.isLenient, cardNumbers: settings.cardNumbersInText, source: 'server', environment }) as const;

/** What the merchant's server has sent. The claim is that of its key. */
export type Changing = { readonly entity: Entity; readonly decoded: Decoded; readonly claim: IdempotencyKey | null };
export type Opening = Changing & { readonly origin: string };

/** Prepares a checkout, or says everything that is wrong with it. A key that was used before stands for what it made. */
export async function openCheckout(
  service: CheckoutService,
  { entity, decoded, claim, origin }: Opening,
): Promise<Claimed | Faults> {
  const merchantId = entity.merchantId ?? '';
  const before = await claimedBy(service, merchantId, claim);
  if (before !== null) return before;
  const checked = check(decoded, { endpoint: 'createCheckout', ...contextOf(service, entity) });
  if ('faults' in checked) return checked;
  const { open, hidden, faults: misplaced } = sorted(checked);
  const faults = [...misplaced, ...(await outerFaults(service, entity, open))];
  if (faults.length > 0) return { faults };
  const { world, files, nodeName, store } = service;
  const now = world.clock.now();
  const named = { id: checkoutIdOf(world.ids.random(), nodeName), merchantId, entityId: entity.id };
  const checkout: Checkout = {
    ...named,
    createdAt: now,
    expiresAt: now + CHECKOUT_MS,
    revision: 1,
    isRegistering: open.paymentType === undefined,
    fields: open,
    sealed: await sealPrepared(service, named, hidden),
    origin,
    build: files.build,
    submission: null,
    askedAt: null,
    callAt: null,
  };
  if (claim === null) await store.addCheckout(checkout);
  else if ((await store.claimCheckout(checkout, claim, now)) === 'claimed') return takenBy(service, merchantId, claim);
  return checkout;
}

/** A list that is sent anew replaces the whole list: nobody can tell otherwise that it has become shorter. */
function replaced(before: Texts, after: Texts, listOf: (name: string) => string | null): Texts {
  const lists = new Set(Object.keys(after).flatMap((name) => listOf(name) ?? []));
  const kept = Object.entries(before).filter(([name]) => ![...lists].some((list) => name.startsWith(list)));
  return { ...Object.fromEntries(kept), ...after };
}

/**
 * Changes what was prepared. The whole is held against the same rules as if it had been created so. A key that was used before has changed
 * it already, whatever came behind. Null: it is paid already.
 */
export async function changeCheckout(
  service: CheckoutService,
  started: Checkout,
  { entity, decoded, claim }: Changing,
): Promise<Claimed | Faults | null> {
  const before = await claimedBy(service, started.merchantId, claim);
  if (before !== null) return before;
  const context = contextOf(service, entity);
  const checked = check(decoded, { endpoint: 'updateCheckout', ...context });
  if ('faults' in checked) return checked;
  const { open, hidden, faults: misplaced } = sorted(checked);
  if (started.isRegistering && open.paymentType !== undefined) {
    return {
      faults: [{ name: 'paymentType', value: null, message: 'must not be sent: this checkout only stores payment details' }],
    };
  }
  const listOf = (name: string) => (checked.rowOf(name).includes('[n]') ? name.slice(0, name.indexOf('[') + 1) : null);
  const merged = (checkout: Checkout): Texts => replaced(checkout.fields, open, listOf);
  const secrets = { ...(await openPrepared(service, started)), ...hidden };
  const whole = check(asForm({ entityId: entity.id, ...merged(started), ...secrets }), {
    endpoint: 'createCheckout',
    ...context,
  });
  if ('faults' in whole) return whole;
  const faults = [...misplaced, ...(await outerFaults(service, entity, open))];
  if (faults.length > 0) return { faults };
  const attempts = await service.store.attempts(started.merchantId, started.id);
  if (attempts.some(isApproved)) return null;
  const sealed = await sealPrepared(service, started, secrets);
  const change = (checkout: Checkout): Checkout => ({ ...checkout, fields: merged(checkout), sealed });
  const changed = await updateCheckoutOnce(service, started, { change, claim });
  return changed ?? (claim && takenBy(service, started.merchantId, claim));
}

/** What a key stands for that was used before. `gone`: a checkout that is over for more than a day, and forgotten. */
type Claimed = Checkout | 'otherBody' | 'gone';

/** What the key of a request stands for; null: it is free, or there is none. */
async function claimedBy(
  { world, store }: CheckoutService,
  merchantId: string,
  claim: IdempotencyKey | null,
): Promise<Claimed | null> {
  const held = claim && (await world.store.idempotencyKey(merchantId, claim.entityId, claim.key));
  if (!claim || !held) return null;
  // The address is part of what is compared, so that a key of the same body is a key of a checkout.
  if (held.bodyHash !== claim.bodyHash) return 'otherBody';
  return (await store.checkout(held.paymentId)) ?? 'gone';
}

/** The same for a key that somebody was quicker with. */
async function takenBy(service: CheckoutService, merchantId: string, claim: IdempotencyKey): Promise<Claimed> {
  const claimed = await claimedBy(service, merchantId, claim);
  if (claimed === null) throw new Error(`the key of a request to ${claim.entityId} was taken and is free again`);
  return claimed;
}
