import { hostname, userInfo } from 'node:os';
import { rest } from '../app/system.ts';
import { createAuditService } from '../audit/service.ts';
import { type Command, type Context, UsageError } from './command.ts';

const always = (): boolean => true;
const first =
  (...verbs: readonly string[]) =>
  ([verb = '']: readonly string[]): boolean =>
    verbs.includes(verb);

/** Commands that change or export data without the gateway's API. Calls of the API write their own audit entries. */
const written: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  'rotate-data': always,
  'rotate-master': always,
  'wallet-setup': always,
  account: (words) => words.includes('--name'),
  'risk-rules': (words) => words.some((word) => word.startsWith('--set')) && !words.includes('--show-only'),
  'risk-list': first('add', 'remove'),
  settlement: first('import', 'setup', 'secret', 'pull'),
  'reconciliation-setup': always,
  reconciliation: always,
  users: (words) => words[0] !== 'list',
  approvals: first('set', 'off'),
  audit: always,
  backup: (words) => !words.includes('--list'),
};

/** Runs a command and records its change in the audit log. */
export async function audited(command: Command, words: readonly string[], context: Context): Promise<number | null> {
  if (!written[command.name]?.(words)) return command.run(words, context);
  let code: number | null;
  try {
    code = await command.run(words, context);
  } catch (error) {
    // A failure of the command often fails the audit write too, and is reported once.
    if (!(error instanceof UsageError)) await writeDown(command, words, context, 'failed').catch(() => {});
    throw error;
  }
  await writeDown(command, words, context, code === 0 || code === null ? 'done' : 'failed');
  return code;
}

const ID = /^[a-f0-9]{32}$/;

/** Only the name of the command and its entity: the other words may contain secrets. */
export async function writeDown(
  { name }: Pick<Command, 'name'>,
  words: readonly string[],
  context: Context,
  result: string,
): Promise<void> {
  const [store, vault] = [await context.store(), await context.vault()];
  const { write } = createAuditService({
    store,
    digest: vault.digest,
    now: context.clock.now,
    node: context.config().nodeName,
    rest,
  });
  const named = words[words.findIndex((word) => word === '--entity' || word === '--merchant') + 1] ?? '';
  const verb = /^[a-z-]+$/.test(words[0] ?? '') && !words[0]?.startsWith('-') ? ` ${words[0]}` : '';
  await write({
    who: userName(),
    by: 'command',
    whoName: '',
    what: `command ${name}${verb}`,
    result,
    from: hostname(),
    entityId: ID.test(named) ? named : null,
    objectId: null,
  });
}

/** The system may have no name for the user of the process. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'terminal');
  }
}
