import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { findProgram } from './debian.ts';
import { DEMO } from './http/client.ts';
import { startGateway, type TestGateway } from './http/gateway.ts';
import { onlyLong } from './long.ts';

/**
 * The commands and programs of docs/generatedClients.md, against a running gateway: stock generators from the registries make clients of the
 * documents that it serves, the code is imported or compiled, and takes, captures, refunds and reads payments.
 */

const run = promisify(execFile);
const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'generatedClients.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-generators-'));
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The blocks of a section by their first line, which is a comment with a name. */
function blocksOf(heading: string): Readonly<Record<string, string>> {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const blocks = section.split('\n## ')[0]?.matchAll(/```\w+\n(?:#|\/\/) (\S+)\n([\s\S]*?)```/g) ?? [];
  return Object.fromEntries([...blocks].map(([, name = '', text = '']) => [name, text]));
}

const PAGE_URL = 'http://localhost:8080';
const environment = { ...process.env, TOKEN: DEMO.token, ENTITY: DEMO.entityId };

async function shell(text: string, cwd: string): Promise<string> {
  const options = { cwd, env: environment, maxBuffer: 100_000_000 };
  const { stdout } = await run('sh', ['-ec', text.replaceAll(PAGE_URL, gateway.url)], options);
  return stdout;
}

const missing = (...programs: readonly string[]): string | false => {
  const names = programs.filter((name) => findProgram(name) === null);
  return names.length > 0 && `not installed: ${names.join(', ')}`;
};

/** Why the generator of a section cannot be had, or false: its programs are not installed, or its registry cannot be reached. */
async function installed(blocks: Readonly<Record<string, string>>, cwd: string): Promise<string | false> {
  mkdirSync(cwd);
  return shell(blocks.install ?? assert.fail('the section has commands that install'), cwd).then(
    () => false,
    (error: Error) => `cannot be installed: ${error.message.split('\n').slice(0, 2).join(' ')}`,
  );
}

const [, PRINTED = ''] = /each program prints[^\n]*\n\n```\n([\s\S]*?)```/.exec(page) ?? [];

type Section = { readonly heading: string; readonly program: string; readonly needs: readonly string[] };
const sections: readonly Section[] = [
  { heading: 'Python, by openapi-generator', program: 'pay.py', needs: ['python3', 'java', 'mvn'] },
  { heading: 'Java, by openapi-generator', program: 'Pay.java', needs: ['java', 'mvn'] },
  { heading: 'Python, by openapi-python-client', program: 'pay.py', needs: ['python3'] },
];

test('the page has these sections, and every program prints the same', () => {
  const headings = [...page.matchAll(/\n## (.*, by .*)\n/g)].map(([, heading]) => heading);
  assert.deepEqual(
    headings,
    sections.map(({ heading }) => heading),
  );
  assert.deepEqual(PRINTED.trim().split('\n').length, 4);
});

for (const [at, { heading, program, needs }] of sections.entries())
  test(`${heading}: generated as the page says, it pays, captures, refunds and reads`, {
    skip: onlyLong || missing(...needs),
    timeout: 600_000,
  }, async (t) => {
    const [blocks, cwd] = [blocksOf(heading), join(folder, `section-${at}`)];
    const reason = await installed(blocks, cwd);
    if (reason !== false) return t.skip(reason);
    await shell(blocks.generate ?? '', cwd);
    writeFileSync(join(cwd, program), (blocks[program] ?? '').replaceAll(PAGE_URL, gateway.url));
    assert.equal(await shell(blocks.run ?? '', cwd), PRINTED);
  });

type Served = {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, { readonly operationId: string; readonly tags: readonly [string] }>>;
};

/** `Users and roles` → `UsersAndRolesApi`, `listUsers` → `list_users`. */
const className = (tag: string): string => `${tag.replace(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase())}Api`;
const methodName = (id: string): string => id.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

const IMPORT_ALL = `import importlib, inspect, json, pkgutil, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module(sys.argv[2])
for module in pkgutil.walk_packages(package.__path__, sys.argv[2] + "."):
    importlib.import_module(module.name)
plain = lambda name: not name.startswith("_") and not name.endswith(("_with_http_info", "_without_preload_content"))
print(json.dumps({name: sorted(one for one, _ in inspect.getmembers(cls, inspect.isfunction) if plain(one))
    for name, cls in inspect.getmembers(package, inspect.isclass) if name.endswith("Api")}))
`;

describe('openapi-generator, Python and Java', {
  skip: onlyLong || missing('python3', 'java', 'mvn'),
  timeout: 1_800_000,
}, () => {
  const cwd = join(folder, 'classes');
  let isMissing: string | false = false;
  before(async () => {
    isMissing = await installed(blocksOf(sections[0]?.heading ?? ''), cwd);
    if (isMissing !== false) return;
    await shell('venv/bin/pip install -q "urllib3<3" python-dateutil pydantic typing-extensions', cwd);
    writeFileSync(join(cwd, 'importAll.py'), IMPORT_ALL);
  });
  const generate = (language: string, document: string, output: string): Promise<string> =>
    shell(
      `java -jar openapi-generator-cli-7.14.0.jar generate -g ${language} -o ${output} --package-name ${output} \
        --global-property apiDocs=false,modelDocs=false,apiTests=false,modelTests=false -i ${gateway.url}${document}`,
      cwd,
    );
  const importAll = (output: string): Promise<string> => shell(`venv/bin/python importAll.py ${output} ${output}`, cwd);

  for (const part of ['merchant', 'administration'])
    test(`${part}: all of the Python code can be imported; a class for every tag has a method for every operation`, async (t) => {
      if (isMissing !== false) return t.skip(isMissing);
      const path = `/openapi.${part}.generators.json`;
      await generate('python', path, part);
      const served = (await (await fetch(gateway.url + path)).json()) as Served;
      const operations = Object.values(served.paths).flatMap((methods) => Object.values(methods));
      const expected = served.tags.map(({ name }) => [
        className(name),
        operations
          .filter(({ tags }) => tags[0] === name)
          .map(({ operationId }) => methodName(operationId))
          .sort(),
      ]);
      const classes = JSON.parse(await importAll(part)) as Record<string, readonly string[]>;
      assert.deepEqual(classes, Object.fromEntries(expected));
    });

  test('administration: the Java code compiles', async (t) => {
    if (isMissing !== false) return t.skip(isMissing);
    await generate('java', '/openapi.administration.generators.json', 'java');
    await shell('mvn -q -B -f java compile', cwd);
  });

  test('control: of the full document the generator makes Python that cannot be imported', async (t) => {
    if (isMissing !== false) return t.skip(isMissing);
    await generate('python', '/openapi.merchant.json', 'full');
    await assert.rejects(importAll('full'), /SyntaxError/);
  });
});
