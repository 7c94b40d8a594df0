import { isOperatorError } from '../app/operatorError.ts';
import { readVersion } from '../version.ts';
import { accountCommand } from './account.ts';
import { approvalsCommand } from './approvals.ts';
import { auditCommand } from './audit.ts';
import { audited } from './audited.ts';
import { backtestCommand } from './backtest.ts';
import { backupCommand } from './backup/backup.ts';
import { proveCommand } from './backup/prove.ts';
import { restoreCommand } from './backup/restore.ts';
import { balancesCommand } from './balances.ts';
import { planCommand } from './capacity/plan.ts';
import { clockCommand } from './clock.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { docsCommand } from './docs.ts';
import { doctorCommand } from './doctor/doctor.ts';
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
  doctorCommand,
  backupCommand,
  restoreCommand,
  proveCommand,
  keysCommand,
  rotateDataCommand,
  rotateMasterCommand,
  walletTokenCommand,
  walletSetupCommand,
  accountCommand,
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
  planCommand,
  docsCommand,
];

/** Runs the named command, or starts the gateway when none is named; returns the exit code, or null to keep the process running. */
export async function turnpike(words: readonly string[], context: Context): Promise<number | null> {
  const [name = startCommand.name, ...rest] = words;
  const command = commands.find((its) => its.name === name);
  if (isHelp(name)) return help(context);
  if (name === '--version' || name === '-v') {
    context.print(readVersion());
    return 0;
  }
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

function help({ print }: Context): number {
  print(`Turnpike ${readVersion()}`);
  print('usage: turnpike [command] [options]; turnpike <command> --help shows its options\n');
  for (const line of formatTable(commands.map(({ name, summary }) => [`  ${name}`, summary]))) print(line);
  print('\nThe commands read the same environment variables as the gateway.');
  return 0;
}
