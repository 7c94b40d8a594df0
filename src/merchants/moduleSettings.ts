/**
 * Settings of another module: this module inherits them member by member, the other module interprets them. The composition root
 * passes the functions that find their faults.
 */
export type ModuleSettings = Readonly<Record<string, unknown>>;

/** The names of other modules' settings in the JSON of a node. */
export const moduleNames = [
  'risk',
  'threeDS',
  'schedules',
  'scenarios',
  'settlement',
  'reconciliation',
  'accounts',
  'routing',
] as const;

export type ModuleName = (typeof moduleNames)[number];

/** Finds the faults of such a setting, a sentence for each. */
export type ModuleFaults = Readonly<Record<ModuleName, (value: unknown) => readonly string[]>>;

/** Accepts every setting of other modules. */
export const noModuleFaults: ModuleFaults = {
  risk: () => [],
  threeDS: () => [],
  schedules: () => [],
  scenarios: () => [],
  settlement: () => [],
  reconciliation: () => [],
  accounts: () => [],
  routing: () => [],
};

/** Merges own settings into inherited ones: tables are merged by member, everything else is replaced. */
export function inheritTables(above: ModuleSettings, own: ModuleSettings): ModuleSettings {
  const isTable = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = Object.entries(own).map(([name, value]): [string, unknown] => {
    const before = above[name];
    return [name, isTable(before) && isTable(value) ? { ...before, ...value } : value];
  });
  return { ...above, ...Object.fromEntries(members) };
}

export const isModuleName = (name: string): name is ModuleName => moduleNames.some((module) => module === name);
