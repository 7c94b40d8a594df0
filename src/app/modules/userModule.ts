import { deleteOldNotices, writeNotices } from '../../audit/notices.ts';
import { type AuditService, createAuditService } from '../../audit/service.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { deleteOldApprovals, deleteOldUnapproved } from '../../users/approvals.ts';
import { deleteOldAttempts } from '../../users/failedAttempts.ts';
import { deleteExpiredInvitations } from '../../users/invitations.ts';
import { createHashQueue, PASSWORD_COST } from '../../users/passwordRules.ts';
import type { UserNeeds } from '../../users/ports.ts';
import { createRateLimit, type UserService } from '../../users/service.ts';
import { authenticateSession, deleteExpiredSessions } from '../../users/sessions.ts';
import { deleteExpiredTickets } from '../../users/tickets.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import type { Job } from '../../workers/loop.ts';
import type { Foundation } from '../foundation.ts';
import type { AppOptions } from '../options.ts';
import { rest } from '../system.ts';

const CLEAN_MS = 10 * MINUTE_MS;
const NOTICES_MS = 5_000;

/** Users of the back office. They always work in real time, whatever test clocks merchants have. */
export function createUserModule(
  options: Pick<AppOptions, 'store' | 'clock' | 'gatewayPort' | 'isBreached' | 'passwordCost'>,
  { vault, directory, ids }: Pick<Foundation, 'vault' | 'directory' | 'ids'>,
): UserService {
  const { store, clock, gatewayPort, isBreached, passwordCost = PASSWORD_COST } = options;
  const needs: UserNeeds = {
    store,
    vault,
    directory,
    clock,
    ids,
    random: systemRandom,
    hashQueue: createHashQueue(),
    passwordCost,
    isBreached,
  };
  return {
    needs,
    gatewayPort: gatewayPort ?? null,
    rateLimit: createRateLimit(clock),
    authenticate: (token, isQuiet) => authenticateSession(needs, token, isQuiet),
  };
}

/** Makes notices; deletes expired sessions, tickets, invitations, failed attempts, approval requests and notices. */
export const userJobs = ({ needs }: UserService, { store }: Pick<AppOptions, 'store'>): readonly Job[] => [
  { name: 'write notices', everyMs: NOTICES_MS, run: () => writeNotices({ ...needs, store }) },
  {
    name: 'delete expired sessions',
    everyMs: CLEAN_MS,
    run: async () =>
      void (await Promise.all(
        [
          deleteExpiredSessions,
          deleteExpiredTickets,
          deleteExpiredInvitations,
          deleteOldAttempts,
          deleteOldApprovals,
          deleteOldUnapproved,
          deleteOldNotices,
        ].map((forget) => forget(needs)),
      )),
  },
];

type AuditModule = {
  readonly service: AuditService;
  /** Records the start of the process. */
  begin(): Promise<void>;
  /** Records the end of the process. */
  end(): Promise<void>;
};

/** The audit log of this node. Every entry is also logged with its hash: a log stored elsewhere proves that no entry was changed. */
export function createAuditModule(
  { store, clock, nodeName, log }: AppOptions,
  { vault: { digest } }: Pick<Foundation, 'vault'>,
): AuditModule {
  const service = createAuditService({
    store,
    digest,
    rest,
    node: nodeName,
    now: clock.now,
    // The instant is logged as a string, because its digits would be masked like a card number.
    onWritten: ({ previous: _, at, ...entry }) =>
      log.info({ admin: true, at: new Date(at).toISOString(), ...entry }, 'administered'),
  });
  const entry = { who: 'turnpike', by: 'system', entityId: null, objectId: null, result: 'done', from: '' } as const;
  return {
    service,
    begin: () => service.write({ ...entry, what: 'start' }),
    // A store that is unreachable raises its own alarm, and must not delay the shutdown.
    end: () =>
      service
        .write({ ...entry, what: 'stop' })
        .catch((error) => log.error({ err: error }, 'the shutdown could not be written to the audit log')),
  };
}
