import type { AcquirerAnswer, Attempt } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { isInEconomicArea } from '../../spec/sepa.ts';
import type { ConnectorDocument } from '../ports.ts';
import { type CollectionDates, collectionDates, type Day, frankfurtDay, isTooSoon, transferDates } from './calendar.ts';
import { sepaText } from './characters.ts';
import {
  amendmentOf,
  type Mandate,
  type MandateRecord,
  mandateFault,
  type Sequence,
  sequenceFor,
  withCollection,
  withoutUse,
} from './mandates.ts';
import { type Address, NAME_MAX, REMITTANCE_MAX, writeCollections, writeTransfers } from './messages.ts';
import {
  creditorOf,
  declined,
  findMandate,
  findOrder,
  mandateDocument,
  nowOf,
  type Order,
  type OrderDetails,
  orderDocument,
  type Parts,
  readAmount,
  sealedDetails,
  storedAmount,
  timesOf,
} from './records.ts';
import { fileFaults } from './validate.ts';

const AMOUNT_MAX = 99_999_999_999n;
/** Two collections by one mandate at the same moment are rare. */
const TRIES_MAX = 8;

/** Checks a payment and queues it for the next file. Nothing leaves the gateway here. */
export async function send(parts: Parts, attempt: Attempt): Promise<AcquirerAnswer> {
  const { payment } = attempt;
  if (payment.paymentType === 'RG') return storeMandate(parts, attempt);
  if (payment.currency !== 'EUR') return declined('600.200.500');
  if (payment.amount <= 0n) return declined('100.550.300');
  if (payment.amount > AMOUNT_MAX) return declined('100.550.301');
  const details = await detailsOf(parts, attempt);
  if (typeof details === 'string') return declined(details);
  switch (payment.paymentType) {
    case 'DB':
      return collect(parts, attempt, details);
    case 'CD':
    case 'RF':
      return transfer(parts, attempt, details);
    default:
      return declined('600.200.202');
  }
}

/** The payer's or payee's account, or why it cannot be used. A refund goes to the account that the money came from. */
async function detailsOf({ needs }: Parts, { payment, referenced, secrets }: Attempt): Promise<OrderDetails | NegativeCode> {
  const source = payment.instrument?.kind === 'bankAccount' ? payment : referenced;
  if (payment.paymentType === 'RF' && referenced?.paymentType !== 'DB') return '700.400.520';
  const { instrument = null, fields = {} } = source ?? {};
  if (!source || instrument?.kind !== 'bankAccount') return '600.200.201';
  const iban = (secrets.iban ?? (await needs.storedNumber(source))?.iban)?.toUpperCase();
  if (iban === undefined) return source === payment ? '800.100.201' : '700.500.004';
  if (!isSepaAccount(iban)) return '800.100.208';
  const name = instrument.holder ?? '';
  if (sepaText(name, NAME_MAX) === '') return '800.100.198';
  const address = addressIn(fields);
  if (needsAddress(iban) && address === null) return '100.800.300';
  if (needsAddress(iban) && instrument.bic === null) return '100.200.103';
  return { name, iban, bic: instrument.bic, address: needsAddress(iban) ? address : null };
}

/** Null: town or country is missing. */
function addressIn(fields: Readonly<Record<string, string>>): Address | null {
  const [town, country] = [fields['billing.city'], fields['billing.country']];
  if (town === undefined || country === undefined || sepaText(town, 35) === '') return null;
  const part = (name: string): string | null => fields[name] ?? null;
  return {
    street: part('billing.street1'),
    building: part('billing.houseNumber1'),
    postcode: part('billing.postcode'),
    town,
    country,
  };
}

/** The day that the request names, as the payer's details carry it. */
const dueDateIn = ({ payment }: Attempt): Day | null =>
  payment.fields.transactionDueDate ?? payment.fields['bankAccount.transactionDueDate'] ?? null;

async function collect(parts: Parts, attempt: Attempt, details: OrderDetails): Promise<AcquirerAnswer> {
  const { needs, account } = parts;
  const { payment } = attempt;
  const now = nowOf(parts);
  const asked = dueDateIn(attempt);
  const dates = collectionDates(now, asked, timesOf(parts));
  if (!dates || (account.settings.shortNotice === 'refuse' && isTooSoon(now, asked, timesOf(parts))))
    return declined('100.500.301');
  const fingerprint = await needs.sealed.fingerprint(details.iban);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const used = await applyMandate(parts, attempt, { dueOn: dates.dueOn, account: fingerprint, now });
    if (typeof used === 'string') return declined(used);
    const { record, before, ...debit } = used;
    const order = orderOf(attempt, dates, { ...debit, scheme: account.settings.scheme });
    const refusal = refusalOf(parts, order, details);
    if (refusal) return refusal;
    const saved = await put(parts, order, { details, closesAt: dates.closesAt }, [mandateDocument(record, now, before)]);
    if (saved) return waiting(payment.id, dates);
    // Either the mandate was used at the same moment, or the payment was cancelled before it arrived here.
    await refuseKnown(parts, payment.id);
  }
  throw new Error('the mandate changed too often');
}

async function transfer(parts: Parts, attempt: Attempt, details: OrderDetails): Promise<AcquirerAnswer> {
  const dates = transferDates(nowOf(parts), timesOf(parts));
  const order = orderOf(attempt, dates, null);
  const refusal = refusalOf(parts, order, details);
  if (refusal) return refusal;
  if (!(await put(parts, order, { details, closesAt: dates.closesAt }, []))) {
    await refuseKnown(parts, order.paymentId);
    throw new Error('the payment was not kept');
  }
  return waiting(attempt.payment.id, dates);
}

/** The payment was cancelled before it arrived here: it stays so, and nothing of the payer is kept. */
async function refuseKnown({ needs }: Parts, paymentId: string): Promise<void> {
  const known = await findOrder(needs.documents, paymentId);
  if (known?.body.state === 'cancelled') await needs.sealed.erase(sealedDetails(paymentId));
  if (known) throw new Error('the payment is known already');
}

const waiting = (reference: string, { closesAt }: CollectionDates): AcquirerAnswer => ({
  is: 'waiting',
  nextAt: closesAt,
  reference,
});

function orderOf({ payment }: Attempt, { dueOn }: CollectionDates, debit: Order['debit']): Order {
  const { merchantId, id, amount, descriptor, merchantTransactionId } = payment;
  const remittance = [merchantTransactionId, descriptor].filter(Boolean).join(' ');
  return {
    merchantId,
    paymentId: id,
    direction: debit ? 'debit' : 'credit',
    amount: storedAmount(amount),
    dueOn,
    remittance: sepaText(remittance, REMITTANCE_MAX),
    state: 'waiting',
    batchId: null,
    debit,
  };
}

/**
 * The faults of a file with this order alone. One order that the validator refuses would keep the others of its batch back, so it is
 * refused here.
 */
function faultsOf(parts: Parts, order: Order, details: OrderDetails): readonly string[] {
  const { settings } = parts.account;
  const transfer = {
    ...details,
    id: order.paymentId,
    amount: readAmount(order.amount),
    dueOn: order.dueOn,
    remittance: order.remittance,
  };
  const heading = { messageId: 'PROBE', createdAt: 0, isBatchBooking: settings.batchBooking };
  return order.debit
    ? fileFaults(
        writeCollections(settings.debitVersion, heading, creditorOf(parts), [{ ...transfer, ...order.debit }]),
        settings.debitVersion,
      )
    : fileFaults(writeTransfers(settings.creditVersion, heading, creditorOf(parts), [transfer]), settings.creditVersion);
}

/** Null: it can be written. */
function refusalOf(parts: Parts, order: Order, details: OrderDetails): AcquirerAnswer | null {
  const [fault] = faultsOf(parts, order, details);
  if (fault === undefined) return null;
  parts.needs.alarm('a payment cannot be written into a file for the bank', { paymentId: order.paymentId, fault });
  return declined('800.100.156', fault);
}

type Put = { readonly details: OrderDetails; readonly closesAt: number };

/** The details first: an order without them could not be written. Details without an order are erased when the payment is cancelled. */
async function put(
  { needs }: Parts,
  order: Order,
  { details, closesAt }: Put,
  others: readonly ConnectorDocument[],
): Promise<boolean> {
  await needs.sealed.put(sealedDetails(order.paymentId), JSON.stringify(details));
  return needs.documents.save([orderDocument(order, closesAt), ...others]);
}

type MandateUse = { readonly dueOn: Day; readonly account: string; readonly now: number };
type UsedMandate = {
  readonly record: MandateRecord;
  readonly before: ConnectorDocument | undefined;
  readonly mandate: Mandate;
  readonly sequence: Sequence;
  readonly amendment: ReturnType<typeof amendmentOf>;
};

/** The mandate after this collection, or why nothing can be collected by it. */
async function applyMandate(parts: Parts, attempt: Attempt, use: MandateUse): Promise<UsedMandate | NegativeCode> {
  const { needs, account } = parts;
  const { settings } = account;
  const { payment } = attempt;
  const named = mandateIn(parts, attempt, use.now);
  if (typeof named === 'string') return named;
  const found = await findMandate(needs.documents, named.id);
  const known = found && (await withoutRejected(parts, found.body));
  const signedOn = named.signedOn ?? known?.signedOn;
  if (signedOn === undefined) return '100.500.302';
  const mandate = { id: known?.id ?? named.id, signedOn };
  const about = { merchantId: payment.merchantId, scheme: settings.scheme };
  const fault = mandateFault(mandate, known, { ...about, today: frankfurtDay(use.now), dueOn: use.dueOn });
  if (fault !== null) return fault;
  const sequence = sequenceFor(known, {
    isSeries: attempt.series !== null || payment.registrationId !== null,
    isLast: payment.isLast,
    isAlwaysRecurring: settings.sequence === 'recurring',
  });
  const current = { account: use.account, creditorId: settings.creditorId, creditorName: settings.creditorName };
  const lastDueOn = known?.lastDueOn && known.lastDueOn > use.dueOn ? known.lastDueOn : use.dueOn;
  const endedBy = sequence === 'OOFF' || sequence === 'FNAL' ? payment.id : null;
  const collection = { paymentId: payment.id, amount: storedAmount(payment.amount), dueOn: use.dueOn, sequence };
  const record: MandateRecord = {
    ...mandate,
    ...about,
    ...current,
    ...payerOf(attempt, known),
    uses: (known?.uses ?? 0) + 1,
    lastDueOn,
    endedBy,
    endedAt: null,
    collections: withCollection(known?.collections ?? [], collection),
  };
  return { record, before: found?.document, mandate, sequence, amendment: amendmentOf(known, current) };
}

/** The names that a mandate is found by. A payment without them leaves the mandate as it was. */
function payerOf(
  { payment, registration }: Attempt,
  known: MandateRecord | null,
): Pick<MandateRecord, 'last4' | 'customerId' | 'registrationId'> {
  const { instrument, fields } = payment;
  const customerId = fields['customer.merchantCustomerId'] ?? registration?.fields['customer.merchantCustomerId'];
  return {
    last4: (instrument?.kind === 'bankAccount' ? instrument.last4Digits : null) ?? known?.last4 ?? null,
    customerId: customerId ?? known?.customerId ?? null,
    registrationId: registration?.id ?? payment.registrationId ?? known?.registrationId ?? null,
  };
}

/** A collection that the bank rejected before settlement may be sent once more by the same mandate. */
async function withoutRejected({ needs }: Parts, record: MandateRecord): Promise<MandateRecord> {
  if (record.endedBy === null) return record;
  const notifications = await needs.notificationsOf({ merchantId: record.merchantId, id: record.endedBy });
  const has = (status: string): boolean => notifications.some(({ data }) => data.status === status);
  return has('rejected') && !has('booked') ? withoutUse(record, record.endedBy) : record;
}

type NamedMandate = { readonly id: string; readonly signedOn: Day | undefined };

/** The mandate of the request, of the stored details, or one that the gateway makes of the payer's consent. */
function mandateIn({ account }: Parts, { payment, registration }: Attempt, now: number): NamedMandate | NegativeCode {
  const read = (name: string): string | undefined => payment.fields[name] ?? registration?.fields[name];
  const id = read('bankAccount.mandate.id');
  const signedOn = read('bankAccount.mandate.dateOfSignature');
  if (id !== undefined && id !== '') return { id, signedOn };
  if (account.settings.mandates === 'required') return '100.500.303';
  const storedOn = registration ? frankfurtDay(registration.createdAt) : frankfurtDay(now);
  return { id: registration?.id ?? payment.registrationId ?? payment.id, signedOn: signedOn ?? storedOn };
}

/** Stores a mandate with payment details: checked and known, and no message to the bank. */
async function storeMandate(parts: Parts, attempt: Attempt): Promise<AcquirerAnswer> {
  const details = await detailsOf(parts, attempt);
  if (typeof details === 'string') return declined(details);
  const now = nowOf(parts);
  const { needs } = parts;
  const account = await needs.sealed.fingerprint(details.iban);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const used = await applyMandate(parts, attempt, { dueOn: frankfurtDay(now), account, now });
    if (typeof used === 'string') return declined(used);
    const { before, mandate, record } = used;
    const known = before?.body as MandateRecord | undefined;
    const stored: MandateRecord = known ?? { ...record, uses: 0, lastDueOn: null, endedBy: null, collections: [] };
    if (known || (await needs.documents.save([mandateDocument(stored, now)])))
      return { is: 'approved', details: { resultDetails: { ConnectorTxID1: mandate.id } }, reference: mandate.id };
  }
  throw new Error('the mandate changed too often');
}

/** Countries of the SEPA outside the European Economic Area. */
const OTHERS = new Set('AD AL CH GB GG IM JE MC MD ME MK RS SM VA'.split(' '));
/** Territories that have IBANs of their own letters and belong to a country of the SEPA. */
const TERRITORIES = new Set('GI GF GP MQ RE YT PM BL MF AX'.split(' '));

const countryIn = (iban: string): string => iban.slice(0, 2).toUpperCase();

const isSepaAccount = (iban: string): boolean =>
  isInEconomicArea(countryIn(iban)) || OTHERS.has(countryIn(iban)) || TERRITORIES.has(countryIn(iban));

/** Outside the EEA the rulebooks ask for the BIC and the address of the payer or payee. */
const needsAddress = (iban: string): boolean => OTHERS.has(countryIn(iban)) || countryIn(iban) === 'GI';
