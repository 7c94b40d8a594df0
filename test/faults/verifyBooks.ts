import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileCache, programWords } from '../programs.ts';

export type Proof = { readonly ok: boolean; readonly text: string };

const asked = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };

/** Runs `npx turnpike verify`. */
export async function verify(databaseUrl: string | null, dataDir: string): Promise<Proof> {
  const place = databaseUrl ?? join(dataDir, 'turnpike.db');
  const words = [...programWords('src/cli/main.ts'), 'verify', '--database', place];
  try {
    return { ok: true, text: (await asked(process.execPath, words, { cwd: root, env })).stdout };
  } catch (error) {
    return { ok: false, text: String((error as { readonly stdout?: string }).stdout ?? error) };
  }
}
