import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the program, as package.json beside the sources has it. It is written nowhere else. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
