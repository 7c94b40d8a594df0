import type { Target } from './out/needs.ts';
import { reconciliationSettingFaults } from './out/settings.ts';

/** The member `pull` of the setting `settlement`: an acquirer's folder from which files are fetched. */
export type Pull = {
  readonly target: Target;
  /** What becomes of a file on the other side once it is ours. */
  readonly afterwards: 'leave' | 'rename' | 'remove';
};

const afterwards = ['leave', 'rename', 'remove'] as const;
const ports = { sftp: 22, ftps: 21, ftp: 21 } as const;
const ofPlace = ['kind', 'insecure', 'host', 'port', 'user', 'directory', 'hostKey', 'ca'];

/** What is wrong with it, a sentence for each fault. It names a server as the setting of what is delivered does. */
export function pullFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ['the setting "settlement.pull" must be an object'];
  const { afterwards: what = 'leave', ...place } = value as Readonly<Record<string, unknown>>;
  const strange = Object.keys(place).filter((name) => !ofPlace.includes(name));
  const own = afterwards.some((one) => one === what)
    ? []
    : [`the setting "settlement.pull.afterwards" must be one of ${afterwards.join(', ')}`];
  const known = Object.fromEntries(Object.entries(place).filter(([name]) => ofPlace.includes(name)));
  const faults = reconciliationSettingFaults({ ...known, since: '2000-01-01' }).map((fault) =>
    fault.replaceAll('reconciliation.', 'settlement.pull.'),
  );
  return [...own, ...strange.map((name) => `the setting "settlement.pull.${name}" does not exist`), ...faults];
}

/** Of a setting without faults; null: nothing is fetched. */
export function pullOf(settings: Readonly<Record<string, unknown>> | undefined): Pull | null {
  const own = settings?.pull as (Target & Pick<Pull, 'afterwards'> & { readonly ca?: unknown }) | undefined;
  if (!own) return null;
  const { kind, host, user, port = ports[kind], directory = '', hostKey = null } = own;
  const ca = typeof own.ca === 'string' ? [own.ca] : null;
  return { target: { kind, host, port, user, directory, hostKey, ca }, afterwards: own.afterwards ?? 'leave' };
}
