/**
 * Settings that belong to a room to the right of this one: inherited here, member by member, and understood there. Whoever builds the
 * house brings what finds their faults.
 */
export type RoomSettings = Readonly<Record<string, unknown>>;

/** The settings of other rooms by their names in the JSON of a node. */
export const roomNames = ['risk', 'threeDS', 'schedules', 'scenarios', 'settlement', 'reconciliation'] as const;

export type RoomName = (typeof roomNames)[number];

/** What is wrong with such a setting: a sentence each, empty when nothing is. */
export type RoomFaults = Readonly<Record<RoomName, (value: unknown) => readonly string[]>>;

/** For whoever has no use for those rooms. */
export const unread: RoomFaults = {
  risk: () => [],
  threeDS: () => [],
  schedules: () => [],
  scenarios: () => [],
  settlement: () => [],
  reconciliation: () => [],
};

/** What is set below over what is set above, where members are tables: a table grows, and everything else is replaced. */
export function inheritTables(above: RoomSettings, own: RoomSettings): RoomSettings {
  const isTable = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = Object.entries(own).map(([name, value]): [string, unknown] => {
    const before = above[name];
    return [name, isTable(before) && isTable(value) ? { ...before, ...value } : value];
  });
  return { ...above, ...Object.fromEntries(members) };
}

export const isRoomName = (name: string): name is RoomName => roomNames.some((room) => room === name);
