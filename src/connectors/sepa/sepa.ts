import type { BankFiles, Capability, Connector, Uncertainty } from '../../payments/ports.ts';
import type { KnownMandate, MandateBook, MandateCollection } from '../../registrations/mandate.ts';
import { bankReason, bankReasonCodes } from '../../spec/bankReasons.ts';
import { SECOND_MS } from '../../spec/time.ts';
import { type Account, type CodeRow, defineConnector } from '../kind.ts';
import type { AccountNeeds, ConnectorDocument } from '../ports.ts';
import { closeBatches, deliverBatches } from './batches.ts';
import { addDays, type Day, frankfurtDay } from './calendar.ts';
import { cancel, detailsOf, inquire, withdraw } from './follow.ts';
import { lapsesAfter, type MandateRecord } from './mandates.ts';
import { partId } from './messages.ts';
import {
  allIn,
  batchGroup,
  findMandate,
  findOrder,
  mandateDocument,
  mandateDocumentId,
  mandateGroup,
  nowOf,
  type Order,
  type Parts,
  readAmount,
} from './records.ts';
import { send } from './send.ts';
import { type Settings, secretRows, settingFaults, settingRows } from './settings.ts';

/** Every reason of a bank: of a payment that it rejects, and of one that it takes back. */
const codeRows: readonly CodeRow[] = bankReasonCodes.toSorted().map((theirs) => {
  const { declined, chargeback } = bankReason(theirs);
  return { theirs, ours: `${declined}; returned: CB ${chargeback}` };
});

const directDebit: Capability = {
  types: ['DB', 'CD', 'RF', 'RV', 'RG'],
  partialCapture: false,
  multipleCaptures: false,
  redirects: false,
  reversal: null,
  withdrawal: true,
};

/** Everything here is a look into the gateway's own store. */
const ANSWER_MS_MAX = 20 * SECOND_MS;

/** A payment that is cancelled before it arrives leaves a mark that refuses it. */
const uncertainty: Uncertainty = { learnedBy: 'file', lateMs: ANSWER_MS_MAX, cancelBindsLate: true, absenceIsProof: true };

/** Collections and credit transfers by files to and from the merchant's own bank. */
export const sepa = defineConnector<Settings>({
  name: 'sepa',
  title: 'SEPA files (own bank)',
  modes: ['EXTERNAL', 'LIVE'],
  supports: { DD: directDebit },
  accounts: { settings: settingRows, secrets: secretRows, faults: settingFaults },
  uncertainty,
  codes: codeRows,
  // A payment is put into a file, which leaves later.
  steps: {},
  create,
});

function create(needs: AccountNeeds, account: Account<Settings>): Connector {
  const parts: Parts = { needs, account };
  return {
    name: account.name,
    modes: sepa.modes,
    supports: sepa.supports,
    answerMsMax: ANSWER_MS_MAX,
    uncertainty,
    send: (attempt) => send(parts, attempt),
    inquire: (inquiry) => inquire(parts, inquiry),
    cancel: (inquiry) => cancel(parts, inquiry),
    withdraw: (inquiry) => withdraw(parts, inquiry),
    bankFiles: bankFilesOf(parts),
    mandates: mandateBookOf(parts),
    async upkeep(signal) {
      await closeBatches(parts, signal);
      await deliverBatches(parts, signal);
    },
  };
}

/** A part of a file has the id of the file in front. */
const messageOf = (batchId: string): string => batchId.slice(0, batchId.lastIndexOf('-'));

const bankFilesOf = ({ needs, account }: Parts): BankFiles => ({
  iban: account.settings.iban,
  async referencesOf({ id }) {
    const order = await findOrder(needs.documents, id);
    return order ? detailsOf(order.body).resultDetails : {};
  },
  async paymentsOfMessage(messageId, batchId) {
    const id = messageId ?? (batchId === null ? '' : messageOf(batchId));
    const orders = (await allIn<Order>(needs.documents, batchGroup(id))).map(({ body }) => body);
    return orders
      .filter(
        ({ dueOn, debit }) => batchId === null || partId(id, { dueOn, ...(debit && { sequence: debit.sequence }) }) === batchId,
      )
      .map(({ merchantId, paymentId }) => ({ merchantId, paymentId }));
  },
});

/** A collection by the same mandate at the same moment is rare. */
const TRIES_MAX = 8;

/** The mandates of the account, for the pages about them. */
const mandateBookOf = (parts: Parts): MandateBook => ({
  async list(merchantId, { limit, before }) {
    const { documents } = parts.needs;
    const place = before && { at: before.createdAt, id: mandateDocumentId(before.id) };
    const found = await documents.list(mandateGroup(merchantId), { limit, ...(place && { before: place }) });
    return found.map((document) => known(parts, document));
  },
  async find(merchantId, mandateId) {
    const found = await findMandate(parts.needs.documents, mandateId);
    return found && found.body.merchantId === merchantId ? known(parts, found.document) : null;
  },
  async end(merchantId, mandateId) {
    const { documents } = parts.needs;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const found = await findMandate(documents, mandateId);
      if (!found || found.body.merchantId !== merchantId) return null;
      if (found.body.endedAt !== null) return known(parts, found.document);
      const ended = { ...found.body, endedAt: nowOf(parts) };
      const document = mandateDocument(ended, found.document.at, found.document);
      if (await documents.save([document])) return known(parts, document);
    }
    throw new Error('the mandate changed too often');
  },
});

function known(parts: Parts, { at, body }: ConnectorDocument): KnownMandate {
  const record = body as MandateRecord;
  const { id, merchantId, scheme, signedOn, uses, creditorId, creditorName, last4, customerId } = record;
  const today = frankfurtDay(nowOf(parts));
  const { noticeDays } = parts.account.settings;
  const collections = record.collections.map(
    ({ paymentId, amount, dueOn, sequence }): MandateCollection => ({
      paymentId,
      amount: readAmount(amount),
      dueOn,
      sequence,
      noticeBy: addDays(dueOn, -noticeDays),
    }),
  );
  const next = collections.findLast(({ dueOn }) => dueOn >= today) ?? null;
  const past = collections.find(({ dueOn }) => dueOn < today)?.dueOn ?? null;
  const lapsesOn = lapsesAfter(record);
  return {
    id,
    merchantId,
    scheme,
    signedOn,
    state: stateOf(record, lapsesOn, today),
    createdAt: at,
    endedAt: record.endedAt,
    lapsesOn,
    uses,
    collections,
    next,
    lastDueOn: past,
    creditorId,
    creditorName,
    last4,
    customerId,
    registrationId: record.registrationId,
  };
}

function stateOf({ endedAt, endedBy }: MandateRecord, lapsesOn: Day, today: Day): KnownMandate['state'] {
  if (endedAt !== null || endedBy !== null) return 'ended';
  return today > lapsesOn ? 'lapsed' : 'active';
}
