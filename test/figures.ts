import { appendFileSync } from 'node:fs';

/**
 * Reports a count of a requirement of `test/assurance/`, after the assertions about it. Counts of one name are added up over all tests of
 * a run. The runner names the file for them in TEST_FIGURES; without it nothing is written.
 */
export function reportFigure(id: string, name: string, value: number): void {
  const { TEST_FIGURES: path, TEST_FILE: file } = process.env;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ file, id, name, value })}\n`);
}
