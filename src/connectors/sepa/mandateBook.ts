import type { KnownMandate, MandateBook, MandateCollection } from '../../registrations/mandate.ts';
import type { ConnectorDocument } from '../ports.ts';
import { addDays, type Day, frankfurtDay } from './calendar.ts';
import { lapsesAfter, type MandateRecord } from './mandates.ts';
import { nowOf, type Parts } from './parts.ts';
import { findMandate, mandateDocument, mandateDocumentId, mandateGroup, readAmount } from './records.ts';

/** A collection by the same mandate at the same moment is rare. */
const TRIES_MAX = 8;

/** The mandates of the account, for the pages about them. */
export const mandateBookOf = (parts: Parts): MandateBook => ({
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
