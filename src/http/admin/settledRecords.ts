import { csvPieces } from '../../reports/reconciliation/csv.ts';
import type { ReconciliationRun } from '../../reports/reconciliation/ports.ts';
import { recordsOfDays, tellAggregations, type Whose } from '../../reports/settlementReport/report.ts';
import type { ReconciliationShown, Settled } from '../../spec/answers/settlement.ts';
import { defaultColumns } from '../../spec/reconciliation.ts';
import { downloadHeaders, type Reply } from '../server/reply.ts';
import type { Rooms } from '../services.ts';
import { type Acted, acting, enterEntity, looking } from './authorize.ts';

/** Reports for people who have signed in; programs ask for the same with an access token. */

function whoseOf({ directory }: Rooms, entityId: string): Whose | null {
  const { merchantId = null, channel = null } = directory.entity(entityId) ?? {};
  return merchantId === null ? null : { merchantId, channelId: channel?.entityId ?? null, isSample: false };
}

const noMerchant = ({ respond }: Rooms, entityId: string): Reply =>
  respond.result('200.300.404', entityId, {
    faults: [{ name: 'entityId', value: entityId, message: 'must be a merchant or one of his channels' }],
  });

/** What was settled on which day in which currency. */
export const listSettled = looking('listSettled', enterEntity, async (rooms, { entity, values }) => {
  const whose = whoseOf(rooms, entity.id);
  if (whose === null) return noMerchant(rooms, entity.id);
  const { from, to, currency = null } = values;
  const settled = (await tellAggregations(rooms.reports, whose, { from, to, currency })) as readonly Settled[];
  return rooms.respond.json(200, { settled }, { entityId: entity.id });
});

/** The reconciliation file of some days. It tells of shoppers, so who takes it away stands in the audit log. */
export const exportSettled = acting('exportSettled', enterEntity, async (rooms, { entity, values }): Promise<Acted> => {
  const whose = whoseOf(rooms, entity.id);
  if (whose === null) return { reply: noMerchant(rooms, entity.id), objectId: null };
  const { from, to, currency = null, recordType = null } = values;
  const reply: Reply = {
    status: 200,
    headers: downloadHeaders('text/csv; charset=utf-8; header=present', `reconciliation_${from}_${to}.csv`),
    body: '',
    pieces: csvPieces(defaultColumns, recordsOfDays(rooms.reports, whose, { from, to, currency, recordType })),
    code: null,
    ndc: rooms.respond.ndc(entity.id),
    entityId: entity.id,
  };
  return { reply, objectId: null };
});

const shown = ({
  day,
  part,
  state,
  tries,
  name,
  bytes,
  records,
  why,
  dueAt,
  createdAt,
  movedAt,
}: ReconciliationRun): ReconciliationShown => ({
  ...{ day, part, state, tries, name, bytes, records, why },
  nextTryAt: state === 'done' || state === 'failed' ? null : new Date(dueAt).toISOString(),
  createdAt: new Date(createdAt).toISOString(),
  changedAt: new Date(movedAt).toISOString(),
});

/** The files that went to the merchant's own server, and those that wait; the youngest day first. */
export const listReconciliations = looking('listReconciliations', enterEntity, async (rooms, { entity, values }) => {
  const whose = whoseOf(rooms, entity.id);
  if (whose === null) return noMerchant(rooms, entity.id);
  const runs = await rooms.reports.store.reconciliations(whose.merchantId, values.from);
  return rooms.respond.json(200, { reconciliations: runs.map(shown).reverse() }, { entityId: entity.id });
});
