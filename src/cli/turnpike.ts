import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isOperatorError } from '../app/operatorError.ts';
import { readVersion } from '../version.ts';
import { type Command, type Context, parseOptions, UsageError } from './command.ts';
import { formatTable } from './output.ts';

/**
 * Every command of the program by its name. A new one is a file of its own and a row here. Only the command that is asked for is loaded:
 * all of them together are most of the program.
 */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => startCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup.ts')).restoreCommand,
  prove: async () => (await import('./commands/backup.ts')).proveCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  'rotate-data': async () => (await import('./commands/keys.ts')).rotateDataCommand,
  'rotate-master': async () => (await import('./commands/keys.ts')).rotateMasterCommand,
  'wallet-token': async () => (await import('./commands/walletToken.ts')).walletTokenCommand,
  'wallet-setup': async () => (await import('./commands/walletSetup.ts')).walletSetupCommand,
  account: async () => (await import('./commands/account.ts')).accountCommand,
  'risk-rules': async () => (await import('./commands/riskRules.ts')).riskRulesCommand,
  backtest: async () => (await import('./commands/backtest.ts')).backtestCommand,
  'risk-list': async () => (await import('./commands/riskList.ts')).riskListCommand,
  'risk-explain': async () => (await import('./commands/riskExplain.ts')).riskExplainCommand,
  listen: async () => (await import('./commands/listen.ts')).listenCommand,
  webhooks: async () => (await import('./commands/webhooks.ts')).webhooksCommand,
  settlement: async () => (await import('./commands/settlement.ts')).settlementCommand,
  scenarios: async () => (await import('./commands/scenarios.ts')).scenariosCommand,
  clock: async () => (await import('./commands/clock.ts')).clockCommand,
  balances: async () => (await import('./commands/balances.ts')).balancesCommand,
  users: async () => (await import('./commands/users.ts')).usersCommand,
  approvals: async () => (await import('./commands/approvals.ts')).approvalsCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  reconciliation: async () => (await import('./commands/reconciliation.ts')).reconciliationCommand,
  'reconciliation-setup': async () => (await import('./commands/reconciliation.ts')).reconciliationSetupCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  docs: async () => (await import('./commands/docs.ts')).docsCommand,
};

/** A package brings the gateway in a few files, which takes less memory than its sources. */
const bundled = join(import.meta.dirname, '..', '..', 'server', 'main.mjs');

/** The gateway itself, as `npm start` runs it. */
const startCommand: Command = {
  name: 'start',
  summary: 'start the gateway; so does turnpike without a command',
  usage: 'start',
  async run(words) {
    parseOptions(words, []);
    if (existsSync(bundled)) await import(pathToFileURL(bundled).href);
    else await import('../main.ts');
    return null;
  },
};

/** Runs the named command, or starts the gateway when none is named; returns the exit code, or null to keep the process running. */
export async function turnpike(words: readonly string[], context: Context): Promise<number | null> {
  const [name = 'start', ...rest] = words;
  if (isHelp(name)) return help(context);
  if (name === '--version' || name === '-v') {
    context.print(readVersion());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (!command) {
    context.printError(`turnpike: there is no command ${JSON.stringify(name)}; turnpike --help lists them`);
    return 2;
  }
  if (rest.some(isHelp)) {
    context.print(`${command.summary}\nusage: turnpike ${command.usage}`);
    return 0;
  }
  try {
    const { audited } = await import('./audited.ts');
    return await audited(command, rest, context);
  } catch (error) {
    if (isOperatorError(error)) {
      context.printError(error.message);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    context.printError(error.message);
    context.printError(`usage: turnpike ${command.usage}`);
    return 2;
  }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h' || word === 'help';

async function help({ print }: Context): Promise<number> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  print(`Turnpike ${readVersion()}`);
  print('usage: turnpike [command] [options]; turnpike <command> --help shows its options\n');
  for (const line of formatTable(all.map(({ name, summary }) => [`  ${name}`, summary]))) print(line);
  print('\nThe commands read the same environment variables as the gateway.');
  return 0;
}
