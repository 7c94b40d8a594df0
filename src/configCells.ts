import type { BackupSettings } from './configBackup.ts';
import { fault, type SettingReader } from './configReaders.ts';
import type { CellSetting } from './store/cells/openDatabases.ts';
import { addressFault, withParameter } from './store/postgres/address.ts';

const CELL = /^(?<name>[a-z][a-z0-9-]{0,31})=(?<url>\S+)$/;
const CELL_FORM = 'must be name=postgres://… or name=control, several with blanks between them; a name has a to z, 0 to 9 and -';
/** The revision of a fold of statistics names the cell in ten bits. */
const CELLS_MAX = 1_024;

/** Names with addresses, blanks between them: an address may have commas. Addresses are never repeated: they hold passwords. */
export const cells: SettingReader<readonly CellSetting[]> = (text) => {
  const found = text.split(/\s+/).filter((part) => part !== '');
  const settings: CellSetting[] = [];
  for (const part of found) {
    const { name, url = '' } = CELL.exec(part)?.groups ?? {};
    if (name === undefined) return fault(CELL_FORM);
    const says = url === 'control' ? null : addressFault(url);
    if (says !== null) return fault(`must have an address of ${name} that ${says}`);
    if (settings.some((one) => one.name === name)) return fault(`must name each cell once; ${name} is there twice`);
    settings.push({ name, url: url === 'control' ? null : url });
  }
  const twice = settings.find(({ url }, at) => settings.findIndex((one) => one.url === url) !== at);
  if (twice) return fault(`must name each database once; ${twice.name} has the address of another cell`);
  return settings.length === 0 || settings.length > CELLS_MAX ? fault(CELL_FORM) : settings;
};

/** The password of a cell may be in the same file as that of control. It is read again for each connection. */
export const withPassfile = (named: readonly CellSetting[], passfile: string | undefined): readonly CellSetting[] =>
  passfile ? named.map(({ name, url }) => ({ name, url: url && withParameter(url, 'passfile', passfile) })) : named;

type Beside = {
  readonly cells: readonly CellSetting[];
  readonly databaseUrl: string | null;
  readonly replica: object | null;
  readonly backup: Pick<BackupSettings, 'to'>;
};

/** What does not fit together with cells. */
export function cellFaults({ cells: named, databaseUrl: control, replica, backup }: Beside): readonly string[] {
  if (named.length === 0) return [];
  const refusals: readonly (readonly [isWrong: boolean, says: string])[] = [
    [control === null, 'CELLS: needs DATABASE_URL, the control database; cells are databases of PostgreSQL'],
    [named.some(({ url }) => url !== null && url === control), 'CELLS: write control instead of the address of DATABASE_URL'],
    [replica !== null, 'DATABASE_REPLICA_URL: is a standby of one database; with CELLS lists are read from the cells'],
    [backup.to !== null, 'BACKUP_TO: backs up one database; with CELLS each has a backup of its own: docs/scale.md#cells'],
  ];
  return refusals.flatMap(([isWrong, says]) => (isWrong ? [says] : []));
}
