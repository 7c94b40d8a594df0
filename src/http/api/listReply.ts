import { FEW_FIELDS, nest, nestInSlices } from '../../form/nest.ts';
import type { Payment } from '../../payments/payment.ts';
import { projectRecord } from '../../payments/reply/project.ts';
import { withOpenProof } from '../../payments/threeDS/steps.ts';
import { isOfItem, itemsApart, jsonInSlices, namesOf, WrittenList } from '../../runtime/json.ts';
import { ticks } from '../../runtime/ticks.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Services } from '../services.ts';
import { jsonHeaders, type Reply } from '../transport/reply.ts';

/**
 * Lists of payments as replies. A list with long payments is not made as a whole: each of them is read, written and sent when the client
 * has read the ones before it, and other requests are served in between (decisions/0091).
 */

export type ListServices = Pick<Services, 'longReplies' | 'queries' | 'replies' | 'world'>;

/** A list and how it is shown. */
type PaymentList = {
  /** One at least, in their order. Long ones may be without the items of their carts. */
  readonly payments: readonly Payment[];
  readonly byFamily: ReadonlyMap<string, readonly Payment[]>;
  readonly origin: string;
  /** As the third version of the API shows payments. */
  readonly isFull: boolean;
  readonly hasItems: boolean;
  /** The members behind the list. */
  readonly pages: object;
  readonly entityId: string;
  /** False for the reply to a HEAD request. */
  readonly hasBody: boolean;
};

const FOUND = '000.000.100';
/** So many fields are projected and written in a few milliseconds. */
const BATCH_FIELDS = 2_000;
/** A list with more fields leaves in pieces. */
const LIST_FIELDS_MAX = 50_000;
const RETRY_SECONDS = '1';

const fieldsOf = ({ fields }: Payment): number => namesOf(fields).length;

/** Whether a payment is read, and written, in slices. */
const isLong = (payment: Payment): boolean => payment.isBrief === true || fieldsOf(payment) > FEW_FIELDS;

export async function listReply(services: ListServices, list: PaymentList): Promise<Reply> {
  const { replies, longReplies } = services;
  const { payments, entityId, isFull, pages, hasBody } = list;
  const [{ merchantId }] = payments as readonly [Payment, ...Payment[]];
  const ndc = replies.ndc(entityId);
  const envelope = { result: { code: FOUND, description: resultCodes[FOUND].text }, ...replies.base(ndc) };
  const name = isFull ? 'records' : 'payments';
  const about = { code: FOUND, ndc, entityId };
  const batches = inBatches(payments);
  const fields = payments.reduce((sum, payment) => sum + fieldsOf(payment), 0);
  if (fields <= LIST_FIELDS_MAX && !payments.some(isLong)) {
    const records: object[] = [];
    for (const batch of batches) {
      if (records.length > 0) await ticks.next();
      for (const payment of batch) records.push(await recordOf(services, list, payment));
    }
    if (batches.length > 1) await ticks.next();
    return replies.json(200, { ...envelope, [name]: records, ...pages }, about);
  }
  if (!hasBody) return { status: 200, headers: jsonHeaders, body: '', pieces: nothing(), ...about };
  if (longReplies.isFull(merchantId)) {
    const remark = 'replies with many long payments are under way: read them first';
    return replies.result('800.120.100', entityId, { ndc, remark, headers: ['Retry-After', RETRY_SECONDS] });
  }
  const end = JSON.stringify({ ...pages }).slice(1);
  const frame = { begin: `${JSON.stringify(envelope).slice(0, -1)},"${name}":[`, end: end === '}' ? ']}' : `],${end}` };
  return {
    status: 200,
    headers: jsonHeaders,
    body: '',
    pieces: listPieces(services, list, { merchantId, batches, frame }),
    ...about,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

type Pieces = {
  readonly merchantId: string;
  readonly batches: readonly (readonly Payment[])[];
  readonly frame: { readonly begin: string; readonly end: string };
};

async function* listPieces(
  services: ListServices,
  list: PaymentList,
  { merchantId, batches, frame }: Pieces,
): AsyncGenerator<Uint8Array> {
  // The first piece takes the slot: a reply of which none is read holds none.
  const leave = services.longReplies.begin(merchantId);
  try {
    let text = frame.begin;
    let count = 0;
    for (const batch of batches) {
      const records = await services.longReplies.work(merchantId, () => batchTexts(services, list, batch));
      if (records.length > 0) text += `${count > 0 ? ',' : ''}${records.join()}`;
      count += records.length;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(frame.end);
  } finally {
    leave();
  }
}

/** Payments that are shown together: a long one is alone. */
function inBatches(payments: readonly Payment[]): readonly (readonly Payment[])[] {
  const batches: Payment[][] = [];
  let [open, fields]: [Payment[] | null, number] = [null, 0];
  for (const payment of payments) {
    const own = fieldsOf(payment);
    if (open === null || isLong(payment) || fields + own > BATCH_FIELDS) {
      [open, fields] = [[], 0];
      batches.push(open);
    }
    open.push(payment);
    fields += own;
    if (isLong(payment)) open = null;
  }
  return batches;
}

async function batchTexts(services: ListServices, list: PaymentList, batch: readonly Payment[]): Promise<readonly string[]> {
  await ticks.next();
  const texts: string[] = [];
  for (const payment of batch) {
    const text = isLong(payment)
      ? await longText(services, list, payment)
      : JSON.stringify(await recordOf(services, list, payment));
    if (text !== null) texts.push(text);
  }
  return texts;
}

/** A long payment as JSON; null: it was deleted meanwhile. */
async function longText(services: ListServices, list: PaymentList, payment: Payment): Promise<string | null> {
  const found = await services.queries.listed(payment.merchantId, payment.id, list.hasItems);
  if (found === null) return null;
  const { fields } = found.payment;
  const names = namesOf(fields);
  const nested = names.length > FEW_FIELDS ? await nestInSlices(fields, names, ticks.next) : nest(fields);
  const { cart } = nested;
  if (found.items.length > 0) Object.assign(cart as object, { items: new WrittenList(found.items) });
  const opened = await withOpenProof(services.world, { ...payment, fields });
  return jsonInSlices(projectRecord(opened, viewOf(list, payment), nested), ticks.next);
}

/** A payment that was read whole, as a reply shows it that leaves items out. It is not stored. */
export const withoutItems = (payment: Payment): Payment =>
  namesOf(payment.fields).some(isOfItem) ? { ...payment, fields: itemsApart(payment.fields, false).fields } : payment;

async function recordOf(services: ListServices, list: PaymentList, payment: Payment): Promise<object> {
  const opened = await withOpenProof(services.world, list.hasItems ? payment : withoutItems(payment));
  return projectRecord(opened, viewOf(list, payment));
}

const viewOf = ({ origin, isFull, byFamily }: PaymentList, { familyId }: Payment) => ({
  origin,
  isFull,
  family: byFamily.get(familyId) ?? null,
});
