import { createReadStream } from 'node:fs';
import { OperatorError } from '../../app/operatorError.ts';
import { timers } from '../../app/system.ts';
import {
  type SettlementFault,
  type SettlementScript,
  settlementFaults,
  settlementHeader,
  settlementLinesOf,
} from '../../connectors/simulator/settlement.ts';
import { createDirectory, type Directory } from '../../merchants/directory.ts';
import { createFolders } from '../../outbound/folders.ts';
import type { HistoryQuery } from '../../payments/ports.ts';
import { importFile } from '../../settlement/in/importFile.ts';
import { type PullNeeds, pullFiles, pullSecret, savePullSecret } from '../../settlement/in/pull.ts';
import { createUploadStore } from '../../settlement/in/uploads.ts';
import { pullOf, settlementSettingFaults } from '../../settlement/settings.ts';
import type { FolderSecret } from '../../spec/remoteFolder.ts';
import { DAY_MS } from '../../spec/time.ts';
import { type Command, type Context, parseFlaggedOptions, requiredOption, UsageError } from '../command.ts';
import { findEntity } from '../context.ts';
import { counted, formatTable } from '../output.ts';

/** Imports acquirers' files directly into the store, without a limit to their length. */
export const settlementCommand: Command = {
  name: 'settlement',
  summary: "import or fetch an acquirer's file, list its open exceptions, make the file of the simulated acquirer",
  usage: [
    'settlement import|exceptions|make|setup|secret|pull --entity id [options]',
    '  --entity id        the entity that the file, the exceptions or the payments belong to',
    '  --file path        import: the file; setup: the setting `settlement` as JSON; secret: a file with the password, or the',
    '                     private key, of the server that `pull` and a running gateway fetch from',
    '  --limit n          exceptions: how many at most; 50 without it',
    '  --day yyyy-MM-dd   make: the day of settlement; what was paid the day before is settled on it',
    `  --faults list      make: some of ${settlementFaults.join(', ')}, one after the other on the first payments`,
    '  --chargeback list  make: ids of payments that are charged back on this day',
  ].join('\n'),
  run: (words, context) => settlement(words, context),
};

type Texts = Readonly<Partial<Record<'entity' | 'file' | 'limit' | 'day' | 'faults' | 'chargeback', string>>>;
type Needs = Pick<Context, 'store' | 'vault' | 'readText' | 'print' | 'printError'>;

const actions = { import: importPath, exceptions, make, setup, secret, pull } as const;

export async function settlement([action, ...words]: readonly string[], context: Context): Promise<number> {
  if (action === undefined || !Object.hasOwn(actions, action))
    throw new UsageError(`say what to do: ${Object.keys(actions).join(', ')}`);
  // `settlement import file.csv` works without --file.
  const [first = ''] = words;
  const rest = action === 'import' && first !== '' && !first.startsWith('-') ? ['--file', ...words] : words;
  const { texts } = parseFlaggedOptions(rest, ['entity', 'file', 'limit', 'day', 'faults', 'chargeback'], []);
  return actions[action as keyof typeof actions](texts, context);
}

async function entityOf(texts: Texts, context: Context) {
  const entityId = requiredOption(texts.entity, 'entity');
  const store = await context.store();
  const directory = await createDirectory(store, context.clock);
  const entity = directory.entity(entityId);
  if (!entity) throw new OperatorError(`--entity: there is no entity ${JSON.stringify(entityId)}`);
  return { entity, directory, store };
}

const FAULTS_SHOWN = 20;

async function importPath(texts: Texts, context: Context): Promise<number> {
  const path = requiredOption(texts.file, 'file');
  const { entity, directory, store } = await entityOf(texts, context);
  refuseFileAccounts(directory, entity.id);
  const { clock, ids } = context;
  const progress = (done: number) => context.progress({ phase: 'matching', done, total: null });
  const name = path.split(/[/\\]/).at(-1) ?? path;
  const result = await importFile({ store, directory, clock, ids, progress }, entity.id, {
    name,
    open: () => createReadStream(path),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'EISDIR')
      throw new OperatorError(`--file: ${JSON.stringify(path)} cannot be read`);
    throw error;
  });
  const { file } = result;
  switch (result.is) {
    case 'kept': {
      const { MATCHED, MULTIPLE_MATCHES, NOT_MATCHED, open } = result.count;
      context.print(
        `${file.id}  ${file.lines} lines: ${MATCHED} matched, ${MULTIPLE_MATCHES} with several, ${NOT_MATCHED} with none`,
      );
      for (const { line, message } of (file.notes ?? []).slice(0, FAULTS_SHOWN)) context.printError(`line ${line}: ${message}`);
      if (file.noteCount) context.printError(`${file.noteCount} remarks, which need no action`);
      context.printError(`${open} open exceptions. A running gateway records the chargebacks within seconds.`);
      return 0;
    }
    case 'known':
      context.print(`${file.id}  the same file was imported before: nothing has changed`);
      return 0;
    case 'busy':
      throw new OperatorError('another file of this PSP is being imported; try again in a moment');
    case 'refused': {
      for (const { line, message } of file.faults.slice(0, FAULTS_SHOWN)) context.printError(`line ${line}: ${message}`);
      throw new OperatorError(`nothing was imported: ${counted(file.faultCount, 'fault')}`);
    }
  }
}

async function exceptions(texts: Texts, context: Context): Promise<number> {
  const { entity, directory, store } = await entityOf(texts, context);
  const limit = texts.limit === undefined ? 50 : /^[1-9][0-9]{0,4}$/.test(texts.limit) ? Number(texts.limit) : null;
  if (limit === null) throw new UsageError('--limit: a whole number');
  const entityIds = directory.below(entity.id).map(({ id }) => id);
  const found = await store.exceptions({ entityIds, status: null, limit });
  const rows = found.map(({ id, line, recordType, match }) => [id, String(line), recordType, match.status, match.why]);
  if (rows.length > 0) for (const row of formatTable([['ID', 'LINE', 'TYPE', 'STATUS', 'WHY'], ...rows])) context.print(row);
  context.printError(`${rows.length} open exceptions`);
  return 0;
}

const BATCH = 1_000;

async function make(texts: Texts, context: Context): Promise<number> {
  const { entity, store } = await entityOf(texts, context);
  const day = requiredOption(texts.day, 'day');
  const ends = Date.parse(`${day}T00:00:00Z`);
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) || Number.isNaN(ends)) throw new UsageError('--day: a day such as 2031-10-02');
  if (entity.merchantId === null) throw new OperatorError('--entity: payments are those of a merchant or a channel');
  const waiting = (texts.faults ?? '').split(',').filter((word) => word !== '');
  const strange = waiting.find((word) => !settlementFaults.some((fault) => fault === word));
  if (strange !== undefined) throw new UsageError(`--faults: ${JSON.stringify(strange)} is none`);
  const chargebacks = new Map(
    (texts.chargeback ?? '').split(',').flatMap((id) => (id === '' ? [] : [[id, '000.100.206'] as const])),
  );
  context.print(settlementHeader);
  const after = { createdAt: ends - DAY_MS - 1, merchantId: '\uffff', id: '' };
  for await (const payment of paymentsIn(store, { after, before: ends, merchantId: entity.merchantId, limit: BATCH })) {
    if (entity.channel && payment.entityId !== entity.id) continue;
    if (settlementLinesOf(day, payment).length === 0) continue;
    const fault = waiting.shift() as SettlementFault | undefined;
    const script: SettlementScript = fault === undefined ? {} : { faults: new Map([[payment.id, fault]]) };
    for (const line of settlementLinesOf(day, payment, script)) context.print(line);
  }
  for (const id of chargebacks.keys()) {
    const payment = await store.payment(entity.merchantId, id);
    if (!payment) throw new OperatorError(`--chargeback: this merchant has no payment ${JSON.stringify(id)}`);
    const isOfToday = settlementLinesOf(day, payment).length > 0;
    for (const line of settlementLinesOf(day, payment, { chargebacks }).slice(isOfToday ? 1 : 0)) context.print(line);
  }
  return 0;
}

async function* paymentsIn(store: Awaited<ReturnType<Context['store']>>, query: HistoryQuery) {
  for (let { after } = query; ; ) {
    const batch = await store.history({ ...query, after });
    yield* batch;
    const last = batch.at(-1);
    if (!last || batch.length < query.limit) return;
    after = { createdAt: last.createdAt, merchantId: last.merchantId, id: last.id };
  }
}

const SOON = 'A running gateway knows it within ten seconds.';

function textIn(path: string, { readText }: Pick<Context, 'readText'>): string {
  try {
    return readText(path);
  } catch {
    throw new OperatorError(`--file: ${JSON.stringify(path)} cannot be read`);
  }
}

/** Sets the setting `settlement` of an entity, all of it, from a file. */
export async function setup(texts: Texts, context: Needs): Promise<number> {
  const store = await context.store();
  const { row } = await findEntity(store, requiredOption(texts.entity, 'entity'));
  const settlement = settingIn(textIn(requiredOption(texts.file, 'file'), context));
  if (!(await store.setSettings(row.id, { ...row.settings, settlement })))
    throw new OperatorError('--entity: there is no such entity any more');
  context.print(`the settlement of ${row.name} is set up. ${SOON}`);
  if (settlement.pull !== undefined && !(await pullSecret({ store, vault: await context.vault() }, row.id)))
    context.printError(`nothing is fetched before its password or key is sealed: settlement secret --entity ${row.id} --file …`);
  return 0;
}

function settingIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperatorError('--file: this is no JSON');
  }
  const faults = settlementSettingFaults(value);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  return value as Readonly<Record<string, unknown>>;
}

/** Seals the password or the private key of the server that files are fetched from. */
export async function secret(texts: Texts, context: Needs): Promise<number> {
  const store = await context.store();
  const { row } = await findEntity(store, requiredOption(texts.entity, 'entity'));
  const credential = secretIn(textIn(requiredOption(texts.file, 'file'), context));
  await savePullSecret({ store, vault: await context.vault() }, row.id, credential);
  context.print(
    `The ${credential.kind === 'privateKey' ? 'private key' : 'password'} is sealed; the file is not needed any more.`,
  );
  return 0;
}

function secretIn(text: string): FolderSecret {
  if (text.includes('PRIVATE KEY-----')) return { kind: 'privateKey', privateKey: text };
  // A password may end with a blank, and not with a line break.
  const password = text.replace(/\r?\n$/, '');
  if (password === '' || /\p{Cc}/u.test(password))
    throw new OperatorError('--file: it holds no private key and no password on one line');
  return { kind: 'password', password };
}

const BOUNDS = { openMs: 15_000, idleMs: 60_000 };

/** Fetches the files of the gateway's next run immediately, and reports every problem. */
export async function pull(texts: Texts, context: Context): Promise<number> {
  const store = await context.store();
  const entityId = requiredOption(texts.entity, 'entity');
  const directory = await createDirectory(store, context.clock);
  const entity = directory.entity(entityId);
  if (!entity) throw new OperatorError(`--entity: there is no entity ${JSON.stringify(entityId)}`);
  refuseFileAccounts(directory, entityId);
  const set = pullOf(entity.settings.settlement);
  if (!set) throw new OperatorError('--entity: it has no server to fetch from; see settlement setup');
  const open = createFolders({ timers, reach: context.config().webhookReach });
  const problems: string[] = [];
  const needs: PullNeeds = {
    store,
    directory,
    clock: context.clock,
    ids: context.ids,
    rest: context.sleep,
    handled: new Map(),
    openFolder: (target, known) => open(target, known, BOUNDS),
    secret: async (id) => pullSecret({ store, vault: await context.vault() }, id),
    alarm: (message, { name, why, faults }) =>
      void problems.push([message, name, why, faults && `faults: ${faults}`].filter(Boolean).join(': ')),
    progress: (done) => context.progress({ phase: 'matching', done, total: null }),
    uploads: createUploadStore(null),
  };
  const count = await pullFiles(needs, entity).catch((error: Error) => {
    throw new OperatorError(`${set.target.host}: ${error.message}`);
  });
  context.print(`fetched and kept: ${counted(count, 'file')}`);
  for (const problem of problems) context.printError(problem);
  return problems.length === 0 ? 0 : 1;
}

/** The connectors whose payments are decided by the files of a bank: only the gateway itself can apply them. */
const fileConnectors = ['sepa'];

/** Refuses to import files here where they decide payments. */
export function refuseFileAccounts(directory: Pick<Directory, 'below'>, entityId: string): void {
  const accounts = directory.below(entityId).flatMap(({ settings }) => Object.values(settings.accounts ?? {}));
  if (accounts.some((account) => fileConnectors.includes(String((account as { readonly connector?: unknown }).connector))))
    throw new OperatorError(
      '--entity: the files of its bank decide payments, so the gateway must import them: upload them, or use SETTLEMENT_DIR or settlement.pull',
    );
}
