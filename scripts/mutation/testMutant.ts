import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { EXIT, mutatedText, type Trial } from './runMutants.ts';

/**
 * A process that runs test files with one changed source, `testMutant.ts <trial as JSON>`, and ends at the first failure. The change is
 * made while the source is loaded, so no file is touched. The exit code says what was found.
 */
const { root, file, change, tests, skip } = JSON.parse(process.argv[2] ?? '') as Trial;
const left = [...tests];
const url = pathToFileURL(join(root, file)).href;

// The same values in every run: a mutant that is found once is found again.
if (tests.some((test) => readFileSync(join(root, test), 'utf8').includes("'fast-check'"))) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: 1 });
}

if (change !== null) {
  registerHooks({
    load(at, context, next) {
      if (at !== url) return next(at, context);
      const source = mutatedText(readFileSync(join(root, file), 'utf8'), change);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  // A change that is no program is no mutant; one that throws while it is loaded is found.
  await import(url).catch((error) => process.exit(error instanceof SyntaxError ? EXIT.invalid : EXIT.killed));
}

/** Tests that were begun and have not ended. */
let open = 0;
// The event loop is empty: a file is over, or a test waits for what never comes.
process.on('beforeExit', () => {
  if (open > 0) process.exit(EXIT.killed);
});
next();

function next(): void {
  const test = left.shift();
  if (test === undefined) process.exit(EXIT.survived);
  const stream = run({ files: [join(root, test)], isolation: 'none', cwd: root, ...(skip && { testSkipPatterns: [...skip] }) });
  stream.on('test:enqueue', () => {
    open += 1;
  });
  stream.on('test:complete', () => {
    open -= 1;
  });
  stream.on('test:fail', ({ name, details }) => {
    process.stderr.write(`${test}: ${name}\n${String(details.error.cause ?? details.error)}\n`);
    process.exit(EXIT.killed);
  });
  stream.on('test:summary', ({ success }) => {
    if (!success) process.exit(EXIT.killed);
  });
  stream.on('end', () => setImmediate(next));
  stream.resume();
}
