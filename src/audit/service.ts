import type { DocumentStore } from '../users/documents.ts';
import { userDocument } from '../users/user.ts';
import { type AuditAction, type AuditEntry, type AuditStore, loggedId } from './entry.ts';
import { type AuditVerdict, verifyAudit } from './verify.ts';
import { type AuditWriterNeeds, createAuditWriter, sealOf } from './writer.ts';

export type AuditServiceNeeds = Omit<AuditWriterNeeds, 'store'> & {
  readonly store: AuditStore & Pick<DocumentStore, 'document'>;
  /** Yields to other work. */
  readonly rest: () => Promise<void>;
};

/** Writes and verifies the audit log. */
export interface AuditService {
  readonly store: Pick<AuditStore, 'auditEntries'>;
  /** Resolves when the entry is durable. */
  write(act: AuditAction): Promise<void>;
  /** The same for refused callers. Many in a short time are counted instead. */
  writeRefused(act: AuditAction): Promise<void>;
  /** Verifies the chain from its first entry. Concurrent calls share one run. */
  verify(): Promise<AuditVerdict>;
  /** Yields to other work. */
  rest(): Promise<void>;
}

const PORTION = 1_000;

/** The entries after a number, page by page. */
export async function* chainPages(
  { store, rest }: Pick<AuditServiceNeeds, 'store' | 'rest'>,
  after: number,
): AsyncGenerator<readonly AuditEntry[]> {
  for (let last = after; ; ) {
    const page = await store.auditChain(last, PORTION);
    yield page;
    last = page.at(-1)?.number ?? last;
    if (page.length < PORTION) return;
    await rest();
  }
}

export function createAuditService(needs: AuditServiceNeeds): AuditService {
  const { store, digest, rest } = needs;
  const writer = createAuditWriter(needs);
  let verifying: Promise<AuditVerdict> | null = null;
  const run = () =>
    verifyAudit({
      head: store.auditHead,
      pages: (after) => chainPages(needs, after),
      sealOf: async (head) => sealOf(digest, head),
    }).finally(() => {
      verifying = null;
    });
  return {
    store,
    rest,
    write: async (act) => writer.write(await named(store, act)),
    writeRefused: async (act) => writer.writeUnauthenticated(await named(store, act)),
    verify: () => {
      verifying ??= run();
      return verifying;
    },
  };
}

/** A user's entry has the present name. Entries about the own account are visible to the user's administrators. */
async function named(store: Pick<DocumentStore, 'document'>, sent: AuditAction): Promise<AuditAction> {
  const act = sent.objectId === null ? sent : { ...sent, objectId: loggedId(sent.objectId) };
  const isUser = act.who !== '' && act.who !== 'operator' && (act.by === undefined || act.by === 'user');
  if (!isUser || (act.whoName !== undefined && act.entityId !== null)) return act;
  const user = (await userDocument(store as DocumentStore, act.who))?.body;
  if (!user) return act;
  return {
    ...act,
    whoName: act.whoName ?? `${user.name} <${user.email}>`,
    entityId: act.entityId ?? user.grants[0]?.entityId ?? null,
  };
}
