import { applySettingsChange, changedNames, type SettingsChange } from '../../../merchants/changeSettings.ts';
import type { VersionedEntity } from '../../../merchants/ports.ts';
import type { Services } from '../../services.ts';
import type { CommandResult } from '../command.ts';
import type { Performer } from '../performers.ts';
import { requestApproval } from '../users/requestApproval.ts';

/** The amounts above which a command needs a second person. To weaken them needs one too. */

const ALONE = 'weakens the approvals and waits for a second person: change nothing else with it';

type WeakerLimits = {
  readonly values: SettingsChange & { readonly name?: string };
  readonly after: VersionedEntity['settings'];
  readonly who: string;
};

const limitsOf = (settings: VersionedEntity['settings']): unknown => settings.approvals ?? null;

/** Requests approval of weaker limits. The change and the present limits are stored for the approver. */
export async function requestWeakerLimits(
  services: Pick<Services, 'replies' | 'users'>,
  row: VersionedEntity,
  { values, after, who }: WeakerLimits,
): Promise<CommandResult> {
  const { name, set, inherit } = values;
  if (name !== undefined || changedNames(values).some((one) => one !== 'approvals')) {
    const faults = [{ name: 'approvals', value: null, message: ALONE }];
    return { reply: services.replies.result('200.300.404', row.id, { faults }), objectId: row.id };
  }
  const settingsChange: SettingsChange = { ...(set && { set }), ...(inherit && { inherit }) };
  return requestApproval(services, {
    what: 'changeEntity',
    entityId: row.id,
    objectId: row.id,
    who,
    values: { ...settingsChange, before: limitsOf(row.settings), after: limitsOf(after) },
  });
}

/** Sets approved limits, unless they have changed since the request. */
export const changeLimitsPerformer: Performer = async ({ accounts }: Pick<Services, 'accounts'>, { entityId, values }) => {
  const row = (await accounts.store.lineages([entityId])).find(({ id }) => id === entityId);
  const { set, inherit, before } = values as SettingsChange & { readonly before: unknown };
  const settingsChange: SettingsChange = { ...(set && { set }), ...(inherit && { inherit }) };
  const failed = { isDone: false, result: '200.300.404', objectId: entityId };
  if (!row || JSON.stringify(limitsOf(row.settings)) !== JSON.stringify(before)) return failed;
  const changed = applySettingsChange(row, settingsChange, accounts.change);
  if (changed.is === 'faulty') return failed;
  const { id, name, revision } = row;
  if (!(await accounts.store.saveEntity({ id, name, settings: changed.settings, revision: revision + 1 }))) return failed;
  await accounts.reload();
  return { isDone: true, result: 'done', objectId: entityId };
};
