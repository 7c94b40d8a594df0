import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, parseOptions } from '../command.ts';

/** A package brings the gateway in a few files, which takes less memory than its sources. */
const bundled = join(import.meta.dirname, '..', '..', '..', 'server', 'main.mjs');

/** The gateway itself, as `npm start` runs it. */
export const startCommand: Command = {
  name: 'start',
  summary: 'start the gateway; so does turnpike without a command',
  usage: 'start',
  async run(words) {
    parseOptions(words, []);
    if (existsSync(bundled)) await import(pathToFileURL(bundled).href);
    else await import('../../main.ts');
    return null;
  },
};
