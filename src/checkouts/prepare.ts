import { checkForm } from '../form/check.ts';
import type { Checked, Fault, FieldVisit } from '../form/checked.ts';
import type { Decoded } from '../form/decode.ts';
import type { Entity } from '../merchants/directory.ts';
import { isApproved } from '../payments/balance.ts';
import type { IdempotencyKey } from '../payments/ports.ts';
import { isAllowedHost } from '../payments/resultUrl.ts';
import type { RegistrationState } from '../registrations/registration.ts';
import { namesOf, noteNames, setField } from '../runtime/json.ts';
import { inOneGo, inParts } from '../runtime/ticks.ts';
import { parameters } from '../spec/parameters.ts';
import { CHECKOUT_MS, type Checkout, checkoutIdOf, isOffer, linkPathOf, type offered, type PaymentLink } from './checkout.ts';
import { updateCheckoutOnce } from './find.ts';
import { createForm, eachSlice } from './merge.ts';
import type { CheckoutService } from './ports.ts';
import { openPrepared, sealPrepared } from './secrets.ts';

type Faulty = { readonly is: 'faulty'; readonly faults: readonly Fault[] };
/** `otherBody`: the idempotency key was used for another request. `gone`: its checkout has been deleted. */
export type OpenResult =
  | { readonly is: 'checkout'; readonly checkout: Checkout; readonly isReplayed?: true; readonly warnings?: readonly Fault[] }
  | { readonly is: 'otherBody' }
  | { readonly is: 'gone' }
  | Faulty;
export type ChangeResult = OpenResult | { readonly is: 'paid' };

const found = (checkout: Checkout, warnings: readonly Fault[]): OpenResult => ({ is: 'checkout', checkout, warnings });
const faulty = (faults: readonly Fault[]): Faulty => ({ is: 'faulty', faults });
type Texts = Readonly<Record<string, string>>;

/** The caller's own parameters; everything else that is sent is part of the checkout. */
const isCredential = (name: string): boolean => name === 'entityId' || name.startsWith('authentication.');

/** The parameters of a request, by who may read them, and the stored details that it offers. */
type SortedFields = {
  readonly open: Texts;
  readonly hidden: Texts;
  readonly offers: ReturnType<typeof offered>;
  /** The beginnings of the names of lists: `cart.items[`. */
  readonly lists: ReadonlySet<string>;
  readonly faults: readonly Fault[];
};

/** A long form is sorted in slices, and other requests come in between. */
async function sortFields(checked: Checked): Promise<SortedFields> {
  const [open, hidden]: [Record<string, string>, Record<string, string>] = [{}, {}];
  const offers: [name: string, id: string][] = [];
  const faults: Fault[] = [];
  const lists = new Set<string>();
  const names: string[] = [];
  const sort: FieldVisit = (name, text, rowName) => {
    if (isCredential(name)) return;
    const { secret } = parameters[rowName];
    if (secret === undefined) {
      open[name] = text;
      names.push(name);
    } else if (secret.stored === 'never') faults.push({ name, value: null, message: 'must not be sent before the payment' });
    else hidden[name] = text;
    if (isOffer(name)) offers.push([name, text]);
    if (rowName.includes('[n]')) lists.add(name.slice(0, name.indexOf('[') + 1));
  };
  if (checked.rest) await inParts(checked.visit(sort), checked.rest);
  else inOneGo(checked.visit(sort));
  if (checked.rest) noteNames(open, names);
  return { open, hidden, offers, lists, faults };
}

/** Fields as a form that is checked once more. */
export const asForm = (fields: Texts | ReadonlyMap<string, string>): Decoded => ({
  fields: fields instanceof Map ? fields : new Map(Object.entries(fields)),
  repeated: new Set(),
  faults: [],
  isWhole: true,
});

/** Why stored details cannot be offered. A shop may learn of a removal later than its shoppers come back. */
const unusable: Readonly<Record<Exclude<RegistrationState, 'active'>, string>> = {
  open: 'left out: these payment details are not stored yet, their transaction is pending',
  rejected: 'left out: these payment details were not stored, their transaction failed',
  deleted: 'left out: these payment details were deleted',
};

type OuterChecks = { readonly faults: readonly Fault[]; readonly warnings: readonly Fault[] };

/**
 * Checks that no row can express. Faults: registrations of another merchant, and hosts that the entity does not list. Warnings:
 * registrations that cannot be charged; the checkout leaves them out.
 */
async function outerChecks(
  { world }: CheckoutService,
  entity: Entity,
  { open, offers }: Pick<SortedFields, 'open' | 'offers'>,
): Promise<OuterChecks> {
  const [faults, warnings]: [Fault[], Fault[]] = [[], []];
  const { shopperResultUrl } = open;
  if (shopperResultUrl !== undefined && !isAllowedHost(shopperResultUrl, entity.settings.shopperResultHosts)) {
    faults.push({ name: 'shopperResultUrl', value: shopperResultUrl, message: 'must be on a host that the entity has listed' });
  }
  for (const [name, id] of offers) {
    const registered = await world.store.registration(entity.merchantId ?? '', id);
    const state = registered?.registration.state;
    if (state === undefined) faults.push({ name, value: id, message: 'no stored payment details have this id' });
    else if (state !== 'active') warnings.push({ name, value: id, message: unusable[state] });
  }
  return { faults, warnings };
}

const without = (fields: Texts, warnings: readonly Fault[]): Texts =>
  warnings.length === 0
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !warnings.some((one) => one.name === name)));

const contextOf = ({ environment }: CheckoutService, { settings }: Entity) =>
  ({ isLenient: settings.isLenient, cardNumbers: settings.cardNumbersInText, source: 'server', environment }) as const;

/** A request of the merchant's server. */
export type ChangeRequest = {
  readonly entity: Entity;
  readonly decoded: Decoded;
  readonly idempotencyKey: IdempotencyKey | null;
};
export type OpenRequest = ChangeRequest & {
  readonly origin: string;
  /** A payment link: the contents of its page, and its lifetime. */
  readonly link?: PaymentLink & { readonly lifeMs: number };
};

/** Prepares a checkout, or returns every fault. An idempotency key that was used before returns its checkout. */
export async function openCheckout(
  service: CheckoutService,
  { entity, decoded, idempotencyKey, origin, link }: OpenRequest,
): Promise<OpenResult> {
  const merchantId = entity.merchantId ?? '';
  const before = await resultOfKey(service, merchantId, idempotencyKey);
  if (before !== null) return before;
  const checked = await checkForm(decoded, { endpoint: 'createCheckout', ...contextOf(service, entity) });
  if (checked.is === 'faulty') return faulty(checked.faults);
  const sorted = await sortFields(checked);
  const { open, hidden } = sorted;
  const { faults: outer, warnings } = await outerChecks(service, entity, sorted);
  const faults = [...sorted.faults, ...outer];
  if (faults.length > 0) return faulty(faults);
  const { world, files, nodeName, store } = service;
  const now = world.clock.now();
  const named = { id: checkoutIdOf(world.ids.random(), nodeName), merchantId, entityId: entity.id };
  const fields = without(open, warnings);
  const checkout: Checkout = {
    ...named,
    createdAt: now,
    expiresAt: now + (link?.lifeMs ?? CHECKOUT_MS),
    revision: 1,
    isRegistering: open.paymentType === undefined,
    // A payment link ends on its own page.
    fields: link ? { ...fields, shopperResultUrl: `${origin}${linkPathOf(named)}` } : fields,
    sealed: await sealPrepared(service, named, hidden),
    origin,
    build: files.build,
    submission: null,
    askedAt: null,
    callAt: null,
    ...(link && { link: { description: link.description, language: link.language, brands: link.brands } }),
  };
  if (idempotencyKey === null) await store.addCheckout(checkout);
  else if ((await store.saveCheckoutWithKey(checkout, idempotencyKey, now)) === 'keyUsed')
    return resultOfUsedKey(service, merchantId, idempotencyKey);
  return found(checkout, warnings);
}

/** The fields after a change. A list that is sent anew replaces the whole list: otherwise a list could not become shorter. */
async function replaced(
  { rest }: Pick<CheckoutService, 'rest'>,
  before: Texts,
  { open, lists }: Pick<SortedFields, 'open' | 'lists'>,
): Promise<Texts> {
  const sent = [...lists];
  const after: Record<string, string> = {};
  noteNames(after, []);
  const putFrom = (fields: Texts, keeps: (name: string) => boolean) =>
    eachSlice(namesOf(fields), rest, (names) => {
      for (const name of names) if (keeps(name)) setField(after, name, fields[name] as string);
    });
  await putFrom(before, (name) => !sent.some((list) => name.startsWith(list)));
  await putFrom(open, () => true);
  return after;
}

/**
 * Changes a checkout. The result is checked by the rules of a new one. An idempotency key that was used before has changed it already,
 * whatever came later.
 */
export async function changeCheckout(
  service: CheckoutService,
  started: Checkout,
  { entity, decoded, idempotencyKey }: ChangeRequest,
): Promise<ChangeResult> {
  const before = await resultOfKey(service, started.merchantId, idempotencyKey);
  if (before !== null) return before;
  const context = contextOf(service, entity);
  const checked = await checkForm(decoded, { endpoint: 'updateCheckout', ...context });
  if (checked.is === 'faulty') return faulty(checked.faults);
  const sorted = await sortFields(checked);
  const { open, hidden } = sorted;
  if (started.isRegistering && open.paymentType !== undefined) {
    return faulty([{ name: 'paymentType', value: null, message: 'must not be sent: this checkout only stores payment details' }]);
  }
  const secrets = { ...(await openPrepared(service, started)), ...hidden };
  const form = createForm(service.rest);
  form.put({ entityId: entity.id });
  await form.putMany(await replaced(service, started.fields, sorted));
  form.put(secrets);
  const whole = await checkForm(form.decoded(), { endpoint: 'createCheckout', ...context });
  if (whole.is === 'faulty') return faulty(whole.faults);
  const { faults: outer, warnings } = await outerChecks(service, entity, sorted);
  const faults = [...sorted.faults, ...outer];
  if (faults.length > 0) return faulty(faults);
  const attempts = await service.store.attempts(started.merchantId, started.id);
  if (attempts.some(isApproved)) return { is: 'paid' };
  const sealed = await sealPrepared(service, started, secrets);
  const change = async (checkout: Checkout): Promise<Checkout> => ({
    ...checkout,
    fields: without(await replaced(service, checkout.fields, sorted), warnings),
    sealed,
  });
  const changed = await updateCheckoutOnce(service, started, { change, idempotencyKey });
  if (changed !== null || idempotencyKey === null) return found(changed ?? started, warnings);
  return resultOfUsedKey(service, started.merchantId, idempotencyKey);
}

/** The result of an idempotency key that was used before; null: it is unused, or there is none. */
async function resultOfKey(
  { world, store }: CheckoutService,
  merchantId: string,
  key: IdempotencyKey | null,
): Promise<OpenResult | null> {
  const used = key && (await world.store.idempotencyKey(merchantId, key.entityId, key.key));
  if (!key || !used) return null;
  // The path is part of the hash, so a key with the same hash belongs to a checkout.
  if (used.bodyHash !== key.bodyHash) return { is: 'otherBody' };
  const checkout = await store.checkout(used.paymentId);
  return checkout ? { is: 'checkout', checkout, isReplayed: true } : { is: 'gone' };
}

/** The same for a key that another request has used in the meantime. */
async function resultOfUsedKey(service: CheckoutService, merchantId: string, key: IdempotencyKey): Promise<OpenResult> {
  const result = await resultOfKey(service, merchantId, key);
  if (result === null) throw new Error(`the key of a request to ${key.entityId} was taken and is free again`);
  return result;
}
