import { type AuditEntry, auditCsvHeader, auditCsvLine } from '../../audit/entry.ts';
import { type AuditCursor, type AuditFilter, listAudit as list, resultOf, streamAudit } from '../../audit/list.ts';
import type { AdminValues } from '../../spec/admin/admin.ts';
import type { AuditPage, AuditProof, AuditShown } from '../../spec/answers/users.ts';
import type { Services } from '../services.ts';
import { downloadHeaders, type Reply } from '../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity } from './authorize.ts';
import { type CommandResult, command } from './command.ts';

const LIMIT = 50;

const shown = ({ at, ...entry }: AuditEntry): AuditShown => ({
  ...entry,
  at: new Date(at).toISOString(),
  outcome: resultOf(entry),
});

/** The part of the log that the caller may see. Entries without an entity are visible from the top alone. */
function filterOf(
  { directory }: Pick<Services, 'directory'>,
  { entity, values }: AuthorizedAdmin<'exportAudit', null>,
): AuditFilter {
  const { who, what, about, objectId, result, from, to } = values;
  const below = directory.idsBelow(entity.id);
  const entityIds = new Set(about === undefined ? below : below.filter((id) => id === about));
  return {
    entityIds,
    includesInstallation: about === undefined && entity.path.length === 1,
    ...(who !== undefined && { who }),
    ...(what !== undefined && { what }),
    ...(objectId !== undefined && { objectId }),
    ...(result !== undefined && { result }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function placeOf({ after }: AdminValues<'listAudit'>): { readonly before?: AuditCursor } {
  const [at, number] = after?.split('-').map(Number) ?? [];
  return at === undefined || number === undefined ? {} : { before: { at, number } };
}

/** Reads the log. Reading it is an entry of its own. */
export const listAudit = command(
  'listAudit',
  authorizeEntity,
  async (services: Pick<Services, 'auditLog' | 'directory' | 'replies'>, authorized): Promise<CommandResult> => {
    const { limit = LIMIT } = authorized.values;
    const { entries, next } = await list(services.auditLog, filterOf(services, authorized), {
      limit,
      ...placeOf(authorized.values),
    });
    const body: AuditPage = { entries: entries.map(shown), next: next && `${next.at}-${next.number}` };
    return { reply: services.replies.json(200, body, { entityId: authorized.entity.id }), objectId: null };
  },
);

async function* pieces(services: Pick<Services, 'auditLog'>, filter: AuditFilter): AsyncGenerator<Uint8Array> {
  yield Buffer.from(auditCsvHeader);
  for await (const portion of streamAudit(services.auditLog, filter)) yield Buffer.from(portion.map(auditCsvLine).join(''));
}

/** The log as a streamed file. */
export const exportAudit = command(
  'exportAudit',
  authorizeEntity,
  async (services: Pick<Services, 'auditLog' | 'directory' | 'replies'>, authorized): Promise<CommandResult> => {
    const reply: Reply = {
      status: 200,
      headers: downloadHeaders('text/csv; charset=utf-8; header=present', 'audit.csv'),
      body: '',
      pieces: pieces(services, filterOf(services, authorized)),
      code: null,
      ndc: services.replies.ndc(authorized.entity.id),
      entityId: authorized.entity.id,
    };
    return { reply, objectId: null };
  },
);

/** Verifies the chain. Only callers who may see all of it get the findings; others get the number. */
export const verifyAudit = command(
  'verifyAudit',
  authorizeEntity,
  async (services: Pick<Services, 'auditLog' | 'forMerchant' | 'replies'>, { entity }): Promise<CommandResult> => {
    const verdict = await services.auditLog.verify();
    const body: AuditProof = {
      ...verdict,
      ok: verdict.found === 0,
      findings: entity.path.length === 1 ? verdict.findings : [],
      at: new Date(services.forMerchant(null).world.clock.now()).toISOString(),
    };
    return { reply: services.replies.json(200, body, { entityId: entity.id }), objectId: null };
  },
);
