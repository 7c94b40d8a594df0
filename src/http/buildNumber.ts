import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `{40 hex}@yyyy-MM-dd HH:mm:ss +0000`: a digest of the sources that run, so that equal nodes show the same and a local change shows,
 * and the time of the newest of them.
 */
export function buildNumberOf(folder: string): string {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = all.filter((file) => /\.(?:ts|js|sql)$/.test(file) && !isLeftOut(file)).sort();
  const digest = createHash('sha1');
  let newest = 0;
  for (const file of files) {
    const path = join(folder, file);
    digest.update(file).update('\0').update(readFileSync(path)).update('\0');
    newest = Math.max(newest, statSync(path).mtimeMs);
  }
  const iso = new Date(newest).toISOString();
  return `${digest.digest('hex')}@${iso.slice(0, 10)} ${iso.slice(11, 19)} +0000`;
}

/** Tests, and the tables of the client: the tools make these, in some checkouts and not in others. */
const isLeftOut = (file: string): boolean => file.endsWith('.test.ts') || /^client[/\\]generated/.test(file);
