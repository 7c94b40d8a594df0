import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './gatewayProcess.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const git = async (...words: readonly string[]): Promise<string> =>
  (await run('git', [...words], { cwd: root, maxBuffer: 256 << 20 })).stdout.trim();

/** The gateway as it was before the newest migration; `skip` is the reason why there is none. */
export type EarlierProgram =
  | { readonly kind: 'found'; readonly file: string; readonly commit: string; readonly skip: false }
  | { readonly kind: 'missing'; readonly skip: string };

const missing = (skip: string): EarlierProgram => ({ kind: 'missing', skip });

/** From this change on a program works on a newer schema (decisions/0060). */
const RULE = 'neededSchema';

/** Takes the sources of the last commit before the newest migration out of the history. */
export async function findEarlierProgram(): Promise<EarlierProgram> {
  try {
    const newest = readdirSync(join(root, 'src/store/migrations')).sort().at(-1) ?? '';
    const path = `src/store/migrations/${newest}`;
    const added = (await git('log', '--format=%H', '--diff-filter=A', '--', path)).split('\n').at(-1) ?? '';
    if (added === '') return missing('the newest migration is not committed yet');
    const commit = await git('rev-parse', `${added}^`);
    if (!(await git('show', `${commit}:src/store/migrate.ts`)).includes(RULE))
      return missing('the program before the newest migration does not know newer schemas');
    const folder = temporaryFolder();
    await run('sh', ['-c', `git archive ${commit} | tar -x -C "$0"`, folder], { cwd: root });
    mkdirSync(join(folder, '.cache'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return { kind: 'found', file: join(folder, 'src/main.ts'), commit: commit.slice(0, 8), skip: false };
  } catch (error) {
    return missing(`the history is not there: ${(error as Error).message.split('\n')[0]}`);
  }
}
