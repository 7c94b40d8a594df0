import { notification, statement } from './camt.ts';
import { ownCsv } from './csv.ts';
import type { Format } from './reader.ts';

/** Every kind of file that is read. A new one is a file of its own and a row here. */
export const formats: readonly Format[] = [ownCsv, statement, notification];

/** The kind of a file by its beginning; null when it is none that is read. */
export const formatOf = (head: string): Format | null => formats.find(({ begins }) => begins(head)) ?? null;

export const UNKNOWN_FORMAT = `this is none of the kinds of files that are read: ${formats.map(({ says }) => says).join('; ')}`;
