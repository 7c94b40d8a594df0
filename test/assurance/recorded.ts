import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'figures.json');

/** The figures of one requirement, and the run they are from. */
export type Recorded = {
  readonly figures: Readonly<Record<string, number>>;
  readonly date: string;
  readonly commit: string;
  /** Processors, memory and runtime; no name of a host. */
  readonly machine: string;
};
/** By kind of run and requirement: `npm test` is quick, `npm run assure` is long. */
export type FigureBook = Readonly<Record<'quick' | 'long', Readonly<Record<string, Recorded>>>>;

export const readFigures = (): FigureBook => JSON.parse(readFileSync(FILE, 'utf8')) as FigureBook;
