import { amountText } from '../../money/amount.ts';
import { isApproved } from '../../payments/balance.ts';
import { type AnswerDetails, isOpen, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, AcquirerNotification, Connector, World } from '../../payments/ports.ts';
import { bankReason } from '../../spec/bankReasons.ts';
import type { BankReport, SettledLine } from '../record.ts';

/** The account of a connector that sends its payments to a bank in files. */
export type FileConnector = Connector & { readonly bankFiles: NonNullable<Connector['bankFiles']> };

/** The needs of an import that applies banks' reports about the payments that were sent to them. */
export type BankNeeds = {
  /** The accounts that send files, of an entity and those below it. */
  readonly accounts: (entityId: string) => readonly FileConnector[];
  readonly worldOf: (merchantId: string) => World;
  /** Keeps a notification with its payment, once, and applies it. */
  readonly receive: (connector: Connector, notification: AcquirerNotification) => Promise<void>;
  /** The stored statuses of a payment, the oldest first: `booked`, `returned` and so on. */
  readonly statusesOf: (payment: Payment) => Promise<readonly string[]>;
};

/**
 * The outcome for the line of a report. `match`: the line is matched as any other. `explained`: the payment ended without money, and the
 * line says no more than that. `exception`: a person must look at it.
 */
export type Outcome =
  /** `as`: the type of the line, where a statement has no word for it. */
  | { readonly is: 'match'; readonly as?: Partial<SettledLine> }
  | { readonly is: 'explained'; readonly why: string }
  | { readonly is: 'exception'; readonly kind: 'notRecordable' | 'amountDiffers'; readonly why: string };

const MATCH: Outcome = { is: 'match' };

type About = { readonly report: BankReport; readonly payment: Payment; readonly connector: FileConnector };
type Event = AcquirerNotification['event'];

const KEPT: Event = { is: 'kept' };

/** Applies a bank's report about one payment. Safe to repeat, in any order. */
export async function applyReport(needs: BankNeeds, about: About): Promise<Outcome> {
  switch (about.report.is) {
    case 'accepted':
      await receive(needs, about, KEPT);
      return MATCH;
    case 'rejected':
      return applyRejection(needs, about);
    case 'booked':
      return applyBooking(needs, about);
    case 'returned':
      return applyReturn(needs, about);
    case 'restored':
      await receive(needs, about, KEPT);
      return MATCH;
  }
}

/** A payment that was taken for approved, and is refused after all, has no money: it is charged back. */
async function applyRejection(needs: BankNeeds, about: About): Promise<Outcome> {
  const { payment } = about;
  await receive(needs, about, isOpen(payment) ? await declined(about) : KEPT);
  const { merchantId, id } = payment;
  const family = (await needs.worldOf(merchantId).store.family(merchantId, id))?.payments ?? [];
  const now = family.find((one) => one.id === id);
  const isCharged = family.some((one) => one.paymentType === 'CB' && one.referencedId === id);
  if (now?.paymentType === 'DB' && isApproved(now) && !isCharged)
    await receive(needs, about, { is: 'chargeback', amount: null, code: bankReason(about.report.reason).chargeback });
  return MATCH;
}

async function applyBooking(needs: BankNeeds, about: About): Promise<Outcome> {
  const { report, payment } = about;
  if (!isOpen(payment)) {
    const isReturned = !isApproved(payment) && (await hasStatus(needs, payment, 'returned'));
    await receive(needs, about, KEPT);
    return isReturned ? { is: 'explained', why: `the bank returned ${payment.id}, which is declined` } : MATCH;
  }
  if (report.line.amount !== payment.amount && !report.isWhole) {
    const [booked, asked] = [amountText(report.line.amount), amountText(payment.amount)];
    return { is: 'exception', kind: 'amountDiffers', why: `${booked} was booked for ${payment.id}, and ${asked} was sent` };
  }
  await receive(needs, about, { is: 'answer', answer: { is: 'approved', details: await detailsOf(about) } });
  return MATCH;
}

/** Before it is approved a payment is declined, afterwards the line becomes a chargeback. */
async function applyReturn(needs: BankNeeds, about: About): Promise<Outcome> {
  const { report, payment } = about;
  const explained: Outcome = { is: 'explained', why: `the bank returned ${payment.id} before it was approved; it is declined` };
  if (isOpen(payment) && report.line.amount === payment.amount) {
    await receive(needs, about, await declined(about));
    const now = await readAgain(needs, payment);
    // In a cancellation, the connector's own answer ends it, by the stored status.
    return isApproved(now) ? returnedAfterwards(report, now) : explained;
  }
  const wasReturned = await hasStatus(needs, payment, 'returned');
  await receive(needs, about, KEPT);
  if (isApproved(payment)) return returnedAfterwards(report, payment);
  return wasReturned ? explained : MATCH;
}

/**
 * A debit is charged back by its line. So is a refund that came back, towards the merchant. A credit that came back has no transaction: a
 * person decides what follows.
 */
function returnedAfterwards({ line, reason }: BankReport, { id, paymentType }: Payment): Outcome {
  if (paymentType === 'DB') return MATCH;
  if (paymentType !== 'RF')
    return {
      is: 'exception',
      kind: 'notRecordable',
      why: `the bank returned ${id} after it was approved: the payee does not have the money`,
    };
  const reasonCode = line.reasonCode ?? reason;
  return { is: 'match', as: { recordType: 'CHARGEBACK', transactionType: 'REFUND', status: 'SUCCESS', reasonCode } };
}

const hasStatus = async ({ statusesOf }: BankNeeds, payment: Payment, status: string): Promise<boolean> =>
  (await statusesOf(payment)).includes(status);

async function readAgain({ worldOf }: BankNeeds, { merchantId, id }: Payment): Promise<Payment> {
  const payment = await worldOf(merchantId).store.payment(merchantId, id);
  if (!payment) throw new Error(`the payment ${id} is gone`);
  return payment;
}

async function declined(about: About): Promise<Event> {
  const { declined: code } = bankReason(about.report.reason);
  const answer: AcquirerAnswer = { is: 'declined', code, details: await detailsOf(about) };
  return { is: 'answer', answer };
}

/** The references of the payment and the bank's reason, as the API shows them. */
async function detailsOf({ report: { reason }, payment, connector }: About): Promise<AnswerDetails> {
  const references = (await connector.bankFiles.referencesOf?.(payment)) ?? {};
  if (reason === null) return { resultDetails: references };
  return { resultDetails: { ...references, AcquirerResponse: reason, MerchantAdviceCode: bankReason(reason).advice } };
}

async function receive(needs: BankNeeds, { report, payment, connector }: About, event: Event): Promise<void> {
  const { merchantId, id: paymentId } = payment;
  const { is: status, reason, word, verification, line, messageId } = report;
  const amount = amountText(line.amount);
  const data = {
    status,
    word,
    on: line.settledOn,
    ...(reason !== null && { reason, advice: bankReason(reason).advice }),
    ...(verification !== null && { verification }),
    ...(messageId !== null && { messageId }),
    ...(!report.isWhole && line.amount > 0n && { amount }),
  };
  await needs.receive(connector, { id: eventId(report, payment), about: { merchantId, paymentId }, event, data });
}

/** A statement and a notification say the same of one movement: it has one id, whatever the bank's own references are. */
function eventId({ is, line, reason, word }: BankReport, { id }: Payment): string {
  const part =
    is === 'returned' || is === 'restored' ? `${line.settledOn}/${line.amount}` : is === 'booked' ? '' : `${word}/${reason}`;
  return `${id}/${is}/${part}`;
}

export const sendsFiles = (connector: Connector | null): connector is FileConnector => connector?.bankFiles !== undefined;

const plain = (iban: string): string => iban.replaceAll(' ', '').toUpperCase();

export const isAccountOf = ({ bankFiles }: FileConnector, iban: string): boolean => plain(bankFiles.iban) === plain(iban);
