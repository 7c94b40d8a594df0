import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The control of the canary of texts: the same requests without the search for card numbers. No setting of the gateway does this. */
const FINDER = '/src/spec/cards/cardNumbers.ts';
let isExchanged = false;

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(FINDER)) return next(url, context);
    isExchanged = true;
    const source = `export const cardNumberModes = ['mask', 'refuse'];
      export const NO_CARD_NUMBER = '';
      export const maskCardNumbers = (text) => text;
      export const mayHoldCardNumber = () => false;
      export const hasCardNumber = () => false;
      export const hasNoCardNumber = () => true;
      export const withoutNumber = (text) => text;`;
    return { format: 'module', source, shortCircuit: true };
  },
});

const { openSqliteStore } = await import('../../src/store/sqlite/sqliteStore.ts');
const { forms, sayEverywhere } = await import('../cardTexts.ts');
const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-unsearched-'));
try {
  const seen = await sayEverywhere(await openSqliteStore({ dataDir }), dataDir, forms.slice(2, 3));
  if (!isExchanged) throw new Error('the finder was loaded by another way: this is no control');
  process.stdout.write(JSON.stringify(seen));
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
