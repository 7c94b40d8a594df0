import { type AuditService, createAuditService } from '../audit/service.ts';
import type { OpenedVault } from '../vault/vault.ts';
import type { AppOptions } from './options.ts';
import { rest } from './system.ts';

export type AuditModule = {
  readonly service: AuditService;
  /** The process begins and ends its work. */
  begin(): Promise<void>;
  end(): Promise<void>;
};

/** The audit log of this node. What is kept stands in the log of the process too, with its hash: kept elsewhere, that is a proof. */
export function createAuditModule(
  { store, clock, nodeName, log }: AppOptions,
  { digest }: Pick<OpenedVault, 'digest'>,
): AuditModule {
  const service = createAuditService({
    ...{ store, digest, rest, node: nodeName, now: clock.now },
    // The instant as text, as in every line of the log: digits would pass for a card number.
    onKept: ({ previous: _, at, ...entry }) =>
      log.info({ admin: true, at: new Date(at).toISOString(), ...entry }, 'administered'),
  });
  const about = { who: 'turnpike', by: 'system', entityId: null, objectId: null, result: 'done', from: '' } as const;
  return {
    service,
    begin: () => service.write({ ...about, what: 'start' }),
    // A store that is gone has its own alarm, and must not keep the process from ending.
    end: () =>
      service.write({ ...about, what: 'stop' }).catch((error) => log.error({ err: error }, 'the end is not in the audit log')),
  };
}
