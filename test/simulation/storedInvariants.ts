import type { Payment } from '../../src/payments/payment.ts';
import type { StoredRegistration } from '../../src/registrations/ports.ts';
import { parseSecrets, type StoredSecrets, sealedRecordOf } from '../../src/registrations/registration.ts';
import type { Order } from './client.ts';
import { type Aftermath, isSuccess } from './invariants.ts';
import { operationOf } from './machine.ts';
import type { Move } from './register.ts';
import { securityCodeIn } from './shops.ts';
import { breaks } from './sim.ts';

type Payments = ReadonlyMap<string, Payment>;
type Orders = ReadonlyMap<string, Order>;
/** Everything that was stored, as the store has it, and who ordered what. */
type Found = {
  readonly payments: Payments;
  readonly orders: Orders;
  readonly registered: ReadonlyMap<string, StoredRegistration>;
};

/**
 * What must be true of stored details when everything has come to rest. S1: they share the fate of the payment that made them.
 * S2: what is of use is sealed and opens to what was sent, what is of no use holds nothing. S3: only what is active is charged, by
 * its owner. S4: a wallet's token pays once. S5: revisions have no gaps and each has the event that is due. S6: what is deleted
 * stays so. S7, that nothing is deleted before its time, is seen to in register.ts as it happens.
 */
export async function checkStored(after: Aftermath, payments: Payments): Promise<void> {
  const orders = new Map(after.client.orders.map((order) => [order.merchantTransactionId, order]));
  const registered = await stored(after);
  const found: Found = { payments, orders, registered };
  checkFate(after, found);
  checkCharged(after, found);
  checkWallets(after, found);
  checkEvents(after, found);
  checkSeries(after, found);
  for (const one of registered.values()) await checkSecrets(after, found, one);
  await checkCopies(after, found);
}

/** What is stored is what was kept last. */
async function stored({ sim, chronicle, store, client }: Aftermath): Promise<ReadonlyMap<string, StoredRegistration>> {
  const found = new Map<string, StoredRegistration>();
  for (const [id, { moves }] of chronicle.register.lives) {
    const last = moves.at(-1)?.registration;
    const registered = last ? await store.registration(last.merchantId, id) : null;
    if (!last || !registered) breaks(sim, 'I5', `registration ${id} was kept and is gone`);
    else {
      found.set(id, registered);
      const { state, revision } = registered.registration;
      if (revision !== last.revision) breaks(sim, 'S5', `${id} is at revision ${revision} instead of ${last.revision}`);
      if (state !== last.state) breaks(sim, 'S6', `${id} is ${state} instead of ${last.state}`);
    }
  }
  for (const [id, { isDeleted }] of client.stored) {
    const state = found.get(id)?.registration.state;
    if (state === undefined) breaks(sim, 'S1', `${id} was answered as stored and is nowhere`);
    if (isDeleted && state !== 'deleted') breaks(sim, 'S6', `${id} was answered as deleted and is ${state}`);
  }
  return found;
}

/** S1 */
function checkFate({ sim, chronicle }: Aftermath, { payments, registered }: Found): void {
  for (const { registration } of registered.values()) {
    const { id, state, code, paymentId } = registration;
    const payment = payments.get(paymentId);
    if (!payment) breaks(sim, 'S1', `${id} is of no payment`);
    if (!payment || state === 'deleted') continue;
    const operation = operationOf(payment);
    const expected = isSuccess(payment) ? 'active' : 'rejected';
    sim.tally.hit(isSuccess(payment) ? 'stored: made and approved' : 'stored: made and declined', operation);
    if (state !== expected) breaks(sim, 'S1', `${id} is ${state} although its ${operation} ended as ${expected}`);
    if (payment.phase.at === 'final' && code !== payment.phase.code) breaks(sim, 'S1', `${id} says ${code}`);
  }
  for (const { id, registrationId, paymentType } of payments.values()) {
    if (registrationId !== null && !registered.has(registrationId))
      breaks(sim, 'S1', `${paymentType} ${id} names ${registrationId}, which is not there`);
  }
  for (const { moves } of chronicle.register.lives.values()) {
    const [first, last] = [moves[0], moves.at(-1)];
    const before = moves.at(-2)?.registration.state;
    if (!first || !last) continue;
    if (first.by.paymentType !== 'RG') sim.tally.hit('stored: a payment makes a registration', operationOf(first.by));
    if (last.registration.state === 'deleted' && before === 'open')
      sim.tally.hit('stored: deleted while it is made', operationOf(first.by));
  }
}

/** S3: the number that was stored, by its merchant, and active at an instant between the first sending and the taking. */
function checkCharged({ sim, chronicle, acquirer }: Aftermath, { payments, orders, registered }: Found): void {
  for (const payment of payments.values()) {
    const { id, merchantId, registrationId, merchantTransactionId } = payment;
    const order = orders.get(merchantTransactionId ?? '');
    if (order?.endpoint !== 'payRegistered' || order.operation !== payment.paymentType) continue;
    const life = chronicle.register.lives.get(order.id ?? '');
    const sentAt = order.sentAt[0] ?? 0;
    if (!isSuccess(payment)) {
      const isAfter = life?.deletedAt != null && sentAt > life.deletedAt;
      if (isAfter) sim.tally.hit('stored: refused after it was deleted', operationOf(payment));
      continue;
    }
    const registration = registered.get(registrationId ?? '')?.registration;
    const isActive =
      life?.activeFrom != null &&
      life.activeFrom <= (chronicle.takenAt.get(id) ?? 0) &&
      (life.deletedAt === null || life.deletedAt >= sentAt);
    if (!isActive) breaks(sim, 'S3', `${payment.paymentType} ${id} charged ${order.id}, which was not active then`);
    if (registrationId !== order.id) breaks(sim, 'S3', `${id} charged ${registrationId} instead of ${order.id}`);
    if (registration?.merchantId !== merchantId) breaks(sim, 'I11', `${id} charged what another merchant stored`);
    const [number, charged] = [numberOf({ payments, orders }, registration?.paymentId), acquirer.charged.get(id)];
    if (charged !== undefined && charged !== number) breaks(sim, 'S3', `${id} was charged to another number than was stored`);
  }
}

function numberOf({ payments, orders }: Pick<Found, 'payments' | 'orders'>, paymentId: string | undefined): string | null {
  const made = payments.get(paymentId ?? '');
  return orders.get(made?.merchantTransactionId ?? '')?.number ?? null;
}

/** S4 */
function checkWallets({ sim, acquirer }: Aftermath, { orders }: Found): void {
  const paid = new Map<string, number>();
  for (const { state, merchantTransactionId, operation } of acquirer.ledger.values()) {
    const order = orders.get(merchantTransactionId ?? '');
    if (state !== 'booked' || order?.token == null || order.operation !== operation) continue;
    sim.tally.hit('wallet: pays', operation);
    paid.set(order.token, (paid.get(order.token) ?? 0) + 1);
  }
  for (const [token, count] of paid) if (count > 1) breaks(sim, 'S4', `${token} has paid ${count} times`);
}

/** The messages of a move: created when it can be used, and the end of a transaction that only stores details. */
function messageOf({ registration, by }: Move, before: string | null): string | null {
  const { state, code } = registration;
  if (by.paymentType === 'DR') return 'DELETED';
  if (by.paymentType === 'TE') return 'UPDATED';
  if (by.paymentType === 'TK') return isSuccess(by) ? 'UPDATED' : null;
  if (state === before) return null;
  if (state === 'active') return `CREATED ${code}`;
  return by.paymentType === 'RG' && state === 'rejected' ? `null ${code}` : null;
}

/** S5: a message for each move that the merchant can see, under the registration's own id and revision. */
function checkEvents({ sim, store, chronicle }: Aftermath, { registered }: Found): void {
  const told = new Map<string, { count: number; readonly text: string }>();
  for (const { subjectId, revision, about, type, action, code } of store.outbox) {
    if (about !== 'registration') continue;
    const of = `${subjectId} r${revision}`;
    told.set(of, { count: (told.get(of)?.count ?? 0) + 1, text: `${type} ${action} ${code}` });
    if (!registered.has(subjectId)) breaks(sim, 'S5', `there is an event of ${subjectId}, which is not there`);
  }
  for (const [id, { moves }] of chronicle.register.lives) {
    let before: string | null = null;
    for (const move of moves) {
      const message = messageOf(move, before);
      before = move.registration.state;
      const of = `${id} r${move.registration.revision}`;
      const event = told.get(of);
      if ((event?.count ?? 0) !== (message === null ? 0 : 1))
        breaks(sim, 'S5', `${of} by ${move.by.paymentType} has ${event?.count ?? 0} messages`);
      else if (event && !event.text.startsWith(`REGISTRATION ${message}`))
        breaks(sim, 'S5', `the message of ${of} is ${event.text} instead of ${message}`);
    }
  }
}

/** S1: the series that stored details remember began with an approved payment, and none that began is forgotten. */
function checkSeries({ sim }: Aftermath, { payments, registered }: Found): void {
  const begun = new Map<string, string[]>();
  for (const payment of payments.values()) {
    const { id, registrationId, fields } = payment;
    if (registrationId === null || fields['standingInstruction.mode'] !== 'INITIAL' || !isSuccess(payment)) continue;
    begun.set(registrationId, [...(begun.get(registrationId) ?? []), `first-${id}`]);
  }
  for (const { registration } of registered.values()) {
    const { id, series, state, method } = registration;
    // An account is stored without an acquirer who could give the series a name.
    if (state !== 'active' || (method === 'DD' && !begun.has(id))) continue;
    const first = series?.initialTransactionId ?? null;
    const names = begun.get(id) ?? [];
    if (first === null ? names.length > 0 : !names.includes(first))
      breaks(sim, 'S1', `${id} remembers ${first} as the first of its series, which began with ${names.join(', ') || 'none'}`);
  }
}

/** S2 */
async function checkSecrets(
  { sim, vault, scheme }: Aftermath,
  found: Found,
  { registration, sealed }: StoredRegistration,
): Promise<void> {
  const { id, state, paymentId, networkToken, merchantId } = registration;
  if (state !== 'active') {
    if (sealed !== null) breaks(sim, 'S2', `${id} is ${state} and still holds its secrets`);
    if (networkToken !== null) breaks(sim, 'S2', `${id} is ${state} and still shows a token`);
    return;
  }
  const clear = sealed === null ? null : await vault.open(sealedRecordOf(registration), sealed).catch(() => null);
  if (clear !== null && securityCodeIn(clear)) breaks(sim, 'T6', `${id} holds a security code`);
  const secrets: StoredSecrets = clear === null ? {} : parseSecrets(clear);
  if ((secrets.number ?? secrets.iban) !== numberOf(found, paymentId))
    breaks(sim, 'S2', `${id} does not open to what was stored`);
  const token = secrets.networkToken ?? null;
  if ((token?.number.slice(-4) ?? null) !== (networkToken?.last4Digits ?? null))
    breaks(sim, 'S2', `${id} shows another token than it holds`);
  const meant = token && scheme.meantBy(token.number);
  if (token && (meant?.number !== secrets.number || meant?.merchantId !== merchantId))
    breaks(sim, 'S2', `the token of ${id} is of another card`);
}

/** S2: what is stored once is not copied to the payments that use it: there it would outlive its deletion. */
async function checkCopies({ sim, store }: Aftermath, { payments, orders }: Found): Promise<void> {
  for (const { id, merchantId, merchantTransactionId, paymentType } of payments.values()) {
    const order = orders.get(merchantTransactionId ?? '');
    if (order?.endpoint !== 'payRegistered' || order.operation !== paymentType) continue;
    if ((await store.sealed(merchantId, id)) !== null) breaks(sim, 'S2', `${paymentType} ${id} holds a copy of ${order.id}`);
  }
}
