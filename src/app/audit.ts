import { type AuditService, createAuditService } from '../audit/service.ts';
import type { Foundation } from './foundation.ts';
import type { AppOptions } from './options.ts';
import { rest } from './system.ts';

export type AuditModule = {
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
    // The instant is logged as text: its digits would be masked like a card number.
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
