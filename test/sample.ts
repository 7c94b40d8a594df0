import { isLongRun } from './long.ts';

/**
 * A whole `npm test` takes one of `outOf` equal cases, `npm run assure` and a run of chosen files take all of them. Which ones follows from SAMPLE,
 * a number that the runner draws and prints: as many runs as `outOf` with consecutive numbers take every case.
 */
export function createSample(outOf: number): () => boolean {
  const { SAMPLE } = process.env;
  if (SAMPLE === undefined || isLongRun()) return () => true;
  let at = Number(SAMPLE);
  return () => {
    at += 1;
    return at % outOf === 0;
  };
}
