import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Proof = { readonly ok: boolean; readonly text: string };

const asked = promisify(execFile);

/** Runs `npx turnpike verify`. */
export async function verify(databaseUrl: string | null, dataDir: string): Promise<Proof> {
  const root = join(import.meta.dirname, '../..');
  const place = databaseUrl ?? join(dataDir, 'turnpike.db');
  const words = [join(root, 'src/cli/main.ts'), 'verify', '--database', place];
  try {
    return { ok: true, text: (await asked(process.execPath, words, { cwd: root })).stdout };
  } catch (error) {
    return { ok: false, text: String((error as { readonly stdout?: string }).stdout ?? error) };
  }
}
