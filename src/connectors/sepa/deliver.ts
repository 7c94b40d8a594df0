import type { FolderSecret } from '../../spec/remoteFolder.ts';
import { DAY_MS, MINUTE_MS } from '../../spec/time.ts';
import type { DeliveryFolder, FolderTarget } from '../ports.ts';
import { change, claim, dueBatches } from './batches.ts';
import { frankfurtInstant } from './calendar.ts';
import {
  allIn,
  type Batch,
  batchGroup,
  dueIn,
  type Kept,
  nowOf,
  type Order,
  type Parts,
  sealedDetails,
  sealedFile,
} from './records.ts';

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

export const fileName = ({ id, direction }: Pick<Batch, 'id' | 'direction'>): string =>
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
