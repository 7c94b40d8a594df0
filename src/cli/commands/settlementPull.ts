import { OperatorError } from '../../app/operatorError.ts';
import { timers } from '../../app/system.ts';
import { createDirectory, type Directory } from '../../merchants/directory.ts';
import { createFolders } from '../../outbound/folders.ts';
import { type PullNeeds, pullFiles, pullSecret, savePullSecret } from '../../settlement/in/pull.ts';
import { createUploadStore } from '../../settlement/in/uploads.ts';
import { pullOf, settlementSettingFaults } from '../../settlement/settings.ts';
import type { FolderSecret } from '../../spec/remoteFolder.ts';
import { type Context, requiredOption } from '../command.ts';
import { findEntity } from '../context.ts';
import { counted } from '../output.ts';

type Texts = Readonly<Partial<Record<'entity' | 'file', string>>>;
type Needs = Pick<Context, 'store' | 'vault' | 'readText' | 'print' | 'printError'>;

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
