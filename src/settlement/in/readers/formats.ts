import { notification, report, statement } from './camt.ts';
import { ownCsv } from './csv.ts';
import { paymentStatus } from './paymentStatus.ts';
import type { Format } from './reader.ts';

/** All file formats. A new format is a file of its own and a row here. */
export const formats: readonly Format[] = [ownCsv, report, statement, notification, paymentStatus];

/** The format of a file by its beginning; null: unknown. */
export const formatOf = (head: string): Format | null => formats.find(({ recognises }) => recognises(head)) ?? null;

export const UNKNOWN_FORMAT = `this is none of the kinds of files that are read: ${formats.map(({ description }) => description).join('; ')}`;
