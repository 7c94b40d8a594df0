import type { FileResult } from './process.ts';

/** Shows the progress of a run: a line for each file; on a terminal one line that changes, and a line for each failure. */
export type Progress = {
  say(line: string): void;
  begun(file: string): void;
  ended(result: FileResult): void;
  close(): void;
};

const BAR = 24;

export function createProgress(total: number, out: NodeJS.WriteStream = process.stdout): Progress {
  const began = performance.now();
  const since = (from: number) => Math.round((performance.now() - from) / 1000);
  const clock = () => `${Math.floor(since(began) / 60)}:${String(since(began) % 60).padStart(2, '0')}`;
  const open = new Map<string, number>();
  let [files, tests, failed] = [0, 0, 0];
  const status = () => {
    const full = total === 0 ? BAR : Math.round((files / total) * BAR);
    const head = `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${files}/${total} files, ${tests} passed, ${failed} failed, ${clock()}`;
    const now = [...open].map(
      ([file, from]) => `${file.replace(/^.*\/(?=[^/]+\/)/, '').replace('.test.ts', '')} ${since(from)} s`,
    );
    return [head, ...now].join(' · ').slice(0, (out.columns ?? 100) - 1);
  };
  const draw = () => out.write(`\r\x1b[K${status()}`);
  const drawing = out.isTTY ? setInterval(draw, 250).unref() : null;
  const say = (line: string) => {
    out.write(`${out.isTTY ? '\r\x1b[K' : ''}${line}\n`);
    if (drawing) draw();
  };
  return {
    say: (line) => say(`${line} (${clock()})`),
    begun: (file) => open.set(file, performance.now()),
    ended: ({ file, passed, failures, ms }) => {
      open.delete(file);
      files += 1;
      tests += passed;
      failed += failures.length;
      const mark = failures.length > 0 ? '✖' : '✔';
      if (out.isTTY && failures.length === 0) return;
      say(`${mark} ${files}/${total} ${file}, ${passed} passed, ${(ms / 1000).toFixed(1)} s (${clock()})`);
      for (const { name } of failures) say(`    ✖ ${name}`);
    },
    close: () => {
      if (!drawing) return;
      clearInterval(drawing);
      out.write('\r\x1b[K');
    },
  };
}
