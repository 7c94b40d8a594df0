import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { guides } from '../src/site/snippets/guides.ts';
import { languages } from '../src/site/snippets/languages.ts';
import { startGateway, type TestGateway } from './http/gateway.ts';

/** The requests of all guides, sent by one program per language. A language that is not installed is skipped by name. */

type Runner = { readonly file: string; readonly program: string; readonly needs: readonly string[] };
const runners: Readonly<Record<string, Runner>> = {
  curl: { file: 'guides.sh', program: 'bash', needs: ['-c', 'command -v curl'] },
  node: { file: 'guides.mjs', program: process.execPath, needs: ['--version'] },
  php: { file: 'guides.php', program: 'php', needs: ['--version'] },
  python: { file: 'guides.py', program: 'python3', needs: ['--version'] },
  ruby: { file: 'guides.rb', program: 'ruby', needs: ['--version'] },
  // The compiler within a single-file start needs Java 11.
  java: { file: 'Main.java', program: 'java', needs: ['--version'] },
};

const steps = guides.flatMap(({ page, steps: all }) => all.map((step) => ({ page, step })));

function isInstalled({ program, needs }: Runner): boolean {
  try {
    execFileSync(program, needs, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What a line of output says: curl prints whole answers, the others a member. */
function valueIn(line: string, path: readonly string[]): string {
  if (!line.startsWith('{')) return line;
  return String(path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], JSON.parse(line)));
}

/** Registers the tests of these languages. */
export function testSnippets(ids: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-snippets-'));
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const language of languages) {
    if (!ids.includes(language.id)) continue;
    const runner = runners[language.id];
    const skip = !runner || !isInstalled(runner) ? `${language.label} is not installed` : false;
    test(`the guides in ${language.label} give the results that they name`, { skip }, async () => {
      const { file, program } = runner as Runner;
      const path = join(folder, file);
      const blocks = guides.map((guide) => guide.steps.map(language.step).join('\n'));
      writeFileSync(path, language.program(blocks));
      const env = { ...process.env, BASE_URL: gateway.url };
      const { stdout } = await promisify(execFile)(program, [path], { env, timeout: 60_000 });
      const lines = stdout.trim().split('\n');
      const results = steps.map(({ page, step }, at) => ({
        page,
        id: step.id,
        value: valueIn(lines[at] ?? '', step.shows),
        step,
      }));
      assert.deepEqual(
        results.filter(({ value, step }) => !step.expects.test(value)),
        [],
      );
      assert.equal(lines.length, steps.length);
    });
  }
}
