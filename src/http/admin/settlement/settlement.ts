import { amountText } from '../../../money/amount.ts';
import type { Payment } from '../../../payments/payment.ts';
import { last4Of } from '../../../registrations/registration.ts';
import { ticks } from '../../../runtime/ticks.ts';
import { type StoredUpload, type StreamUpload, UploadTooLarge } from '../../../settlement/in/uploads.ts';
import type { FileCount } from '../../../settlement/ports.ts';
import type { SettlementFile, SettlementRecord } from '../../../settlement/record.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { CandidatePayment, ExceptionLine, ExceptionsResolved } from '../../../spec/answers/settlement.ts';
import { DAY_MS } from '../../../spec/time.ts';
import { createSlots, uploadSlots } from '../../merchantSlots.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import { CutOff } from '../../transport/body.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, authorizeObject, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';

const LIMIT = 50;

/** The merchants and channels at an entity or below it. */
const idsBelow = ({ directory }: Pick<Services, 'directory'>, entityId: string): readonly string[] =>
  directory.idsBelow(entityId);

const fileShown = ({ pspId: _, readUntil: __, createdAt, ...file }: SettlementFile) => ({
  ...file,
  createdAt: new Date(createdAt).toISOString(),
});

/** All columns of a line, amounts as text. */
function recordShown({ revision: _, createdAt, amount, settledAmount, fee, match, ...record }: SettlementRecord) {
  const { exception, ...shown } = match;
  return {
    ...record,
    match: shown,
    exception: exception?.kind ?? null,
    amount: amountText(amount),
    settledAmount: amountText(settledAmount),
    fee: fee === null ? null : amountText(fee),
    createdAt: new Date(createdAt).toISOString(),
  };
}

const candidateShown = (payment: Payment): CandidatePayment => ({
  id: payment.id,
  shortId: payment.shortId,
  merchantTransactionId: payment.merchantTransactionId,
  paymentType: payment.paymentType,
  amount: amountText(payment.amount),
  currency: payment.currency,
  createdAt: new Date(payment.createdAt).toISOString(),
  last4: last4Of(payment.instrument),
});

/** Takes a file as the body of the request. It is written to disk first, so that its length costs no memory. */
export const bringSettlement = command(
  'bringSettlement',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'settlement'>, asked, request): Promise<CommandResult> => {
    const reply = await withSlot(services, asked.entity.id, () => storeUpload(services, asked, request));
    return { reply, objectId: null };
  },
);

const slots = createSlots(uploadSlots);

/** Each may fill the disk up to the limit, so only a few run concurrently. */
async function withSlot(
  { replies, directory }: Pick<Services, 'directory' | 'replies'>,
  entityId: string,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const leave = slots.enter(directory.entity(entityId)?.merchantId ?? entityId);
  if (leave === null)
    return replies.result('800.120.100', entityId, { headers: ['Retry-After', '5'], remark: 'too many files arrive at once' });
  try {
    return await work();
  } finally {
    leave();
  }
}

type UploadCall = AuthorizedAdmin<'bringSettlement', null>;

async function storeUpload(
  services: Pick<Services, 'replies' | 'settlement'>,
  asked: UploadCall,
  { file, headers }: Request,
): Promise<Reply> {
  const { settlement, replies } = services;
  const { id: entityId } = asked.entity;
  const { bytesMax } = settlement;
  const tooLong = () =>
    replies.result('200.300.404', entityId, {
      status: 413,
      faults: [{ name: 'body', value: null, message: `must not be longer than ${bytesMax} bytes` }],
    });
  if (Number(headers['content-length'] ?? 0) > bytesMax) return tooLong();
  const streamBody: StreamUpload = async (take) => {
    for await (const piece of file ?? []) await take(piece);
  };
  try {
    return await settlement.uploads.withUpload(streamBody, bytesMax, (stored) => importUpload(services, asked, stored));
  } catch (error) {
    if (error instanceof UploadTooLarge) return tooLong();
    if (error instanceof CutOff) return replies.result('200.300.404', entityId, { status: 408, remark: error.message });
    throw error;
  }
}

async function importUpload(
  services: Pick<Services, 'replies' | 'settlement'>,
  { entity, values }: UploadCall,
  { bytes, open }: StoredUpload,
): Promise<Reply> {
  const { settlement, replies } = services;
  if (bytes === 0) return faulty(services, entity.id, { name: 'body', value: null, message: 'must be the file' });
  const brought = await settlement.importFile(entity.id, { name: values.name ?? 'upload', open });
  const { is, file } = brought;
  if (is === 'busy') {
    const remark = 'another file of this PSP is being read; bring this one again in a moment';
    return replies.result('800.120.100', entity.id, { headers: ['Retry-After', '5'], remark });
  }
  if (is === 'refused') {
    const faults = file.faults.map(({ line, message }) => ({ name: `line ${line}`, value: null, message }));
    const remark = `nothing of the file was taken; faults: ${file.faultCount}`;
    return replies.result('200.300.404', entity.id, { faults, remark });
  }
  await settlement.recordDisputes();
  const count = is === 'kept' ? brought.count : await settlement.store.countFile(file.id);
  return replies.json(200, { is, ...fileShown(file), count } satisfies AdminAnswer<'bringSettlement'>, { entityId: entity.id });
}

/** Lists the files of an entity and of those below it. */
export const listSettlements = query(
  'listSettlements',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'settlement'>, { entity, values }) => {
    const files = await services.settlement.store.files(idsBelow(services, entity.id), values.limit ?? LIMIT);
    return services.replies.json(200, { settlements: files.map(fileShown) } satisfies AdminAnswer<'listSettlements'>, {
      entityId: entity.id,
    });
  },
);

const authorizeFile = authorizeObject({
  what: 'file',
  find: ({ settlement }, id) => settlement.store.file(id),
  entityIdOf: ({ entityId }) => entityId,
});

/** Reads a file: how its lines were matched, or why it was refused. */
export const readSettlement = query(
  'readSettlement',
  authorizeFile,
  async ({ settlement, replies }: Pick<Services, 'replies' | 'settlement'>, { resource: file }) => {
    const count: FileCount | null = file.state === 'kept' ? await settlement.store.countFile(file.id) : null;
    return replies.json(200, { ...fileShown(file), count } satisfies AdminAnswer<'readSettlement'>, { entityId: file.entityId });
  },
);

/** Lists exceptions: lines that wait for a decision. */
export const listExceptions = query(
  'listExceptions',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'settlement'>, { entity, values }) => {
    const { status = null, after, limit = LIMIT } = values;
    const entityIds = idsBelow(services, entity.id);
    const found = await services.settlement.store.exceptions({ entityIds, status, ...(after !== undefined && { after }), limit });
    const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
    await ticks.next();
    const candidates = await services.settlement.candidates(found);
    const exceptions = found.map((record): ExceptionLine => {
      const { payments = [], suggestedId = null } = candidates.get(record.id) ?? {};
      return { ...recordShown(record), candidates: payments.map(candidateShown), suggestedId };
    });
    return services.replies.json(200, { exceptions, next } satisfies AdminAnswer<'listExceptions'>, { entityId: entity.id });
  },
);

type Line = { readonly record: SettlementRecord; readonly file: SettlementFile };

const authorizeLine = authorizeObject({
  what: 'line',
  find: async ({ settlement: { store } }, id): Promise<Line | null> => {
    const record = await store.record(id);
    const file = record && (await store.file(record.fileId));
    return record && file ? { record, file } : null;
  },
  entityIdOf: ({ file }) => file.entityId,
});

/** Resolves an exception. */
export const resolveException = command(
  'resolveException',
  authorizeLine,
  async (services: Pick<Services, 'replies' | 'settlement'>, { who, resource, values, entity }): Promise<CommandResult> => {
    const { settlement, replies } = services;
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: resource.record.id });
    const { paymentId = null, leave, note } = values;
    if ((paymentId === null) === (leave === undefined)) {
      return acted(
        faulty(services, entity.id, { name: 'paymentId', value: paymentId, message: 'send either paymentId or leave' }),
      );
    }
    const resolved = await settlement.resolve(resource.record, { who, paymentId, note });
    switch (resolved.is) {
      case 'refused':
        return acted(faulty(services, entity.id, { name: resolved.name, value: paymentId, message: resolved.message }));
      case 'moved':
        return acted(
          faulty(services, entity.id, { name: 'id', value: resource.record.id, message: 'was decided by another user just now' }),
        );
      case 'done': {
        await settlement.recordDisputes();
        const record = (await settlement.store.record(resource.record.id)) ?? resolved.record;
        return acted(replies.json(200, recordShown(record) satisfies AdminAnswer<'resolveException'>, { entityId: entity.id }));
      }
    }
  },
);

/** Resolves several exceptions, each by itself: one that is refused does not keep the others from it. */
export const resolveExceptions = command(
  'resolveExceptions',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'replies' | 'settlement'>,
    { who, entity, values: { decisions, note } },
  ): Promise<CommandResult> => {
    const { settlement, replies } = services;
    const below = new Set(idsBelow(services, entity.id));
    const refused: { readonly id: string; readonly message: string }[] = [];
    for (const { id, paymentId = null } of decisions) {
      const record = await settlement.store.record(id);
      const file = record && (await settlement.store.file(record.fileId));
      if (!record || !file || !below.has(file.entityId) || !record.match.isOpen) {
        refused.push({ id, message: 'is no open exception' });
        continue;
      }
      const resolved = await settlement.resolve(record, { who, paymentId, note });
      if (resolved.is === 'refused') refused.push({ id, message: resolved.message });
      if (resolved.is === 'moved') refused.push({ id, message: 'was decided by another user just now' });
    }
    await settlement.recordDisputes();
    const body: ExceptionsResolved = { resolved: decisions.length - refused.length, refused };
    return { reply: replies.json(200, body, { entityId: entity.id }), objectId: null };
  },
);

/** Payments are settled within some days; younger ones are not late yet. */
const [FROM_DAYS, TO_DAYS] = [45, 3];

/** Lists payments that no line has settled. */
export const listUnsettled = query(
  'listUnsettled',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'forMerchant' | 'replies' | 'settlement' | 'world'>, { entity, values }) => {
    const { directory, settlement, world, replies } = services;
    const { merchantId = null, channel = null } = directory.entity(entity.id) ?? {};
    if (merchantId === null) {
      return faulty(services, entity.id, { name: 'entityId', value: entity.id, message: 'must be a merchant or a channel' });
    }
    const now = services.forMerchant(merchantId).world.clock.now();
    const { from = now - FROM_DAYS * DAY_MS, to = now - TO_DAYS * DAY_MS, after, limit = LIMIT } = values;
    const last = after === undefined ? null : await world.store.payment(merchantId, after);
    if (after !== undefined && !last) return noSuch(services, 'payment');
    const place = last && { createdAt: last.createdAt, merchantId, id: last.id };
    const asked = { merchantId, entityId: channel?.entityId ?? null, from, before: to, after: place, limit };
    const { payments, next } = await settlement.unsettled(asked);
    const shown = payments.map(({ id, paymentType, amount, currency, createdAt }) => ({
      id,
      paymentType,
      currency,
      amount: amountText(amount),
      createdAt: new Date(createdAt).toISOString(),
    }));
    return replies.json(200, { payments: shown, next: next?.id ?? null } satisfies AdminAnswer<'listUnsettled'>, {
      entityId: entity.id,
    });
  },
);
