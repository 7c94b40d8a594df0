/** The supported protocol versions, the newest first. */
export const versions = ['2.2.0', '2.1.0'] as const;

export type Version = (typeof versions)[number];

export const isVersion = (value: unknown): value is Version => versions.some((version) => version === value);

/** `2.2.0` is at least `2.1.0`; the parts are single digits, so that texts compare as numbers do. */
export const isAtLeast = (version: string, other: string): boolean => version >= other;
