import { isRecord } from '../../runtime/json.ts';
import { isZone } from '../../schedules/calendar.ts';
import { type CronExpression, readExpression } from '../../schedules/expression.ts';
import { isFaulty } from '../../schedules/fault.ts';
import { isSubMinute } from '../../schedules/timetable.ts';
import {
  type FolderSettings,
  kindFaults,
  protocolFaults,
  readSecret,
  remoteFolderFrom,
  remoteFolderKinds,
  type SettingKinds,
  secretText,
  text,
} from '../../settlement/remoteFolder.ts';
import { columnNames, defaultColumns } from '../../spec/reconciliation.ts';
import type { FolderAddress, FolderSecret } from '../../spec/remoteFolder.ts';
import type { SealedRecord, SecretStore, Vault } from '../../vault/ports.ts';

/** The setting `reconciliation` of a merchant: server, delivery times and format of its files, without the password. */
export type DeliverySettings = {
  readonly target: FolderAddress;
  readonly pattern: string;
  readonly when: CronExpression;
  /** Null: the merchant's time zone. */
  readonly zone: string | null;
  readonly columns: readonly string[];
  /** The first day that is delivered. */
  readonly since: string;
};

/** The name under which the password or key of the server is sealed. */
export const DELIVERY_SECRET = 'reconciliation';

const DEFAULT_PATTERN = 'reconciliation_{merchantId}_{date}.csv';
const DEFAULT_WHEN = '0 0 6 * * ?';
function expressionOf(value: unknown): CronExpression | null {
  if (typeof value !== 'string') return null;
  const read = readExpression({ 'job.expression': value });
  return isFaulty(read) || isSubMinute(read) ? null : read;
}

const kinds: SettingKinds = {
  ...remoteFolderKinds,
  pattern: text(
    'the name of a file with {date} in it, and with {merchantId} if you like',
    /^(?!\.)(?=.*\{date\})(?:[A-Za-z0-9._-]|\{date\}|\{merchantId\}){1,200}$/,
  ),
  when: {
    description: 'a cron expression of six or seven fields, at most once a minute',
    fits: (value) => expressionOf(value) !== null,
  },
  zone: {
    description: 'the name of a time zone such as Europe/Vienna',
    fits: (value) => typeof value === 'string' && isZone(value),
  },
  columns: {
    description: 'a list of columns, each once',
    fits: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((name) => columnNames.includes(name as string)) &&
      new Set(value).size === value.length,
  },
  since: text('a day, yyyy-MM-dd', /^20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/),
};
const required = ['kind', 'host', 'user', 'since'] as const;

/** One sentence for each fault of the setting. An empty object is valid: nothing is delivered. */
export function reconciliationSettingFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return ['the setting "reconciliation" must be an object'];
  if (Object.keys(value).length === 0) return [];
  const single = kindFaults('reconciliation', kinds, value);
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name) => `the setting "reconciliation.${name}" is missing`);
  return [...single, ...missing, ...protocolFaults('reconciliation', value)];
}

type Written = FolderSettings & {
  readonly pattern?: string;
  readonly when?: string;
  readonly zone?: string;
  readonly columns?: readonly string[];
  readonly since: string;
};

/** Reads a setting without faults; null: nothing is delivered. */
export function deliverySettings(settings: Readonly<Record<string, unknown>> | undefined): DeliverySettings | null {
  if (settings === undefined || settings.kind === undefined) return null;
  const own = settings as Written;
  const when = expressionOf(own.when ?? DEFAULT_WHEN);
  if (when === null) return null;
  const { since, pattern = DEFAULT_PATTERN, zone = null, columns = defaultColumns } = own;
  return { target: remoteFolderFrom(own), pattern, when, since, zone, columns };
}

/** The name of a file; further parts of a day have a number in it. */
export function fileNameOf(
  { pattern }: Pick<DeliverySettings, 'pattern'>,
  of: { readonly merchantId: string; readonly day: string; readonly part: number },
): string {
  const name = pattern.replaceAll('{date}', of.day).replaceAll('{merchantId}', of.merchantId);
  if (of.part === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${of.part}` : `${name.slice(0, dot)}-${of.part}${name.slice(dot)}`;
}

const recordOf = (merchantId: string): SealedRecord => ({
  merchantId,
  entityId: merchantId,
  recordId: merchantId,
  field: DELIVERY_SECRET,
});

/** The password or private key of a merchant's server. */
export async function deliverySecret(
  { secrets, vault }: { readonly secrets: Pick<SecretStore, 'secret'>; readonly vault: Pick<Vault, 'ready' | 'open'> },
  merchantId: string,
): Promise<FolderSecret> {
  const sealed = await secrets.secret(merchantId, DELIVERY_SECRET);
  if (sealed === null) throw new Error('the password or key of the server is missing: turnpike reconciliation-setup stores it');
  await vault.ready(merchantId);
  return readSecret(await vault.open(recordOf(merchantId), sealed));
}

/** Seals and stores the secret; null removes it. */
export async function saveDeliverySecret(
  { secrets, vault }: { readonly secrets: Pick<SecretStore, 'storeSecret'>; readonly vault: Pick<Vault, 'ready' | 'seal'> },
  merchantId: string,
  secret: FolderSecret | null,
): Promise<void> {
  await vault.ready(merchantId);
  const sealed = secret === null ? null : vault.seal(recordOf(merchantId), secretText(secret));
  await secrets.storeSecret(merchantId, DELIVERY_SECRET, sealed);
}
