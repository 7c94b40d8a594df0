import { acquirerKey, type Payment, paymentIdIn } from '../../src/payments/payment.ts';
import type { StoredSecrets } from '../../src/registrations/registration.ts';
import { resultCodes } from '../../src/spec/resultCodes.ts';
import type { Vault } from '../../src/vault/ports.ts';
import type { Acquirer, Entry } from './acquirer.ts';
import { columnOf } from './away.ts';
import { checkBooks } from './bookInvariants.ts';
import { type Chronicle, isOwn, type Outgoing, type Store } from './chronicle.ts';
import type { Client } from './client.ts';
import { operationOf } from './machine.ts';
import type { Scheme } from './scheme.ts';
import { securityCodeIn } from './shops.ts';
import { breaks, type Sim } from './sim.ts';
import { checkStored } from './storedInvariants.ts';
import type { Operation } from './tally.ts';

export type Aftermath = {
  readonly sim: Sim;
  readonly vault: Vault;
  readonly acquirer: Acquirer;
  readonly scheme: Scheme;
  readonly chronicle: Chronicle;
  readonly client: Client;
  /** The store itself, without the bad wire. */
  readonly store: Store & { readonly outbox: readonly Outgoing[] };
};

/**
 * What must be true when the trouble is over and everything has come to rest. Nothing here uses the gateway's own sums: it adds up
 * for itself what the store kept and what the acquirer booked. The numbers are those of the list of invariants.
 */
export async function checkInvariants(after: Aftermath): Promise<void> {
  const payments = await stored(after);
  const isBooked = (payment: Payment) => after.acquirer.ledger.get(acquirerKey(payment))?.state === 'booked';
  checkSums(after.sim, payments, { side: 'the gateway', counts: isSuccess });
  checkSums(after.sim, payments, { side: 'the acquirer', counts: isBooked });
  checkLast(after.sim, payments);
  checkCharges(after);
  checkAgreement(after, payments);
  checkOutbox(after, payments);
  checkBelonging(after.sim, payments);
  checkTotals(after, payments);
  await checkSealed(after, payments);
  await checkStored(after, payments);
  await checkBooks(after.sim, after.store, payments);
}

export const isSuccess = ({ phase }: Payment): boolean => phase.at === 'final' && resultCodes[phase.code].means === 'approved';

/** Every payment once kept is still there, as it was kept last. */
async function stored({ sim, chronicle, store }: Aftermath): Promise<ReadonlyMap<string, Payment>> {
  const found = new Map<string, Payment>();
  for (const kept of chronicle.payments.values()) {
    const payment = await store.payment(kept.merchantId, kept.id);
    if (!payment) breaks(sim, 'I5', `${kept.id} was kept and is gone`);
    else if (payment.revision !== kept.revision) breaks(sim, 'I5', `${kept.id} fell back to revision ${payment.revision}`);
    if (payment) found.set(kept.id, payment);
  }
  return found;
}

type Side = { readonly side: string; readonly counts: (payment: Payment) => boolean };

/** I1 and I2: captured ≤ authorised, so many captures as were announced, refunded and reversed ≤ what there was. */
function checkSums(sim: Sim, payments: ReadonlyMap<string, Payment>, { side, counts }: Side): void {
  for (const root of payments.values()) {
    if (operationOf(root) === 'INC') continue;
    const children = [...payments.values()].filter((payment) => counts(payment) && drawsOn(payments, payment) === root);
    if (children.length === 0) continue;
    if (!counts(root)) breaks(sim, 'I1', `${side} went on with ${root.id}, which was not approved`);
    const sum = (operation: Operation) =>
      children.reduce((total, payment) => (operationOf(payment) === operation ? total + payment.amount : total), 0n);
    const available = root.amount + sum('INC') - sum('RV');
    if (sum('CP') > available) breaks(sim, 'I1', `${side} captured ${sum('CP')} of ${available} authorised by ${root.id}`);
    if (sum('RF') > available) breaks(sim, 'I2', `${side} refunded ${sum('RF')} of ${available} of ${root.id}`);
    if (available < 0n) breaks(sim, 'I1', `${side} reversed more of ${root.id} than there was`);
    const captures = children.filter(({ paymentType }) => paymentType === 'CP').length;
    if (captures > (root.numberOfCaptures ?? captures))
      breaks(sim, 'I1 captures', `${side} made ${captures} captures of ${root.id}`);
    const empty = children.find(({ amount, paymentType }) => amount <= 0n && paymentType !== 'PA');
    if (empty) breaks(sim, 'I2', `${side} moved ${empty.amount} by ${empty.paymentType} ${empty.id}`);
  }
}

/** The payment whose money it is about: an increment has none of its own, and a new charge that follows another has its own. */
function drawsOn(payments: ReadonlyMap<string, Payment>, payment: Payment): Payment | undefined {
  const { referencedId } = payment;
  if (['PA', 'DB'].includes(operationOf(payment))) return undefined;
  const named = referencedId === null ? undefined : payments.get(referencedId);
  return named && operationOf(named) === 'INC' ? payments.get(named.referencedId ?? '') : named;
}

/** I1: nothing of the same kind is taken after one that said `sequence=FINAL` and was approved. */
function checkLast(sim: Sim, payments: ReadonlyMap<string, Payment>): void {
  const closed = new Set<string>();
  for (const payment of payments.values()) {
    if (!isSuccess(payment) || payment.referencedId === null) continue;
    const kind = `${drawsOn(payments, payment)?.id} ${payment.paymentType}`;
    if (closed.has(kind))
      breaks(sim, 'I1 FINAL', `${payment.paymentType} ${payment.id} came after the one that was to be the last`);
    if (payment.isLast) closed.add(kind);
  }
}

/** I3: one operation key, one charge at the acquirer; without a key, no more than were sent. */
function checkCharges({ sim, acquirer, client }: Aftermath): void {
  const booked = new Map<string, number>();
  for (const { merchantTransactionId, state } of acquirer.ledger.values()) {
    if (state === 'booked') booked.set(merchantTransactionId ?? '', (booked.get(merchantTransactionId ?? '') ?? 0) + 1);
  }
  for (const { merchantTransactionId, key, sentAt, operation } of client.orders) {
    const count = booked.get(merchantTransactionId) ?? 0;
    if (count > (key === null ? sentAt.length : 1))
      breaks(sim, 'I3', `${operation} ${merchantTransactionId} was booked ${count} times`);
  }
}

/** I4: success ⇔ money moved, failed ⇒ none, and nothing is pending any more. */
function checkAgreement({ sim, acquirer, client }: Aftermath, payments: ReadonlyMap<string, Payment>): void {
  for (const payment of payments.values()) {
    const { id, phase, paymentType, amount, currency } = payment;
    const entry = acquirer.ledger.get(acquirerKey(payment));
    if (payment.earlier && isSuccess(payment)) sim.tally.hit('routing: the second account books', columnOf(payment));
    for (const nth of (payment.earlier ?? []).keys()) {
      const before = acquirer.ledger.get(acquirerKey({ id, earlier: Array(nth).fill(null) }));
      if (before?.state === 'booked') breaks(sim, 'F2', `${id} is booked by an account that had declined it`);
    }
    const isBooked = entry?.state === 'booked';
    const isUnasked = isOwn(payment) || (paymentType === 'RG' && payment.method === 'DD');
    if (phase.at !== 'final') breaks(sim, 'I4', `${paymentType} ${id} is still ${phase.at}`);
    else if (isSuccess(payment) !== isBooked && !isUnasked) {
      breaks(sim, 'I4', `${paymentType} ${id} is ${phase.code} here and ${entry?.state ?? 'unknown'} at the acquirer`);
    }
    if (entry && isBooked && (entry.amount !== amount || entry.currency !== currency)) {
      breaks(sim, 'I4', `${id} moved ${entry.amount} ${entry.currency} instead of ${amount} ${currency}`);
    }
  }
  for (const { id, state, operation } of acquirer.ledger.values()) {
    if (state === 'booked' && !payments.has(paymentIdIn(id) ?? id))
      breaks(sim, 'I4', `the acquirer booked ${operation} ${id}, which nobody knows here`);
  }
  for (const id of client.known.keys()) {
    if (!payments.has(id)) breaks(sim, 'I5', `${id} was answered and is nowhere`);
  }
}

/** The transactions that change a registration or a schedule: they are told by events of these. */
const OF_REGISTRATIONS: readonly string[] = ['RG', 'DR', 'TE', 'TK'];
const OF_SCHEDULES: readonly string[] = ['SD', 'RS', 'DS'];

/** The revisions of a payment that its merchant is told, and the codes: that it is pending, and its end. */
function changesOf({ id, revision, phase, paymentType }: Payment): readonly string[] {
  if (OF_REGISTRATIONS.includes(paymentType) || OF_SCHEDULES.includes(paymentType)) return [];
  const end = phase.at === 'final' ? [`${id} r${revision} ${phase.code}`] : [];
  return revision === 1 && end.length > 0 ? end : [`${id} r1 ${PENDING}`, ...end];
}

const PENDING = '000.200.000';

/**
 * I7: one message for each change of a payment's result, at the revision that brought it, and none in between: two consecutive messages of a
 * payment differ in what they tell. One for each transaction of a schedule. Each has an id of its own and the topic of its subject.
 */
function checkOutbox({ sim, store }: Aftermath, payments: ReadonlyMap<string, Payment>): void {
  const ids = new Set<string>();
  const told = new Map<string, number>();
  for (const { id, subjectId, revision, code, about, type, action, transactionId, detail } of store.outbox) {
    if (ids.has(id)) breaks(sim, 'I7', `message ${id} is there twice`);
    ids.add(id);
    if (about === 'registration' || detail) continue;
    const topic = about === 'schedule' ? 'SCHEDULE null' : 'PAYMENT null';
    if (`${type} ${action}` !== topic) breaks(sim, 'I7', `the message of ${subjectId} r${revision} is of ${type} ${action}`);
    const of = about === 'schedule' ? `${transactionId}` : `${subjectId} r${revision} ${code}`;
    told.set(of, (told.get(of) ?? 0) + 1);
  }
  for (const payment of payments.values()) {
    for (const change of OF_SCHEDULES.includes(payment.paymentType) ? [payment.id] : changesOf(payment)) {
      if (told.get(change) !== 1) breaks(sim, 'I7', `${change} has ${told.get(change) ?? 0} messages`);
      told.delete(change);
    }
  }
  for (const change of told.keys()) breaks(sim, 'I7', `${change} is told, and tells nothing new`);
}

/** I11: a payment and what it references belong to the same channel, and a family to one merchant. */
function checkBelonging(sim: Sim, payments: ReadonlyMap<string, Payment>): void {
  for (const payment of payments.values()) {
    const { id, referencedId, familyId } = payment;
    const referenced = referencedId === null ? payment : payments.get(referencedId);
    const first = payments.get(familyId);
    if (!referenced || !first) breaks(sim, 'I11', `${id} hangs on a payment that is not there`);
    else if (first.merchantId !== payment.merchantId) breaks(sim, 'I11', `${id} is in the family of another merchant`);
    else if (isSuccess(payment) && referenced.entityId !== payment.entityId)
      breaks(sim, 'I11', `${id} changed what is another's`);
  }
}

const SIGN: Readonly<Record<string, bigint>> = { DB: 1n, CP: 1n, RF: -1n, CD: -1n };

/** I13: what the merchants have by our books is what the acquirer moved, currency by currency, to the cent. */
function checkTotals({ sim, acquirer }: Aftermath, payments: ReadonlyMap<string, Payment>): void {
  const totals = new Map<string, bigint>();
  const add = (currency: string, amount: bigint) => totals.set(currency, (totals.get(currency) ?? 0n) + amount);
  for (const payment of payments.values()) {
    if (isSuccess(payment)) add(payment.currency, (SIGN[operationOf(payment)] ?? 0n) * payment.amount);
  }
  for (const { state, currency, operation, amount } of acquirer.ledger.values() as Iterable<Entry>) {
    if (state === 'booked') add(currency, -(SIGN[operation] ?? 0n) * amount);
  }
  for (const [currency, rest] of totals) {
    if (rest !== 0n) breaks(sim, 'I13', `the books differ from the acquirer's by ${rest} ${currency}`);
  }
}

/** I12: the number is kept, sealed for the payment it belongs to; a store that keeps none is not asked. */
async function checkSealed({ sim, vault, store }: Aftermath, payments: ReadonlyMap<string, Payment>): Promise<void> {
  for (const { id, merchantId, entityId, instrument } of payments.values()) {
    const sealed = instrument?.kind === 'card' ? await store.sealed(merchantId, id) : null;
    if (instrument?.kind !== 'card' || sealed === null) continue;
    const text = await vault.open({ merchantId, entityId, recordId: id, field: 'instrument' }, sealed);
    if (securityCodeIn(text)) breaks(sim, 'T6', `the security code is sealed with ${id}`);
    const { number } = JSON.parse(text) as StoredSecrets;
    if (!number?.endsWith(instrument.last4Digits)) breaks(sim, 'I12', `what is sealed with ${id} is another card`);
  }
}
