import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ConnectorPool } from '../../connectors/accounts.ts';
import { settlementFileFor } from '../../connectors/simulator/settlement.ts';
import type { SettlementService } from '../../http/admin/ports.ts';
import type { MerchantFilter } from '../../merchants/merchantFilter.ts';
import { createFolders } from '../../outbound/folders.ts';
import type { World } from '../../payments/ports.ts';
import { recordDisputes } from '../../settlement/exceptions/disputes.ts';
import { candidatesFor, resolve } from '../../settlement/exceptions/resolve.ts';
import { unsettledPayments } from '../../settlement/exceptions/unsettled.ts';
import { type BankNeeds, type FileConnector, sendsFiles } from '../../settlement/in/applyReport.ts';
import { deleteAbandoned, type ImportNeeds, importFile } from '../../settlement/in/importFile.ts';
import { importFolder, pullAll, pullSecret } from '../../settlement/in/pull.ts';
import { createUploadStore } from '../../settlement/in/uploads.ts';
import { type SettleDaysNeeds, settleDays } from '../../settlement/sandboxDays/settleDays.ts';
import { settlementOf } from '../../settlement/settings.ts';
import type { FolderAddress, FolderSecret } from '../../spec/remoteFolder.ts';
import { MINUTE_MS, SECOND_MS } from '../../spec/time.ts';
import { simulatorSettlementJobs } from '../../workers/jobs.ts';
import type { Job } from '../../workers/loop.ts';
import { createReportReceiver } from '../connectors/acquirerNotifications.ts';
import type { Foundation } from '../foundation.ts';
import { type AppOptions, outboundReach } from '../options.ts';
import { sleep } from '../system.ts';

type SettlementParts = {
  readonly world: World;
  readonly worldOf: (merchantId: string | null) => World;
  readonly connectors: Pick<ConnectorPool, 'connector'>;
};

type SettlementModule = { readonly service: SettlementService; readonly jobs: readonly Job[] };

const BYTES_MAX = 536_870_912;

const PULL_MS = 15 * MINUTE_MS;
const PULL_TIMEOUTS = { openMs: 15 * SECOND_MS, idleMs: MINUTE_MS };
/** A file may be gigabytes from a slow server. Each wait for it has a time limit of its own. */
const FILES_LIMIT_MS = 120 * MINUTE_MS;
const DISPUTES_AT_ONCE = 200;
const ROUNDS_MAX = 50;

/** Acquirers' settlement files: upload, pull, import, matching and exceptions. */
export function createSettlementModule(
  options: AppOptions,
  { vault, directory }: Foundation,
  { world, worldOf, connectors }: SettlementParts,
): SettlementModule {
  const { store, dataDir, nodeName, settlementDir: folder = null, settlementBytesMax: bytesMax = BYTES_MAX } = options;
  const { clock, ids, timers, alarm } = world;
  // Nodes may share the data folder: each cleans up its own part.
  const uploads = createUploadStore(dataDir === undefined ? null : join(dataDir, 'incoming', nodeName));
  const nowOf = (merchantId: string | null): number => worldOf(merchantId).clock.now();
  const accounts: BankNeeds['accounts'] = (entityId) => fileAccounts({ directory, connectors }, entityId);
  const bank: BankNeeds = { accounts, worldOf, ...createReportReceiver({ store, worldOf, clock }) };
  const needs: ImportNeeds = { store, directory, clock, ids, nowOf, bank };
  const recordAllDisputes = async () => {
    for (let round = 0; round < ROUNDS_MAX; round += 1)
      if ((await recordDisputes({ store, worldOf, directory, statusesOf: bank.statusesOf }, DISPUTES_AT_ONCE)) < DISPUTES_AT_ONCE)
        return;
  };
  const service: SettlementService = {
    store,
    uploads,
    bytesMax,
    importFile: (entityId, source) => importFile(needs, entityId, source),
    resolve: (record, decision) => resolve(needs, record, decision),
    candidates: (records) => candidatesFor(needs, records),
    recordDisputes: recordAllDisputes,
    unsettled: (query) => unsettledPayments(store, query),
  };
  const open = createFolders({ timers, reach: outboundReach(options) });
  const pullNeeds = {
    ...needs,
    openFolder: (target: FolderAddress, secret: FolderSecret) => open(target, secret, PULL_TIMEOUTS),
    secret: (entityId: string) => pullSecret({ store, vault }, entityId),
    alarm,
    uploads,
    rest: sleep,
    handled: new Map(),
  };
  const entitiesWithPull = async () => {
    // The address is inherited, and each entity pulls for itself.
    const ids = new Set(directory.ownersOf('settlement').flatMap((id) => directory.idsBelow(id)));
    return [...ids].flatMap((id) => directory.entity(id) ?? []).filter(({ settings }) => settings.settlement?.pull !== undefined);
  };
  const jobs: readonly Job[] = [
    {
      name: 'fetch settlement files',
      everyMs: PULL_MS,
      limitMs: FILES_LIMIT_MS,
      run: async () => pullAll(pullNeeds, await entitiesWithPull()),
    },
    { name: 'record chargebacks', everyMs: 2 * SECOND_MS, limitMs: 10 * MINUTE_MS, run: recordAllDisputes },
    {
      name: 'delete abandoned settlement imports',
      everyMs: MINUTE_MS,
      limitMs: 10 * MINUTE_MS,
      run: async () => void (await deleteAbandoned(needs)),
    },
    ...(folder === null
      ? []
      : [
          {
            name: 'import settlement files',
            everyMs: 10 * SECOND_MS,
            limitMs: FILES_LIMIT_MS,
            run: () => importFolder({ ...needs, folder, open: createReadStream, alarm }),
          },
        ]),
  ];
  return { service, jobs };
}

/** The accounts that an entity and those below it may use and whose payments go to a bank in files, each once. */
function fileAccounts(
  { directory, connectors }: Pick<Foundation, 'directory'> & Pick<SettlementParts, 'connectors'>,
  entityId: string,
): readonly FileConnector[] {
  const found = new Map<string, FileConnector>();
  for (const { id, settings } of directory.below(entityId))
    for (const name of Object.keys(settings.accounts ?? {})) {
      const connector = connectors.connector(name, id);
      if (sendsFiles(connector)) found.set(connector.accountId ?? name, connector);
    }
  return [...found.values()];
}

type SandboxSettlementParts = {
  readonly worldOf: (merchantId: string | null) => World;
  readonly settlement: Pick<SettlementService, 'importFile' | 'recordDisputes'>;
};

export type SandboxSettlementModule = {
  /** Settles the days of the given merchants that are over; returns their number. */
  readonly settle: (merchantId: string | null, merchants: MerchantFilter) => Promise<number>;
  readonly jobs: readonly Job[];
};

const RETRY_MS = 50;

/** Settlement by the simulated acquirer, in the test environment: one file a day, and the chargebacks of scenarios. */
export function createSandboxSettlement(
  { store }: AppOptions,
  { directory, clocks, alarm }: Foundation,
  { worldOf, settlement }: SandboxSettlementParts,
): SandboxSettlementModule {
  const accountNumber = (entityId: string): string | undefined =>
    settlementOf(directory.entity(entityId)?.settings.settlement).accounts[0];
  const needs: SettleDaysNeeds = {
    store,
    connector: 'simulator',
    account: ({ entityId, merchantId }) => accountNumber(entityId) ?? accountNumber(merchantId) ?? null,
    formatFile: settlementFileFor,
    allMerchants: async () => directory.merchantIds(),
    importFile: settlement.importFile,
    recordDisputes: settlement.recordDisputes,
    rest: () => sleep(RETRY_MS),
    alarm,
  };
  const settle: SandboxSettlementModule['settle'] = (merchantId, merchants) =>
    settleDays(needs, { merchants, now: worldOf(merchantId).clock.now() });
  return { settle, jobs: simulatorSettlementJobs(clocks, ({ merchantId, merchants }) => settle(merchantId, merchants)) };
}
