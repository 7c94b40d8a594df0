import type { FolderSecret } from '../../spec/remoteFolder.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { DeliveryFolder, FolderTarget } from '../ports.ts';
import { type Day, dayAt, frankfurtInstant, reachableDay } from './calendar.ts';
import { type Collection, type Transfer, total, writeCollections, writeTransfers } from './messages.ts';
import {
  allIn,
  type Batch,
  batchDocument,
  batchGroup,
  creditorOf,
  type Direction,
  dueIn,
  findBatch,
  type Kept,
  nowOf,
  type Order,
  type OrderDetails,
  orderDocument,
  type Parts,
  readAmount,
  sealedDetails,
  sealedFile,
  storedAmount,
  timesOf,
  waitingGroup,
} from './records.ts';
import { fileFaults } from './validate.ts';

/** Orders that join a batch in one commit. */
const PORTION = 200;
/** A node that has not ended its work by then has died. */
const CLAIM_MS = 15 * MINUTE_MS;
const BATCHES_PER_DAY_MAX = 999;

/** Puts due orders into batches, one direction after the other, and writes their files. */
export async function closeBatches(parts: Parts, signal: AbortSignal): Promise<void> {
  for (const batch of await openBatches(parts)) await finish(parts, batch, signal);
  for (const direction of ['debit', 'credit'] as const) {
    while (!signal.aborted) {
      const batch = await openBatch(parts, direction);
      if (!batch) break;
      await finish(parts, batch, signal);
    }
  }
}

/** Batches that a node has left behind. */
async function openBatches(parts: Parts): Promise<readonly Kept<Batch>[]> {
  const claimed = await Promise.all((await dueBatches(parts, 'filling')).map((one) => claim(parts, one)));
  return claimed.filter((one) => one !== null);
}

/** No claim and no pause between tries lasts longer. A date further ahead comes from a clock that was put back since. */
const DUE_MS_MAX = 2 * HOUR_MS;

const isDueAt = (at: number, now: number): boolean => at <= now || at > now + DUE_MS_MAX;

/** The batches in a state that something is to be done with, the oldest first. */
async function dueBatches(parts: Parts, state: 'filling' | 'written' | 'delivered'): Promise<readonly Kept<Batch>[]> {
  const all = await allIn<Batch>(parts.needs.documents, state);
  return all
    .filter(({ document }) => isDueAt(document.at, nowOf(parts)))
    .toSorted((one, other) => one.body.createdAt - other.body.createdAt);
}

/** Takes a batch for this node; null: another node works on it. A batch is due again when its claim ends. */
async function claim(parts: Parts, { body, document }: Kept<Batch>): Promise<Kept<Batch> | null> {
  const now = nowOf(parts);
  if (!isDueAt(body.claimedUntil, now)) return null;
  return change(parts, { body, document }, { claimedUntil: now + CLAIM_MS }, now + CLAIM_MS);
}

/** Changes a batch on its revision; null: another node was faster. */
async function change(
  { needs }: Parts,
  { body, document }: Kept<Batch>,
  changes: Partial<Batch>,
  dueAt: number,
): Promise<Kept<Batch> | null> {
  const batch = { ...body, ...changes };
  const next = batchDocument(batch, dueAt, document);
  return (await needs.documents.save([next])) ? { body: batch, document: next } : null;
}

/** A new batch with the first orders that are due; null: there are none. */
async function openBatch(parts: Parts, direction: Direction): Promise<Kept<Batch> | null> {
  const { needs } = parts;
  const now = nowOf(parts);
  const due = await dueOrders(parts, direction, PORTION);
  if (due.length === 0) return null;
  const id = await freeId(parts, direction, dayAt(now));
  const batch: Batch = {
    id,
    direction,
    state: 'filling',
    createdAt: now,
    orders: due.length,
    written: null,
    deliveredAt: null,
    tries: 0,
    claimedUntil: now + CLAIM_MS,
  };
  const document = batchDocument(batch, batch.claimedUntil);
  const isSaved = await needs.documents.save([document, ...due.map((one) => joined(parts, one, batch))]);
  return isSaved ? { body: batch, document } : null;
}

function dueOrders(parts: Parts, direction: Direction, most: number): Promise<readonly Kept<Order>[]> {
  const { transactionsMax } = parts.account.settings;
  const limit = Math.min(most, transactionsMax, PORTION);
  return dueIn<Order>(parts.needs.documents, waitingGroup(direction), { now: nowOf(parts), limit });
}

/** The order in its batch. A file that is late moves the due date. */
function joined(parts: Parts, { body, document }: Kept<Order>, { id, createdAt }: Batch) {
  const leadDays = body.direction === 'debit' ? parts.account.settings.leadDays : 0;
  const dueOn = reachableDay(body.dueOn, createdAt, timesOf(parts), leadDays);
  return orderDocument({ ...body, state: 'batched', batchId: id, dueOn }, document.at, document);
}

/** D or C, the day, eight digits of the account's name, a number of the day: at most 22 characters, unique for the bank. */
async function freeId({ needs, account }: Parts, direction: Direction, day: Day): Promise<string> {
  const owner = shortHash(`${account.ownerId}.${account.name}`);
  for (let number = 1; number <= BATCHES_PER_DAY_MAX; number += 1) {
    const id = `${direction === 'debit' ? 'D' : 'C'}${day.replaceAll('-', '')}-${owner}-${String(number).padStart(3, '0')}`;
    if (!(await findBatch(needs.documents, id))) return id;
  }
  throw new Error('too many batches in one day');
}

/** FNV-1a, in eight digits: it tells accounts apart that one bank may see. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Fills a batch up and writes its file. Stops where another node has taken over. */
async function finish(parts: Parts, opened: Kept<Batch>, signal: AbortSignal): Promise<void> {
  const full = await fill(parts, opened, signal);
  if (full) await write(parts, full);
}

/** Each commit moves the batch too: a node whose claim has ended cannot add to a batch that another one has written. */
async function fill(parts: Parts, opened: Kept<Batch>, signal: AbortSignal): Promise<Kept<Batch> | null> {
  const { needs, account } = parts;
  let filled = opened;
  while (!signal.aborted) {
    const { body, document } = filled;
    const due = await dueOrders(parts, body.direction, account.settings.transactionsMax - body.orders);
    if (due.length === 0 || body.orders >= account.settings.transactionsMax) return filled;
    const batch = { ...body, orders: body.orders + due.length };
    const next = batchDocument(batch, body.claimedUntil, document);
    if (await needs.documents.save([next, ...due.map((one) => joined(parts, one, batch))]))
      filled = { body: batch, document: next };
    // An order was cancelled in between, or this node has lost the batch.
    else if ((await findBatch(needs.documents, body.id))?.document.revision !== document.revision) return null;
  }
  return null;
}

/**
 * Writes the file of a batch, seals it, and says so. The same batch always gives the same bytes, so a crash between the two costs nothing.
 * A file with a fault never leaves; the operator gets a message.
 */
async function write(parts: Parts, { body, document }: Kept<Batch>): Promise<void> {
  const { needs, account } = parts;
  const orders = (await allIn<Order>(needs.documents, batchGroup(body.id))).map((one) => one.body);
  const heading = { messageId: body.id, createdAt: body.createdAt, isBatchBooking: account.settings.batchBooking };
  const transfers = await Promise.all(orders.map((order) => transferOf(parts, order)));
  const version = body.direction === 'debit' ? account.settings.debitVersion : account.settings.creditVersion;
  const text =
    body.direction === 'debit'
      ? writeCollections(account.settings.debitVersion, heading, creditorOf(parts), transfers.map(collectionOf))
      : writeTransfers(
          account.settings.creditVersion,
          heading,
          creditorOf(parts),
          transfers.map(({ transfer }) => transfer),
        );
  const faults = orders.length === body.orders ? fileFaults(text, version) : ['orders are missing'];
  if (faults.length > 0) {
    needs.alarm('a file for the bank has faults and was not sent', { batch: body.id, faults: faults.slice(0, 3).join('; ') });
    throw new Error('the file has faults');
  }
  const days = orders.map(({ dueOn }) => dueOn).toSorted();
  await needs.sealed.put(sealedFile(body.id), text);
  const written = {
    version,
    sum: storedAmount(total(transfers.map(({ transfer }) => transfer))),
    bytes: Buffer.byteLength(text),
    firstDueOn: days[0] ?? '',
    lastDueOn: days.at(-1) ?? '',
  };
  await change(parts, { body, document }, { state: 'written', written, claimedUntil: 0 }, nowOf(parts));
}

type Written = { readonly transfer: Transfer; readonly debit: Order['debit'] };

async function transferOf({ needs }: Parts, order: Order): Promise<Written> {
  const sealed = await needs.sealed.open(sealedDetails(order.paymentId));
  if (sealed === null) throw new Error(`the details of ${order.paymentId} are missing`);
  const details = JSON.parse(sealed) as OrderDetails;
  const { paymentId: id, dueOn, remittance } = order;
  return { transfer: { id, amount: readAmount(order.amount), dueOn, remittance, ...details }, debit: order.debit };
}

function collectionOf({ transfer, debit }: Written): Collection {
  if (!debit) throw new Error('a transfer is among collections');
  return { ...transfer, ...debit };
}

const AT_ONCE = 50;
const WAITS_MIN = [1, 2, 5, 15];
/** After so many failures the operator gets a message with each further one. */
const QUIET_TRIES = 3;
const PORTS = { sftp: 22, ftps: 21 } as const;

/** Delivers written files, erases the details of delivered orders, and deletes old files. */
export async function deliverBatches(parts: Parts, signal: AbortSignal): Promise<void> {
  const work = async (due: readonly Kept<Batch>[], step: (parts: Parts, own: Kept<Batch>) => Promise<void>): Promise<void> => {
    for (const found of due) {
      const own = signal.aborted ? null : await claim(parts, found);
      if (own) await step(parts, own);
    }
  };
  await work(await dueBatches(parts, 'written'), deliver);
  await work(await dueBatches(parts, 'delivered'), eraseDetails);
  await work(await dueIn<Batch>(parts.needs.documents, 'kept', { now: nowOf(parts), limit: AT_ONCE }), eraseFile);
}

const fileName = ({ id, direction }: Pick<Batch, 'id' | 'direction'>): string =>
  `${direction === 'debit' ? 'pain.008' : 'pain.001'}-${id}.xml`;

/**
 * Uploads the sealed bytes under a temporary name and renames them. Without a receipt the same bytes are uploaded again: the bank knows
 * them by the id of the message.
 */
async function deliver(parts: Parts, own: Kept<Batch>): Promise<void> {
  const { needs } = parts;
  const begun = await change(parts, own, { tries: own.body.tries + 1 }, own.body.claimedUntil);
  if (!begun) return;
  const { id, tries, written } = begun.body;
  const text = await needs.sealed.open(sealedFile(id));
  const bytes = Buffer.from(text ?? '');
  if (text === null || bytes.length !== written?.bytes) {
    needs.alarm('the sealed file of a batch is missing or damaged', { batch: id });
    return;
  }
  try {
    const folder = await open(parts);
    try {
      await upload(folder, fileName(begun.body), { bytes, tries });
    } finally {
      folder.close();
    }
  } catch (error) {
    const waitMs = (WAITS_MIN[tries - 1] ?? 30) * MINUTE_MS;
    await change(parts, begun, { claimedUntil: 0 }, nowOf(parts) + waitMs);
    const why = (error instanceof Error ? error.message : String(error)).replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 200);
    if (tries >= QUIET_TRIES) needs.alarm('a file could not be delivered to the bank', { batch: id, tries: String(tries), why });
    else needs.log('a file could not be delivered to the bank', { batch: id, tries, why });
    return;
  }
  const deliveredAt = nowOf(parts);
  await change(parts, begun, { state: 'delivered', deliveredAt, claimedUntil: 0 }, deliveredAt);
  needs.log('a file was delivered to the bank', { batch: id, transactions: begun.body.orders, bytes: bytes.length });
}

type Upload = { readonly bytes: Uint8Array; readonly tries: number };

/** A file of that name and size is ours: an earlier upload whose receipt was lost. */
async function upload(folder: DeliveryFolder, name: string, { bytes, tries }: Upload): Promise<void> {
  if (tries > 1 && (await folder.size(name)) === bytes.length) return;
  // Each try has its own name: an earlier one that still writes must not write into this file.
  const temporary = `.${name}.${tries}.part`;
  await folder.put(temporary, [bytes]);
  const there = await folder.size(temporary);
  if (there !== bytes.length) throw new Error(`the server has ${there ?? 'none'} of ${bytes.length} bytes`);
  await folder.rename(temporary, name);
}

async function open({ needs, account }: Parts): Promise<DeliveryFolder> {
  const { delivery, host, port, user, directory, hostKey, ca } = account.settings;
  if (delivery === 'folder') return needs.openFolder({ kind: 'folder' }, null);
  const target: FolderTarget = {
    kind: delivery,
    host,
    port: port === 0 ? PORTS[delivery] : port,
    user,
    directory,
    hostKey: hostKey === '' ? null : hostKey,
    ca: ca === '' ? null : [ca],
  };
  return needs.openFolder(target, await secretOf({ needs, account }, delivery));
}

async function secretOf({ account }: Parts, delivery: 'sftp' | 'ftps'): Promise<FolderSecret | null> {
  const privateKey = delivery === 'sftp' ? await account.secret('privateKey') : null;
  if (privateKey !== null) return { kind: 'privateKey', privateKey };
  const password = await account.secret('password');
  return password === null ? null : { kind: 'password', password };
}

/** The file holds them now. */
async function eraseDetails(parts: Parts, own: Kept<Batch>): Promise<void> {
  const { needs, account } = parts;
  for (const { body } of await allIn<Order>(needs.documents, batchGroup(own.body.id)))
    await needs.sealed.erase(sealedDetails(body.paymentId));
  const lastDueAt = frankfurtInstant(own.body.written?.lastDueOn ?? '', '12:00');
  await change(parts, own, { state: 'kept', claimedUntil: 0 }, lastDueAt + account.settings.keepDays * DAY_MS);
}

async function eraseFile(parts: Parts, own: Kept<Batch>): Promise<void> {
  await parts.needs.sealed.erase(sealedFile(own.body.id));
  await change(parts, own, { state: 'erased', claimedUntil: 0 }, nowOf(parts));
}
