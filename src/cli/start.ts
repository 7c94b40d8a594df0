import type { Command } from './command.ts';
import { parseOptions } from './options.ts';

/** The gateway itself, as `npm start` runs it. */
export const startCommand: Command = {
  name: 'start',
  summary: 'start the gateway; so does turnpike without a command',
  usage: 'start',
  async run(words) {
    parseOptions(words, []);
    await import('../main.ts');
    return null;
  },
};
