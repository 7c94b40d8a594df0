import type { Progress as Rotating } from '../vault/rotation.ts';

/** The progress of a command. The total of a back-test is estimated from the time that it covers. */
export type Progress =
  | Rotating
  | {
      readonly phase:
        | 'judging'
        | 'examining'
        | 'matching'
        | 'moving'
        | 'chaining'
        | 'comparing'
        | 'writing'
        | 'copying'
        | 'storing'
        | 'restoring'
        | 'copyingRows'
        | 'comparingRows'
        | 'stopping'
        | 'following'
        | 'removing';
      readonly done: number;
      readonly total: number | null;
    };

type ProgressNeeds = {
  /** Whether a line can be drawn over. */
  readonly isTerminal: boolean;
  readonly columns: () => number;
  readonly write: (text: string) => void;
  readonly now: () => number;
};

interface ProgressBar {
  show(at: Progress): void;
  /** Clears the bar away, before anything else is written. */
  clear(): void;
}

const [DRAW_MS, LINE_MS] = [100, 5_000];
const BAR_WIDTH_MAX = 30;
const titles: Readonly<Record<Progress['phase'], string>> = {
  renewing: 'making new keys',
  waiting: 'waiting until every node uses them',
  resealing: 'sealing anew',
  rewrapping: 'wrapping keys',
  outliving: 'waiting until the last checkouts under the old keys are over',
  retiring: 'destroying old keys',
  judging: 'judging payments',
  examining: 'examining tables',
  writing: 'writing records',
  matching: 'matching lines',
  moving: 'moving the clock',
  chaining: 'proving postings',
  comparing: 'comparing payments',
  copying: 'copying the database',
  storing: 'encrypting and storing, in MB',
  restoring: 'restoring, in MB',
  copyingRows: 'copying rows',
  comparingRows: 'comparing rows',
  stopping: 'stopping the merchant',
  following: 'waiting until every node has the map',
  removing: 'removing rows',
};

/** How far the work is: a bar on a terminal, otherwise a line every few seconds. */
export function createProgressBar({ isTerminal, columns, write, now }: ProgressNeeds): ProgressBar {
  let [phase, done, beganAt, shownAt, isDrawn] = ['', 0, 0, 0, false];
  const clear = () => {
    if (isDrawn) write('\r\u001b[K');
    isDrawn = false;
  };
  return {
    clear,
    show(at) {
      const time = now();
      // A walk that begins again has a speed of its own.
      const isNew = at.phase !== phase || at.done < done || at.done === 0;
      if (isNew) [phase, beganAt] = [at.phase, time];
      done = at.done;
      if (!isNew && time - shownAt < (isTerminal ? DRAW_MS : LINE_MS) && at.done !== at.total) return;
      shownAt = time;
      const text = describeProgress(at, time - beganAt);
      if (!isTerminal) return write(`${text}\n`);
      const width = Math.min(BAR_WIDTH_MAX, columns() - text.length - 4);
      const bar = at.total === null || width < 5 ? '' : `${barOf(at.done / Math.max(at.total, 1), width)} `;
      write(`\r\u001b[K${`${bar}${text}`.slice(0, columns() - 1)}`);
      isDrawn = true;
    },
  };
}

const barOf = (part: number, width: number): string => {
  const full = Math.round(Math.min(1, part) * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
};

/** Percentage, count, speed and time left, as far as they are known. */
export function describeProgress({ phase, done, total }: Progress, ms: number): string {
  const title = titles[phase];
  const percent = total === null ? '' : ` ${Math.floor((100 * done) / Math.max(total, 1))} %`;
  if (phase === 'waiting' || phase === 'outliving') return `${title}${percent}, ${spanOf((total ?? done) - done)} left`;
  if (phase === 'moving') return `${title}${percent}${leftOf({ done, total }, ms)}`;
  const count = total === null ? `, ${done}` : `, ${done} of ${phase === 'judging' ? 'about ' : ''}${total}`;
  if (ms < 1_000 || done === 0) return `${title}${percent}${count}`;
  return `${title}${percent}${count}, ${Math.round((1_000 * done) / ms)}/s${leftOf({ done, total }, ms)}`;
}

const leftOf = ({ done, total }: Pick<Progress, 'done' | 'total'>, ms: number): string =>
  total === null || done === 0 || ms < 1_000 || done >= total ? '' : `, ${spanOf(((total - done) * ms) / done)} left`;

function spanOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

/** A count with its noun: `1 key`, `2 keys`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Rows of cells as lines with aligned columns; those named in `right` have numbers in them and end where their title ends. */
export function formatTable(rows: readonly (readonly string[])[], right: readonly number[] = []): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
