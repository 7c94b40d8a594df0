import { type CronExpression, readExpression } from '../../schedules/expression.ts';
import { isFaulty } from '../../schedules/fault.ts';
import { isSubMinute } from '../../schedules/nextRun.ts';
import { isZone } from '../../schedules/zone.ts';
import { isRecord } from '../../spec/json.ts';
import { columnNames, defaultColumns } from '../../spec/reconciliation.ts';
import type { Target } from './needs.ts';

/** The setting `reconciliation` of a merchant: to which server his files go, when, and how they look. The password is no part of it. */
export type Delivery = {
  readonly target: Target;
  readonly pattern: string;
  readonly when: CronExpression;
  /** Null: that of the merchant. */
  readonly zone: string | null;
  readonly columns: readonly string[];
  /** The first day that is delivered. */
  readonly since: string;
};

/** The name under which the password or key of the server is sealed. */
export const DELIVERY_SECRET = 'reconciliation';

const ports = { sftp: 22, ftps: 21, ftp: 21 } as const;
const DEFAULT_PATTERN = 'reconciliation_{merchantId}_{date}.csv';
const DEFAULT_WHEN = '0 0 6 * * ?';
const HOST = /^(?:[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*|\[?[0-9a-fA-F:.]{2,45}\]?)$/;

type Kind = { readonly says: string; readonly fits: (value: unknown) => boolean };
const text = (says: string, pattern: RegExp): Kind => ({
  says,
  fits: (value) => typeof value === 'string' && pattern.test(value),
});

function expressionOf(value: unknown): CronExpression | null {
  if (typeof value !== 'string') return null;
  const read = readExpression({ 'job.expression': value });
  return isFaulty(read) || isSubMinute(read) ? null : read;
}

const kinds: Readonly<Record<string, Kind>> = {
  kind: text('sftp, ftps or ftp', /^(?:sftp|ftps|ftp)$/),
  insecure: { says: 'true or false', fits: (value) => typeof value === 'boolean' },
  host: text('the name or the address of a server', HOST),
  port: { says: 'a port', fits: (value) => Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 65_536 },
  user: text('a name of up to 128 characters', /^[^\p{Cc}]{1,128}$/u),
  directory: text('a folder, without ".."', /^(?!.*\.\.)[^\p{Cc}\\]{0,512}$/u),
  hostKey: text('a fingerprint such as SHA256:… as ssh-keygen -l writes it', /^SHA256:[A-Za-z0-9+/]{43}$/),
  ca: text('certificates as PEM', /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/),
  pattern: text(
    'the name of a file with {date} in it, and with {merchantId} if you like',
    /^(?!\.)(?=.*\{date\})(?:[A-Za-z0-9._-]|\{date\}|\{merchantId\}){1,200}$/,
  ),
  when: {
    says: 'a cron expression of six or seven fields, at most once a minute',
    fits: (value) => expressionOf(value) !== null,
  },
  zone: { says: 'the name of a time zone such as Europe/Vienna', fits: (value) => typeof value === 'string' && isZone(value) },
  columns: {
    says: 'a list of columns, each once',
    fits: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((name) => columnNames.includes(name as string)) &&
      new Set(value).size === value.length,
  },
  since: text('a day, yyyy-MM-dd', /^20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/),
};
const needed = ['kind', 'host', 'user', 'since'] as const;

/** What is wrong with the setting, a sentence for each fault. An empty object: nothing is delivered. */
export function reconciliationSettingFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return ['the setting "reconciliation" must be an object'];
  if (Object.keys(value).length === 0) return [];
  const single = Object.entries(value).flatMap(([name, part]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return [`the setting "reconciliation.${name}" does not exist`];
    return kind.fits(part) ? [] : [`the setting "reconciliation.${name}" must be ${kind.says}`];
  });
  const missing = needed
    .filter((name) => value[name] === undefined)
    .map((name) => `the setting "reconciliation.${name}" is missing`);
  return [...single, ...missing, ...betweenFaults(value)];
}

function betweenFaults({ kind, insecure, hostKey, ca }: Readonly<Record<string, unknown>>): readonly string[] {
  const faults: string[] = [];
  if (kind === 'ftp' && insecure !== true)
    faults.push('plain FTP tells the password and the file to everybody on the way: it needs "reconciliation.insecure": true');
  if (kind === 'sftp' && hostKey === undefined)
    faults.push('sftp needs "reconciliation.hostKey", the fingerprint of the host\'s key');
  if (kind !== 'sftp' && hostKey !== undefined) faults.push('"reconciliation.hostKey" belongs to sftp');
  if (kind !== 'ftps' && ca !== undefined) faults.push('"reconciliation.ca" belongs to ftps');
  return faults;
}

type Written = {
  readonly kind: Target['kind'];
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly directory?: string;
  readonly hostKey?: string;
  readonly ca?: string;
  readonly pattern?: string;
  readonly when?: string;
  readonly zone?: string;
  readonly columns?: readonly string[];
  readonly since: string;
};

/** Where and when files are delivered; null: nowhere. Of a setting without faults. */
export function deliveryOf(settings: Readonly<Record<string, unknown>> | undefined): Delivery | null {
  if (settings === undefined || settings.kind === undefined) return null;
  const own = settings as Written;
  const when = expressionOf(own.when ?? DEFAULT_WHEN);
  if (when === null) return null;
  const { kind, host, user, since, port = ports[kind], directory = '', hostKey = null, ca, pattern = DEFAULT_PATTERN } = own;
  return {
    target: { kind, host, port, user, directory, hostKey, ca: ca === undefined ? null : [ca] },
    ...{ pattern, when, since, zone: own.zone ?? null, columns: own.columns ?? defaultColumns },
  };
}

/** The name of a file; what came later stands in one with a number. */
export function fileNameOf(
  { pattern }: Pick<Delivery, 'pattern'>,
  of: { readonly merchantId: string; readonly day: string; readonly part: number },
): string {
  const name = pattern.replaceAll('{date}', of.day).replaceAll('{merchantId}', of.merchantId);
  if (of.part === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${of.part}` : `${name.slice(0, dot)}-${of.part}${name.slice(dot)}`;
}
