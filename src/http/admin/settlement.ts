import type { Fault } from '../../form/checked.ts';
import { amountText } from '../../money/amount.ts';
import { type Laid, type Pour, TooLong } from '../../settlement/in/uploads.ts';
import type { FileCount } from '../../settlement/ports.ts';
import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import type { RightEndpointName } from '../../spec/admin/admin.ts';
import { DAY_MS } from '../../spec/dates.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import { CutOff } from '../server/upload.ts';
import { createSlots, uploadSlots } from '../server/uploadSlots.ts';
import type { Rooms } from '../services.ts';
import { type Acted, type Administered, acting, enterEntity, enterThing, looking, noSuch } from './authorize.ts';

const LIMIT = 50;

const faulty = ({ respond }: Rooms, entityId: string, faults: readonly Fault[]): Reply =>
  respond.result('200.300.404', entityId, { faults });

/** Who stands at an entity or below it. */
const idsBelow = ({ directory }: Rooms, entityId: string): readonly string[] => directory.below(entityId).map(({ id }) => id);

const fileShown = ({ pspId: _, readUntil: __, createdAt, ...file }: SettlementFile) => ({
  ...file,
  createdAt: new Date(createdAt).toISOString(),
});

/** Everything that the line says, amounts as text. */
const recordShown = ({ revision: _, createdAt, amount, settledAmount, fee, ...record }: SettlementRecord) => ({
  ...record,
  amount: amountText(amount),
  settledAmount: amountText(settledAmount),
  fee: fee === null ? null : amountText(fee),
  createdAt: new Date(createdAt).toISOString(),
});

/** Takes a file as the body of the request. It passes over the disk, so that its length is no matter of memory. */
export const bringSettlement = acting('bringSettlement', enterEntity, async (rooms, asked, request): Promise<Acted> => {
  const reply = await whileFewer(rooms, asked.entity.id, () => laidDown(rooms, asked, request));
  return { reply, objectId: null };
});

const slots = createSlots(uploadSlots);

/** Each may fill the disk up to the bound, so there are few at once. */
async function whileFewer({ respond, directory }: Rooms, entityId: string, work: () => Promise<Reply>): Promise<Reply> {
  const leave = slots.enter(directory.entity(entityId)?.merchantId ?? entityId);
  if (leave === null)
    return respond.result('800.120.100', entityId, { headers: ['Retry-After', '5'], remark: 'too many files arrive at once' });
  try {
    return await work();
  } finally {
    leave();
  }
}

type Asked = Administered<'bringSettlement', null>;

async function laidDown(rooms: Rooms, asked: Asked, { file, headers }: Request): Promise<Reply> {
  const { settlement, respond } = rooms;
  const { id: entityId } = asked.entity;
  const { bytesMax } = settlement;
  const tooLong = () =>
    respond.result('200.300.404', entityId, {
      status: 413,
      faults: [{ name: 'body', value: null, message: `must not be longer than ${bytesMax} bytes` }],
    });
  if (Number(headers['content-length'] ?? 0) > bytesMax) return tooLong();
  const pour: Pour = async (take) => {
    for await (const piece of file ?? []) await take(piece);
  };
  try {
    return await settlement.shelf.lay(pour, bytesMax, (laid) => bring(rooms, asked, laid));
  } catch (error) {
    if (error instanceof TooLong) return tooLong();
    if (error instanceof CutOff) return respond.result('200.300.404', entityId, { status: 408, remark: error.message });
    throw error;
  }
}

async function bring(rooms: Rooms, { entity, values }: Asked, { bytes, open }: Laid): Promise<Reply> {
  const { settlement, respond } = rooms;
  if (bytes === 0) return faulty(rooms, entity.id, [{ name: 'body', value: null, message: 'must be the file' }]);
  const brought = await settlement.bring(entity.id, { name: values.name ?? 'upload', open });
  const { is, file } = brought;
  if (is === 'busy') {
    const remark = 'another file of this PSP is being read; bring this one again in a moment';
    return respond.result('800.120.100', entity.id, { headers: ['Retry-After', '5'], remark });
  }
  if (is === 'refused') {
    const faults = file.faults.map(({ line, message }) => ({ name: `line ${line}`, value: null, message }));
    const remark = `nothing of the file was taken: ${file.faultCount} faults`;
    return respond.result('200.300.404', entity.id, { faults, remark });
  }
  await settlement.recordDisputes();
  const count = is === 'kept' ? brought.count : await settlement.store.countFile(file.id);
  return respond.json(200, { is, ...fileShown(file), count }, { entityId: entity.id });
}

/** Lists the files of an entity and of those below it. */
export const listSettlements = looking('listSettlements', enterEntity, async (rooms, { entity, values }) => {
  const files = await rooms.settlement.store.files(idsBelow(rooms, entity.id), values.limit ?? LIMIT);
  return rooms.respond.json(200, { settlements: files.map(fileShown) }, { entityId: entity.id });
});

const enterFile = <Name extends RightEndpointName>(rooms: Rooms, request: Request, endpoint: Name) =>
  enterThing(rooms, request, {
    endpoint,
    what: 'file',
    find: (id) => rooms.settlement.store.file(id),
    entityIdOf: (file) => file.entityId,
  });

/** Reads a file: how its lines were matched, or what is wrong with it. */
export const readSettlement = looking('readSettlement', enterFile, async ({ settlement, respond }, { thing: file }) => {
  const count: FileCount | null = file.state === 'kept' ? await settlement.store.countFile(file.id) : null;
  return respond.json(200, { ...fileShown(file), count }, { entityId: file.entityId });
});

/** Lists what waits for a person. */
export const listExceptions = looking('listExceptions', enterEntity, async (rooms, { entity, values }) => {
  const { status = null, after, limit = LIMIT } = values;
  const entityIds = idsBelow(rooms, entity.id);
  const found = await rooms.settlement.store.exceptions({ entityIds, status, ...(after !== undefined && { after }), limit });
  const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
  return rooms.respond.json(200, { exceptions: found.map(recordShown), next }, { entityId: entity.id });
});

type Line = { readonly record: SettlementRecord; readonly file: SettlementFile };

const enterLine = <Name extends RightEndpointName>(rooms: Rooms, request: Request, endpoint: Name) => {
  const { store } = rooms.settlement;
  const find = async (id: string): Promise<Line | null> => {
    const record = await store.record(id);
    const file = record && (await store.file(record.fileId));
    return record && file ? { record, file } : null;
  };
  return enterThing(rooms, request, { endpoint, what: 'line', find, entityIdOf: ({ file }) => file.entityId });
};

/** Keeps what a person decided about a line. */
export const resolveException = acting(
  'resolveException',
  enterLine,
  async (rooms, { who, thing, values, entity }): Promise<Acted> => {
    const { settlement, respond } = rooms;
    const acted = (reply: Reply): Acted => ({ reply, objectId: thing.record.id });
    const { paymentId = null, leave, note } = values;
    if ((paymentId === null) === (leave === undefined)) {
      return acted(
        faulty(rooms, entity.id, [{ name: 'paymentId', value: paymentId, message: 'send either paymentId or leave' }]),
      );
    }
    const resolved = await settlement.resolve(thing.record, { who, paymentId, note });
    switch (resolved.is) {
      case 'refused':
        return acted(faulty(rooms, entity.id, [{ name: resolved.name, value: paymentId, message: resolved.message }]));
      case 'moved':
        return acted(
          faulty(rooms, entity.id, [{ name: 'id', value: thing.record.id, message: 'was decided by somebody else just now' }]),
        );
      case 'done': {
        await settlement.recordDisputes();
        const record = (await settlement.store.record(thing.record.id)) ?? resolved.record;
        return acted(respond.json(200, recordShown(record), { entityId: entity.id }));
      }
    }
  },
);

/** Payments are settled within some days; what is younger is not missed yet. */
const [FROM_DAYS, TO_DAYS] = [45, 3];

/** Lists payments that no line has settled. */
export const listUnsettled = looking('listUnsettled', enterEntity, async (rooms, { entity, values }) => {
  const { directory, settlement, world, respond } = rooms;
  const { merchantId = null, channel = null } = directory.entity(entity.id) ?? {};
  if (merchantId === null) {
    return faulty(rooms, entity.id, [
      { name: 'entityId', value: entity.id, message: 'must be a merchant or one of his channels' },
    ]);
  }
  const now = rooms.at(merchantId).world.clock.now();
  const { from = now - FROM_DAYS * DAY_MS, to = now - TO_DAYS * DAY_MS, after, limit = LIMIT } = values;
  const last = after === undefined ? null : await world.store.payment(merchantId, after);
  if (after !== undefined && !last) return noSuch(rooms, 'payment');
  const place = last && { createdAt: last.createdAt, merchantId, id: last.id };
  const asked = { merchantId, entityId: channel?.entityId ?? null, from, before: to, after: place, limit };
  const { payments, next } = await settlement.unsettled(asked);
  const shown = payments.map(({ id, paymentType, amount, currency, createdAt }) => ({
    ...{ id, paymentType, currency },
    amount: amountText(amount),
    createdAt: new Date(createdAt).toISOString(),
  }));
  return respond.json(200, { payments: shown, next: next?.id ?? null }, { entityId: entity.id });
});
