import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ChangeName, createChanges } from './changes.ts';

/**
 * src/main.ts with a clock that the test moves, an acquirer with records that survive the process, and changed sources (changes.ts):
 * BUILT names the gateway that was built with these changes; otherwise sources are changed as they are loaded.
 */
const { CLOCK_FILE, ACQUIRER_BOOK, CHANGES, BUILT } = process.env;

// The test sets how far ahead the clock is, so that leases and waits do not depend on how busy the machine is.
const realNow = Date.now;
let ahead = 0;
const readAhead = (path: string) => {
  ahead = Number(readFileSync(path, 'utf8'));
};
if (CLOCK_FILE !== undefined) {
  readAhead(CLOCK_FILE);
  setInterval(readAhead, 10, CLOCK_FILE).unref();
  Date.now = () => realNow() + ahead;
}

Object.assign(globalThis, {
  /** Appends a line in one write, before the acquirer answers: it survives the process. */
  acquirerBooked: (id: string, type: string, answer: string) => {
    if (ACQUIRER_BOOK !== undefined) appendFileSync(ACQUIRER_BOOK, `${id} ${type} ${answer} ${process.pid}\n`);
  },
});

if (BUILT !== undefined) await import(pathToFileURL(BUILT).href);
else await importChanged(createChanges(CHANGES as ChangeName));

async function importChanged({ make, assertAllMade }: ReturnType<typeof createChanges>): Promise<void> {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const path = fileURLToPath(url);
      const source = make(path, readFileSync(path, 'utf8'));
      return source === null ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  await import('../../src/main.ts');
  assertAllMade();
}
