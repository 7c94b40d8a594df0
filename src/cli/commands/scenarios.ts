import { OperatorError } from '../../app/operatorError.ts';
import { endOf } from '../../spec/reference/scenarios.ts';
import type { Scenario } from '../../spec/scenarios/language.ts';
import { logOf } from '../../spec/scenarios/log.ts';
import { draw } from '../../spec/scenarios/played.ts';
import { readyScenario, readyScenarios } from '../../spec/scenarios/ready.ts';
import { parseScenario, SEED_MAX } from '../../spec/scenarios/shape.ts';
import { type Command, type Context, parseOptions, UsageError } from '../command.ts';
import { formatTable } from '../output.ts';

/** The part of the context that the command needs. */
export type ScenariosNeeds = Pick<Context, 'print' | 'readText'>;

/** The ready scenarios, and what a scenario leads to; no gateway is needed. */
export const scenariosCommand: Command = {
  name: 'scenarios',
  summary: 'list the ready scenarios of the simulators, show a scenario, print its event log',
  usage: [
    'scenarios [list|show name|log name] [options]',
    '  --seed n     log: the seed where something is left to chance',
    '  --file path  show, log: a scenario of your own as JSON, in the place of a name',
  ].join('\n'),
  run: async (words, context) => scenarios(words, context),
};

export function scenarios([action = 'list', ...words]: readonly string[], context: ScenariosNeeds): number {
  const [name, rest] = words[0]?.startsWith('--') === false ? [words[0], words.slice(1)] : [undefined, words];
  const { seed, file } = parseOptions(rest, ['seed', 'file']);
  if (seed !== undefined && action !== 'log') throw new UsageError('--seed: goes with log');
  switch (action) {
    case 'list':
      if (name !== undefined || file !== undefined) throw new UsageError('list takes nothing else');
      for (const line of formatTable(readyScenarios.map((one) => [one.name, one.says, endOf(one)]))) context.print(line);
      return 0;
    case 'show':
      context.print(JSON.stringify(meant(name, file, context), null, 2));
      return 0;
    case 'log': {
      const scenario = meant(name, file, context);
      const log = logOf(draw(scenario, seedOf(seed) ?? scenario.seed ?? 0));
      for (const line of log.split('\n').slice(0, -1)) context.print(line);
      return 0;
    }
    default:
      throw new UsageError('say what to do: list, show, log');
  }
}

function seedOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seed = /^[0-9]{1,9}$/.test(text) ? Number.parseInt(text, 10) : null;
  if (seed === null) throw new UsageError(`--seed: give a whole number from 0 to ${SEED_MAX}`);
  return seed;
}

function meant(name: string | undefined, file: string | undefined, { readText }: ScenariosNeeds): Scenario {
  if ((name === undefined) === (file === undefined)) throw new UsageError('give either the name of a ready scenario or --file');
  if (file !== undefined) return inFile(file, readText);
  const scenario = readyScenario(name ?? '');
  if (!scenario) throw new UsageError(`there is no ready scenario ${JSON.stringify(name)}; turnpike scenarios list shows all`);
  return scenario;
}

function inFile(path: string, readText: Context['readText']): Scenario {
  let value: unknown;
  try {
    value = JSON.parse(readText(path));
  } catch {
    throw new OperatorError(`--file: ${JSON.stringify(path)} cannot be read as JSON`);
  }
  const read = parseScenario(value);
  if (read.is === 'scenario') return read.scenario;
  throw new OperatorError(
    read.faults.map(({ at, message }) => `--file: ${at === '' ? 'the scenario' : at} ${message}`).join('\n'),
  );
}
