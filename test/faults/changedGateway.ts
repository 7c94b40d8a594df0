import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { plantedFaults } from './plantedFaults.ts';

/**
 * src/main.ts with a clock that the test moves, an acquirer with records that survive the process, and a planted fault. No setting of the
 * gateway does this: sources are changed as they are loaded, and a text that is not found ends the process.
 */
const { CLOCK_FILE, ACQUIRER_BOOK, PLANTED } = process.env;

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

type Change = { readonly file: string; readonly find: string; readonly put: string };
const planted = PLANTED === undefined ? [] : plantedFaults[PLANTED as keyof typeof plantedFaults];
if (planted === undefined) throw new Error(`no fault is called ${PLANTED}`);
const booked: readonly Change[] =
  ACQUIRER_BOOK === undefined
    ? []
    : [
        {
          file: '/src/connectors/simulator/acquirerRecords.ts',
          find: 'entries.set(id, entry);',
          put: 'entries.set(id, entry); globalThis.acquirerBooked(id, entry.paymentType, entry.answer.is);',
        },
      ];
const open = new Set<Change>([...planted, ...booked]);

Object.assign(globalThis, {
  /** Appends a line in one write, before the acquirer answers: it survives the process. */
  acquirerBooked: (id: string, type: string, answer: string) => {
    if (ACQUIRER_BOOK !== undefined) appendFileSync(ACQUIRER_BOOK, `${id} ${type} ${answer} ${process.pid}\n`);
  },
});

registerHooks({
  load(url, context, next) {
    const changes = [...planted, ...booked].filter(({ file }) => url.endsWith(file));
    if (changes.length === 0) return next(url, context);
    let source = readFileSync(fileURLToPath(url), 'utf8');
    for (const change of changes) {
      if (!source.includes(change.find)) throw new Error(`${change.file} has changed: ${change.find}`);
      source = source.replace(change.find, () => change.put);
      open.delete(change);
    }
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

await import('../../src/main.ts');
if (open.size > 0) throw new Error(`not loaded: ${[...open].map(({ file }) => file).join(', ')}`);
