import type { BankFiles, Capability, Connector, Uncertainty } from '../../payments/ports.ts';
import { SECOND_MS } from '../../spec/time.ts';
import { type Account, defineConnector } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import { closeBatches } from './batches.ts';
import { codeRows } from './codes.ts';
import { deliverBatches } from './deliver.ts';
import { cancel, detailsOf, inquire, withdraw } from './follow.ts';
import { mandateBookOf } from './mandateBook.ts';
import { partId } from './messages.ts';
import type { Parts } from './parts.ts';
import { allIn, batchGroup, findOrder, type Order } from './records.ts';
import { send } from './send.ts';
import { type Settings, secretRows, settingFaults, settingRows } from './settings.ts';

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
