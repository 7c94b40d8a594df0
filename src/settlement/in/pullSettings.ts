import { isRecord } from '../../spec/json.ts';
import type { FolderAddress } from '../../spec/remoteFolder.ts';
import {
  type FolderSettings,
  kindFaults,
  protocolFaults,
  remoteFolderFrom,
  remoteFolderKinds,
  requiredOfFolder,
  text,
} from '../remoteFolder.ts';

/** The member `pull` of the setting `settlement`: an acquirer's folder from which files are fetched. */
export type Pull = {
  readonly target: FolderAddress;
  /** What the gateway does with a file on the server after the import. */
  readonly afterwards: 'leave' | 'rename' | 'remove';
};

const SETTING = 'settlement.pull';
const kinds = { ...remoteFolderKinds, afterwards: text('one of leave, rename, remove', /^(?:leave|rename|remove)$/) };

/** One sentence for each fault of the setting. */
export function pullFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return [`the setting "${SETTING}" must be an object`];
  const missing = requiredOfFolder
    .filter((name) => value[name] === undefined)
    .map((name) => `the setting "${SETTING}.${name}" is missing`);
  return [...kindFaults(SETTING, kinds, value), ...missing, ...protocolFaults(SETTING, value)];
}

/** Reads a setting without faults; null: nothing is fetched. */
export function pullOf(settings: Readonly<Record<string, unknown>> | undefined): Pull | null {
  const own = settings?.pull as (FolderSettings & Partial<Pick<Pull, 'afterwards'>>) | undefined;
  return own ? { target: remoteFolderFrom(own), afterwards: own.afterwards ?? 'leave' } : null;
}
