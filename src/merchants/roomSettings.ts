/**
 * Settings that belong to a room to the right of this one: inherited here, member by member, and understood there. Whoever builds the
 * house brings what finds their faults.
 */
export type RoomSettings = Readonly<Record<string, unknown>>;

/** The settings of other rooms by their names in the JSON of a node. */
export const roomNames = ['risk', 'threeDS', 'schedules'] as const;

export type RoomName = (typeof roomNames)[number];

/** What is wrong with such a setting: a sentence each, empty when nothing is. */
export type RoomFaults = Readonly<Record<RoomName, (value: unknown) => readonly string[]>>;

/** For whoever has no use for those rooms. */
export const unread: RoomFaults = { risk: () => [], threeDS: () => [], schedules: () => [] };

export const isRoomName = (name: string): name is RoomName => roomNames.some((room) => room === name);
