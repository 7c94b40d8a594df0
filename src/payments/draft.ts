import { FEW_FIELDS } from '../form/nest.ts';
import type { Channel } from '../merchants/channel.ts';
import { NO_CURRENCY } from '../money/amount.ts';
import type { Secrets } from '../registrations/instrument.ts';
import type { Lookups } from '../risk/ports.ts';
import { namesOf, setField } from '../runtime/json.ts';
import { testMerchantAccount } from '../spec/cards/testCards.ts';
import { balanceOf } from './balance.ts';
import type { Route } from './connector/routing.ts';
import type { Order } from './order.ts';
import { acquirerPhase, type Payment, type Phase } from './payment.ts';
import type { Attempt, Connector, World } from './ports.ts';
import { instructionForScheme } from './series.ts';

/** An answer may be on its way that long after the connector has stopped waiting, before the sweeper asks. */
const GRACE_MS = 5_000;

export type Draft = {
  readonly order: Order;
  readonly route: Route | null;
  readonly referenced: Payment | null;
  /** The family of the referenced payment. */
  readonly family?: readonly Payment[] | undefined;
  readonly amount: bigint;
  readonly phase: Phase;
  readonly channelName: string;
  /** The reason of a refusal. */
  readonly remark?: string | undefined;
  /** The fields of the order with what the gateway knows beyond them. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** The first revision of a payment: the intent that is committed before the acquirer is asked. */
export function draft(
  world: World,
  { order, route, referenced, amount, phase, channelName, remark, fields = order.fields }: Draft,
): Payment {
  const { id, shortId, ndc, createdAt, movedAt, revision } = newTransaction(world, order.entityId);
  const payment: Payment = {
    id,
    shortId,
    // A payment of a checkout has the checkout's id as its ndc.
    ndc: order.checkoutId ?? ndc,
    createdAt,
    movedAt,
    revision,
    merchantId: order.merchantId,
    entityId: order.entityId,
    familyId: referenced?.familyId ?? id,
    referencedId: referenced?.id ?? null,
    paymentType: order.paymentType,
    paymentBrand: order.paymentBrand ?? referenced?.paymentBrand ?? null,
    method: order.instrument || !referenced ? order.method : referenced.method,
    amount,
    currency: order.currency ?? referenced?.currency ?? NO_CURRENCY,
    mode: order.mode,
    connector: route?.connector.name ?? referenced?.connector ?? '',
    descriptor: order.descriptor ?? `${shortId} ${channelName}`,
    merchantTransactionId: order.merchantTransactionId ?? referenced?.merchantTransactionId ?? null,
    industryPractice: order.practice,
    isBrandDetected: order.isBrandDetected,
    isLast: order.isLast,
    numberOfCaptures: order.numberOfCaptures,
    phase,
    instrument: order.instrument,
    fingerprint: order.registration ? order.registration.fingerprint : fingerprintOf(world, order),
    registrationId: order.registration ? order.registration.id : registrationIdFor(world, id, { order, route }),
    checkoutId: order.checkoutId,
    details: {},
    threeDS: null,
    risk: null,
    fields,
  };
  const customerId = storedCustomerOf(order, fields);
  const traceparent = world.watch?.traceparent();
  if (customerId === undefined && remark === undefined && traceparent === undefined) return payment;
  return {
    ...payment,
    ...(customerId !== undefined && { customerId }),
    ...(remark !== undefined && { remark }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

const CUSTOMER = 'customer.merchantCustomerId';

/** The customer of stored details, where the request names none. */
const storedCustomerOf = ({ registration }: Order, fields: Payment['fields']): string | undefined =>
  registration === null || fields[CUSTOMER] !== undefined ? undefined : registration.fields[CUSTOMER];

/** The ids and the time of every new transaction. */
export function newTransaction({ clock, ids }: World, entityId: string) {
  const now = clock.now();
  const id = ids.next();
  const shortId = ids.short();
  return { id, shortId, ndc: `${entityId}-${ids.random()}`, createdAt: now, movedAt: now, revision: 1 } as const;
}

const fingerprintOf = ({ vault }: World, { merchantId, secrets }: Order): string | null =>
  secrets.number === undefined ? null : vault.fingerprint(merchantId, secrets.number);

/** The id under which the instrument is stored: that of the transaction itself when storing is all it does. */
function registrationIdFor({ ids }: World, id: string, { order, route }: Pick<Draft, 'order' | 'route'>): string | null {
  if (!order.isStoring) return null;
  if (order.paymentType === 'RG') return id;
  // Without an instrument there is nothing to store.
  return route === null || order.instrument === null ? null : ids.next();
}

/** Waiting for the acquirer's answer; the sweeper leaves it alone until no request can be waiting for it. */
export const waitForAcquirer = (now: number, { connector, others }: Route): Phase =>
  acquirerPhase(now + patienceMs(connector), others !== undefined);

/** How long the request that asked the connector may take; the sweeper asks after it. */
export const patienceMs = ({ answerMsMax }: Pick<Connector, 'answerMsMax'>): number => answerMsMax + GRACE_MS;

export function attemptOf(payment: Payment, { order, referenced, route, family }: Draft): Attempt {
  const { registration, instruction } = order;
  const secrets = secretsFor(order, route);
  const attempt: Attempt = {
    payment,
    secrets: payment.phase.at === 'authentication' ? secrets : secretsForAcquirer(secrets),
    referenced,
    registration,
    series: instruction && instructionForScheme(instruction, { registration, referenced }),
  };
  const balance = referenced && family ? balanceOf(family, referenced) : null;
  const others = route?.others ? { accounts: route.others, secrets: order.secrets } : null;
  return balance || others ? { ...attempt, ...(balance && { balance }), ...(others && { others }) } : attempt;
}

/** The network token only where the connector is the one that provided it. */
function secretsFor({ secrets, registration }: Order, route: Route | null): Secrets {
  if (secrets.networkToken === undefined || route?.connector.name === registration?.connector) return secrets;
  const { networkToken: _, ...others } = secrets;
  return others;
}

/** The network token instead of the number. Only the directory server needs both: it knows the card by its number. */
export function secretsForAcquirer(secrets: Secrets): Secrets {
  if (secrets.networkToken === undefined) return secrets;
  const { number: _, ...others } = secrets;
  return others;
}

/** Fields that the gateway itself adds to an answer, by the names of the API. */
type Fields = Readonly<Record<string, string>>;

const NONE: Fields = {};

/** The issuer's data about a card, as far as the table of BINs has it. */
function issuerFields({ instrument }: Order, lookups: Lookups): Fields {
  const issuer = instrument?.kind === 'card' && instrument.bin !== null ? lookups.issuer(instrument.bin) : null;
  if (issuer === null) return NONE;
  const { bank, phone, website, type, level, isRegulated, country } = issuer;
  return present({
    'card.issuer.bank': bank,
    'card.issuer.phone': phone,
    'card.issuer.website': website,
    'card.type': type,
    'card.level': level,
    'card.regulatedFlag': isRegulated === undefined ? null : String(isRegulated),
    'card.binCountry': country,
  });
}

/** The account that the shopper pays to by prepayment. Without a setting the test environment has one, and live has none. */
function merchantAccountFields({ method, mode, paymentType, paymentBrand }: Order, { bankAccount }: Channel): Fields {
  if (method !== 'PP' || paymentBrand === null || !['PA', 'DB'].includes(paymentType)) return NONE;
  const account = bankAccount ?? (mode === 'LIVE' ? null : testMerchantAccount);
  if (account === null) return NONE;
  return present(Object.fromEntries(Object.entries(account).map(([name, text]) => [`merchant.bankAccount.${name}`, text])));
}

function present(fields: Readonly<Record<string, string | null | undefined>>): Fields {
  const found: Record<string, string> = {};
  for (const name in fields) if (fields[name]) found[name] = fields[name];
  return found;
}

/** The fields of an order with the data that the gateway itself has. A field that was sent stays as it is. */
export const withKnownFields = (order: Order, channel: Channel, lookups: Lookups): Fields => {
  const ofIssuer = issuerFields(order, lookups);
  const ofAccount = merchantAccountFields(order, channel);
  if (ofAccount === NONE && ofIssuer === NONE) return order.fields;
  if (namesOf(order.fields).length > FEW_FIELDS) return addTo(order.fields, { ...ofIssuer, ...ofAccount });
  return ofAccount === NONE ? { ...ofIssuer, ...order.fields } : { ...ofIssuer, ...ofAccount, ...order.fields };
};

/** In place: a copy of a long form takes tens of milliseconds, and the order alone has these fields. */
function addTo(fields: Record<string, string>, known: Fields): Fields {
  for (const name in known) if (!Object.hasOwn(fields, name)) setField(fields, name, known[name] as string);
  return fields;
}
