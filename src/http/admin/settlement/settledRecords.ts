import { csvChunks } from '../../../reports/reconciliation/csv.ts';
import type { ReconciliationRun } from '../../../reports/reconciliation/ports.ts';
import { type ReportScope, readAggregations, recordsOfDays } from '../../../reports/settlementReport/report.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ReconciliationShown, Settled } from '../../../spec/answers/settlement.ts';
import { defaultColumns, selectableColumns } from '../../../spec/reconciliation.ts';
import type { Services } from '../../services.ts';
import { downloadHeaders, type Reply } from '../../transport/reply.ts';
import { authorizeEntity } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';

/** Reports for users of the back office; servers read the same with an access token. */

function scopeOf({ directory }: Pick<Services, 'directory'>, entityId: string): ReportScope | null {
  const { merchantId = null, channel = null } = directory.entity(entityId) ?? {};
  return merchantId === null ? null : { merchantId, channelId: channel?.entityId ?? null, isSample: false };
}

const noMerchant = ({ replies }: Pick<Services, 'replies'>, entityId: string): Reply =>
  replies.result('200.300.404', entityId, {
    faults: [{ name: 'entityId', value: entityId, message: 'must be a merchant or a channel' }],
  });

/** Settled amounts by day and currency. */
export const listSettled = query(
  'listSettled',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'reports'>, { entity, values }) => {
    const scope = scopeOf(services, entity.id);
    if (scope === null) return noMerchant(services, entity.id);
    const { from, to, currency = null } = values;
    const settled = (await readAggregations(services.reports, scope, { from, to, currency })) as readonly Settled[];
    return services.replies.json(200, { settled } satisfies AdminAnswer<'listSettled'>, { entityId: entity.id });
  },
);

/** The columns of the delivered file, then columns that its list leaves out, because users look for the merchant's references. */
const DOWNLOADED = [...defaultColumns, ...selectableColumns];

/** The reconciliation file of a period. It holds personal data, so the download is audited. */
export const exportSettled = command(
  'exportSettled',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'reports'>, { entity, values }): Promise<CommandResult> => {
    const scope = scopeOf(services, entity.id);
    if (scope === null) return { reply: noMerchant(services, entity.id), objectId: null };
    const { from, to, currency = null, recordType = null } = values;
    const reply: Reply = {
      status: 200,
      headers: downloadHeaders('text/csv; charset=utf-8; header=present', `reconciliation_${from}_${to}.csv`),
      body: '',
      pieces: csvChunks(DOWNLOADED, recordsOfDays(services.reports, scope, { from, to, currency, recordType })),
      code: null,
      ndc: services.replies.ndc(entity.id),
      entityId: entity.id,
    };
    return { reply, objectId: null };
  },
);

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
  day,
  part,
  state,
  tries,
  name,
  bytes,
  records,
  why,
  nextTryAt: state === 'done' || state === 'failed' ? null : new Date(dueAt).toISOString(),
  createdAt: new Date(createdAt).toISOString(),
  changedAt: new Date(movedAt).toISOString(),
});

/** The files for the merchant's own server, delivered and waiting; the latest day first. */
export const listReconciliations = query(
  'listReconciliations',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'reports'>, { entity, values }) => {
    const scope = scopeOf(services, entity.id);
    if (scope === null) return noMerchant(services, entity.id);
    const runs = await services.reports.store.reconciliations(scope.merchantId, values.from);
    return services.replies.json(
      200,
      { reconciliations: runs.map(shown).reverse() } satisfies AdminAnswer<'listReconciliations'>,
      { entityId: entity.id },
    );
  },
);
