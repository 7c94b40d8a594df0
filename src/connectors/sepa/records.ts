import { type Amount, amountOf, amountText } from '../../money/amount.ts';
import type { PaymentRef } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { Account } from '../kind.ts';
import type { AccountNeeds, ConnectorDocument, ConnectorDocuments } from '../ports.ts';
import type { BankTimes, Day } from './calendar.ts';
import { type Amendment, type Mandate, type MandateRecord, mandateKey, type Scheme, type Sequence } from './mandates.ts';
import type { Address, Creditor } from './messages.ts';
import type { Settings } from './settings.ts';

/** The account's documents. Names, addresses and account numbers are not in them but sealed apart, and erased after the file. */

export type Direction = 'debit' | 'credit';

/** One payment on its way to the bank. It belongs to at most one batch, and never leaves it. */
export type Order = PaymentRef & {
  readonly direction: Direction;
  readonly amount: string;
  readonly dueOn: Day;
  readonly remittance: string;
  /** `waiting`: it can be withdrawn. `batched`: it cannot. `cancelled`: it never leaves, also when it arrives later. */
  readonly state: 'waiting' | 'batched' | 'cancelled';
  readonly batchId: string | null;
  /** The merchant took it back; otherwise the gateway cancelled it. */
  readonly isWithdrawn?: true;
  /** Of a collection. */
  readonly debit: {
    readonly sequence: Sequence;
    readonly scheme: Scheme;
    readonly mandate: Mandate;
    readonly amendment: Amendment | null;
  } | null;
};

/** The details of an order that are sealed until its file is written. */
export type OrderDetails = {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly address: Address | null;
};

/**
 * The states of a batch, and the groups that the work looks through. `filling`: orders join it. `written`: its file is sealed and must be
 * delivered. `delivered`: the details of its orders must be erased. `kept`: only the sealed file is left. `erased`: not even that.
 */
const batchStates = ['filling', 'written', 'delivered', 'kept', 'erased'] as const;
type BatchState = (typeof batchStates)[number];

export type Batch = {
  readonly id: string;
  readonly direction: Direction;
  readonly state: BatchState;
  readonly createdAt: number;
  readonly orders: number;
  /** The version of its message, and the first and last due date; null until it is written. */
  readonly written: {
    readonly version: string;
    readonly sum: string;
    readonly bytes: number;
    readonly firstDueOn: Day;
    readonly lastDueOn: Day;
  } | null;
  readonly deliveredAt: number | null;
  /** Uploads that were begun. */
  readonly tries: number;
  /** Until then no other node works on it. */
  readonly claimedUntil: number;
};

export const waitingGroup = (direction: Direction): string => `waiting/${direction}`;
export const batchGroup = (batchId: string): string => `batch/${batchId}`;
const orderId = (paymentId: string): string => `order/${paymentId}`;
const batchDocumentId = (batchId: string): string => `batch/${batchId}`;
export const mandateDocumentId = (mandateId: string): string => `mandate/${mandateKey(mandateId)}`;
/** The mandates of a merchant. */
export const mandateGroup = (merchantId: string): string => `mandates/${merchantId}`;

/** The names of sealed strings. */
export const sealedDetails = (paymentId: string): string => `order/${paymentId}`;
export const sealedFile = (batchId: string): string => `file/${batchId}`;

/** A document and its body, to be changed on its revision. */
export type Kept<Body> = { readonly document: ConnectorDocument; readonly body: Body };

const kept = <Body>(document: ConnectorDocument | null): Kept<Body> | null =>
  document && { document, body: document.body as Body };

export const findOrder = async (documents: ConnectorDocuments, paymentId: string): Promise<Kept<Order> | null> =>
  kept<Order>(await documents.find(orderId(paymentId)));
export const findBatch = async (documents: ConnectorDocuments, batchId: string): Promise<Kept<Batch> | null> =>
  kept<Batch>(await documents.find(batchDocumentId(batchId)));
export const findMandate = async (documents: ConnectorDocuments, mandateId: string): Promise<Kept<MandateRecord> | null> =>
  kept<MandateRecord>(await documents.find(mandateDocumentId(mandateId)));

/** The due documents of a group. */
export async function dueIn<Body>(
  documents: ConnectorDocuments,
  group: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly Kept<Body>[]> {
  const found = await documents.list(group, { limit, before: { at: now + 1, id: '' } });
  return found.map((document) => ({ document, body: document.body as Body }));
}

const PAGE = 500;

/** Everything in a group. */
export async function allIn<Body>(documents: ConnectorDocuments, group: string): Promise<readonly Kept<Body>[]> {
  const all: ConnectorDocument[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await documents.list(group, { limit: PAGE, ...(last && { before: { at: last.at, id: last.id } }) });
    all.push(...page);
    if (page.length < PAGE) return all.map((document) => ({ document, body: document.body as Body }));
  }
}

const revisionAfter = (before: ConnectorDocument | undefined): number => (before?.revision ?? 0) + 1;

/** The document of an order. Waiting ones are sorted by the instant at which their batch closes. */
export const orderDocument = (order: Order, at: number, before?: ConnectorDocument): ConnectorDocument => ({
  id: orderId(order.paymentId),
  group:
    order.state === 'waiting' ? waitingGroup(order.direction) : order.batchId === null ? 'cancelled' : batchGroup(order.batchId),
  at,
  revision: revisionAfter(before),
  body: order,
});

/** The document of a batch. Each state is sorted by the instant at which there is something to do. */
export const batchDocument = (batch: Batch, dueAt: number, before?: ConnectorDocument): ConnectorDocument => ({
  id: batchDocumentId(batch.id),
  group: batch.state,
  at: dueAt,
  revision: revisionAfter(before),
  body: batch,
});

export const mandateDocument = (record: MandateRecord, at: number, before?: ConnectorDocument): ConnectorDocument => ({
  id: mandateDocumentId(record.id),
  group: mandateGroup(record.merchantId),
  at: before?.at ?? at,
  revision: revisionAfter(before),
  body: record,
});

export const storedAmount = (amount: Amount): string => amountText(amount);
export const readAmount = (text: string): Amount => amountOf(text) ?? 0n;

/** The shared context of the connector's verbs. */
export type Parts = { readonly needs: AccountNeeds; readonly account: Account<Settings> };

/** The clock of the account is that of its owner: a batch has payments of several merchants. */
export const nowOf = ({ needs, account }: Parts): number => needs.clockOf(account.ownerId).now();

export const timesOf = ({ account: { settings } }: Parts): BankTimes => settings;

export const creditorOf = ({ account: { settings } }: Parts): Creditor => ({
  name: settings.creditorName,
  iban: settings.iban,
  bic: settings.bic === '' ? null : settings.bic,
  creditorId: settings.creditorId,
});

export const declined = (code: NegativeCode, reason?: string): AcquirerAnswer => ({
  is: 'declined',
  code,
  details: reason === undefined ? {} : { resultDetails: { AcquirerResponse: reason } },
});
