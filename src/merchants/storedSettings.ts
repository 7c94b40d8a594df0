import type { EntityCells, VersionedEntity } from './ports.ts';

/** How many texts of settings are known to be right while rows are read: most merchants have one of few. */
const CHECKED_MAX = 10_000;

/** The faults in the settings of a row as it is stored: each text is checked once. */
export function createStoredCheck(
  faultsOf: (row: VersionedEntity) => readonly string[],
): (cells: EntityCells) => readonly string[] {
  const right = new Set<string>();
  return ([id, kind, parentId, name, text, revision]) => {
    const checked = `${kind} ${text}`;
    if (right.has(checked)) return [];
    const stored = { id, kind, parentId, name, settings: settingsIn(text), revision };
    if (stored.settings === undefined) return [damaged(kind, parentId)];
    const faults = faultsOf(stored as VersionedEntity);
    if (faults.length === 0 && right.size < CHECKED_MAX) right.add(checked);
    return faults;
  };
}

/** Undefined: they are no JSON. */
function settingsIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const damaged = (kind: string, parentId: string | null): string =>
  `the settings of this ${kind}${parentId === null ? '' : ` of ${parentId}`} (table entity) are damaged, they are no JSON: ` +
  'stop the gateway and restore the database from its last good backup with npx turnpike restore --overwrite (docs/backup.md)';
