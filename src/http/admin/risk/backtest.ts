import { COMMIT_DELAY_MS, createBacktestJob, treeOf, treeWith } from '../../../risk/backtest/ruleSelector.ts';
import { placedFaults, type RiskSettings } from '../../../risk/settings.ts';
import type { LastBacktest } from '../../../spec/answers/risk.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';

/** Rules are tried on the past: begun, looked at, ended. */

const shown = async ({ replies, risk }: Pick<Services, 'replies' | 'risk'>, entityId: string): Promise<Reply> => {
  const body: LastBacktest = { backtest: await risk.backtests.read(entityId) };
  return replies.json(200, body, { entityId });
};

/** Payments belong to merchants. */
export const notMerchant = (services: Pick<Services, 'replies'>, entityId: string): Reply =>
  faulty(services, entityId, { name: 'entityId', value: entityId, message: 'must be a merchant or a channel' });

const startBacktest = command(
  'startBacktest',
  authorizeEntity,
  async (
    services: Pick<Services, 'accounts' | 'directory' | 'replies' | 'risk' | 'world'>,
    authorized,
  ): Promise<CommandResult> => {
    return { reply: await begin(services, authorized), objectId: authorized.entity.id };
  },
);

async function begin(
  services: Pick<Services, 'accounts' | 'directory' | 'replies' | 'risk' | 'world'>,
  { entity: { id }, values, who }: AuthorizedAdmin<'startBacktest', null>,
): Promise<Reply> {
  const { accounts, directory, risk, replies } = services;
  const entity = directory.entity(id);
  if (!entity || entity.merchantId === null) return notMerchant(services, id);
  const { merchantId } = entity;
  const [fault] = placedFaults(values.risk);
  if (fault)
    return faulty(services, id, { name: fault.place === '' ? 'risk' : `risk.${fault.place}`, value: null, message: fault.says });
  const rows = await accounts.store.lineages([merchantId]);
  const changed = treeWith(rows, id, values.risk as Partial<RiskSettings>);
  if (changed.is === 'invalid') return faulty(services, id, { name: 'risk', value: null, message: changed.fault });
  const now = services.world.clock.now();
  const span = { from: values.from ?? null, before: Math.min(now - COMMIT_DELAY_MS, values.to ?? now) };
  if (span.from !== null && span.from >= span.before)
    return faulty(services, id, { name: 'from', value: null, message: 'must lie before the end: nothing is between them' });
  const entries = await risk.entries(merchantId, now);
  const job = createBacktestJob({ entity, merchantId, trees: { before: treeOf(rows), after: changed.tree }, span, entries });
  const { timeZone } = entity.settings;
  const started = await risk.backtests.start({ entity, span, timeZone, job, risk: values.risk, by: who });
  if (typeof started === 'object') return replies.json(200, { backtest: started } satisfies LastBacktest, { entityId: id });
  const remark =
    started === 'busy' ? 'a back-test of this entity is under way' : 'another back-test is under way; try again later';
  return replies.result('800.120.100', id, { headers: ['Retry-After', '10'], remark });
}

const readBacktest = query('readBacktest', authorizeEntity, (services: Pick<Services, 'replies' | 'risk'>, { entity }) =>
  shown(services, entity.id),
);

const cancelBacktest = command(
  'cancelBacktest',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'risk'>, { entity }): Promise<CommandResult> => {
    const isEnded = await services.risk.backtests.cancel(entity.id);
    return { reply: isEnded ? await shown(services, entity.id) : noSuch(services, 'back-test'), objectId: entity.id };
  },
);

export const backtestHandlers = { startBacktest, readBacktest, cancelBacktest };
