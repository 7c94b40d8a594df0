/** Texts with a format of their own, by name: OpenAPI shows the format instead of a plain string. */

/** 32 lower-case hexadecimal digits. */
export type Id = string;
/** ISO 8601 in UTC. */
export type Instant = string;
/** yyyy-MM-dd. */
export type Day = string;
/** An amount with two decimals. */
export type AmountText = string;
/** A result code. */
export type CodeText = string;
