import { approvalsCommand } from './approvals.ts';
import { auditCommand } from './audit.ts';
import { audited } from './audited.ts';
import { backtestCommand } from './backtest.ts';
import { balancesCommand } from './balances.ts';
import { clockCommand } from './clock.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { keysCommand } from './keys.ts';
import { listenCommand } from './listen.ts';
import { reconciliationCommand } from './reconciliation.ts';
import { reconciliationSetupCommand } from './reconciliationSetup.ts';
import { riskExplainCommand } from './riskExplain.ts';
import { riskListCommand } from './riskList.ts';
import { riskRulesCommand } from './riskRules.ts';
import { rotateDataCommand, rotateMasterCommand } from './rotate.ts';
import { scenariosCommand } from './scenarios.ts';
import { settlementCommand } from './settlement.ts';
import { startCommand } from './start.ts';
import { formatTable } from './table.ts';
import { usersCommand } from './users.ts';
import { verifyCommand } from './verify.ts';
import { walletSetupCommand } from './walletSetup.ts';
import { walletTokenCommand } from './walletToken.ts';
import { webhooksCommand } from './webhooks.ts';

/** Every command of the program. A new one is a file of its own and a row here. */
const commands: readonly Command[] = [
  startCommand,
  keysCommand,
  rotateDataCommand,
  rotateMasterCommand,
  walletTokenCommand,
  walletSetupCommand,
  riskRulesCommand,
  backtestCommand,
  riskListCommand,
  riskExplainCommand,
  listenCommand,
  webhooksCommand,
  settlementCommand,
  scenariosCommand,
  clockCommand,
  balancesCommand,
  usersCommand,
  approvalsCommand,
  verifyCommand,
  auditCommand,
  reconciliationCommand,
  reconciliationSetupCommand,
];

/** Faults of the surroundings, by name: an operator wants to know what to change, not where it was found. */
const mendable: readonly string[] = ['Mendable', 'StoreOutOfOrder', 'WrongMasterKey', 'BrokenDirectory'];

/** Runs the command that the words name; answers the exit code, or null when the process is to live on. */
export async function turnpike(words: readonly string[], context: Context): Promise<number | null> {
  const [name, ...rest] = words;
  const command = commands.find((its) => its.name === name);
  if (name === undefined || isHelp(name)) return help(context);
  if (!command) {
    context.printError(`turnpike: there is no command ${JSON.stringify(name)}; turnpike --help lists them`);
    return 2;
  }
  if (rest.some(isHelp)) {
    context.print(`${command.summary}\nusage: turnpike ${command.usage}`);
    return 0;
  }
  try {
    return await audited(command, rest, context);
  } catch (error) {
    if (!(error instanceof Error) || !(error instanceof UsageError || mendable.includes(error.name))) throw error;
    context.printError(error.message);
    if (!(error instanceof UsageError)) return 1;
    context.printError(`usage: turnpike ${command.usage}`);
    return 2;
  }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h' || word === 'help';

function help({ print }: Context): number {
  print('usage: turnpike <command> [options]; turnpike <command> --help tells its options\n');
  for (const line of formatTable(commands.map(({ name, summary }) => [`  ${name}`, summary]))) print(line);
  print('\nThe commands read the same environment variables as the gateway.');
  return 0;
}
