import { OperatorError } from '../../app/operatorError.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { KeyRow } from '../../vault/ports.ts';
import { type RotationNeeds, RotationStopped, rotateData, rotateMaster, type UnreadableRecord } from '../../vault/rotation.ts';
import { type Command, type Context, parseOptions } from '../command.ts';
import { counted, formatTable } from '../output.ts';

/** Lists the keys, never their bytes. */
export const keysCommand: Command = {
  name: 'keys',
  summary: 'list the keys: owner, purpose, version, state, master key, age and uses',
  usage: 'keys [--owner id]\n  --owner id   only the keys of this merchant or entity; gateway: those that belong to none',
  async run(words, context) {
    const { owner } = parseOptions(words, ['owner']);
    const store = await context.store();
    const [{ id: masterId }] = context.masters();
    const rows = await store.keys(owner ?? null);
    const head = ['OWNER', 'PURPOSE', 'VERSION', 'STATE', 'MASTER KEY', 'AGE', 'USES'];
    const now = context.clock.now();
    for (const line of formatTable([head, ...rows.map((row) => cellsOf(row, now))])) context.print(line);
    const foreign = rows.filter((row) => row.wrapped !== null && row.masterId !== masterId).length;
    context.printError(`${counted(rows.length, 'key')}; the current master key is ${masterId}`);
    if (foreign > 0) context.printError(`${foreign} of them need another master key: run turnpike rotate-master`);
    return 0;
  },
};

/** Only data keys are counted: a fingerprint is not worn out. */
const cellsOf = (row: KeyRow, now: number): readonly string[] => [
  row.owner,
  row.purpose,
  String(row.version),
  row.state,
  row.wrapped === null ? '-' : row.masterId,
  ageOf(now - row.createdAt),
  row.purpose === 'data' ? `≤ ${row.reserved}` : '-',
];

const units = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', 60_000],
] as const;

function ageOf(ms: number): string {
  const [unit, size] = units.find(([, its]) => ms >= 2 * its) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}

/** The exit code after Ctrl-C, as in shells. */
const STOPPED = 130;

/** Creates new data keys, seals everything anew and destroys the old keys, while the gateway runs. */
export const rotateDataCommand: Command = {
  name: 'rotate-data',
  summary: 'exchange the data keys, seal everything anew and destroy the old keys; the gateway goes on meanwhile',
  usage:
    'rotate-data [--merchant id]\n  --merchant id   only the key of this merchant, or of another owner that turnpike keys names',
  run: async (words, context) => {
    const { merchant } = parseOptions(words, ['merchant']);
    return rotating(context, async (needs) => {
      if (merchant !== undefined && (await needs.store.keys(merchant)).length === 0) {
        throw new OperatorError(`--merchant: ${JSON.stringify(merchant)} owns no key`);
      }
      const { renewed, continued, resealed, retired, broken } = await rotateData(needs, merchant ?? null);
      const before = continued > 0 ? `, ${counted(continued, 'unfinished rotation')} gone on with` : '';
      const after = `${counted(resealed, 'text')} sealed anew, ${counted(retired, 'old key')} destroyed`;
      context.print(`${counted(renewed, 'new key')}${before}, ${after}`);
      return broken;
    });
  },
};

/** Wraps every key by the current master key, so that the previous one can be removed. */
export const rotateMasterCommand: Command = {
  name: 'rotate-master',
  summary: 'wrap every key by the current master key; set MASTER_KEY_PREVIOUS to the former one meanwhile',
  usage: 'rotate-master',
  run: async (words, context) => {
    parseOptions(words, []);
    return rotating(context, async (needs) => {
      const { resealed, rewrapped, left, broken } = await rotateMaster(needs);
      context.print(`${counted(rewrapped, 'key')} wrapped by master key ${needs.vault.masterId}`);
      context.print(`${counted(resealed, 'text')} sealed anew`);
      if (left > 0) context.printError(`still under another master key: ${counted(left, 'key')}; run it again`);
      else if (broken.length === 0) context.print('No other master key is needed: MASTER_KEY_PREVIOUS can be taken away.');
      return left > 0 && broken.length === 0 ? 1 : broken;
    });
  },
};

async function rotating(
  context: Context,
  work: (needs: RotationNeeds) => Promise<readonly UnreadableRecord[] | number>,
): Promise<number> {
  const { clock, sleep, progress } = context;
  try {
    const [store, vault] = [await context.store(), await context.vault()];
    const done = await work({ store, vault, now: clock.now, sleep, progress, signal: context.signal() });
    if (typeof done === 'number') return done;
    return printBroken(done, context);
  } catch (error) {
    if (!(error instanceof RotationStopped)) throw error;
    context.printError('Stopped. Nothing is lost: run the same command again and it goes on.');
    return STOPPED;
  }
}

const SHOWN_MAX = 100;

function printBroken(broken: readonly UnreadableRecord[], { printError }: Context): number {
  if (broken.length === 0) return 0;
  printError(`${broken.length} did not open. They were left as they are, and the keys of their owners were not destroyed:`);
  for (const { table, id } of broken.slice(0, SHOWN_MAX)) printError(`  ${table} ${id}`);
  if (broken.length > SHOWN_MAX) printError(`  and ${broken.length - SHOWN_MAX} more`);
  return 1;
}
