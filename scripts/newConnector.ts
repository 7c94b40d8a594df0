import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { example } from '../test/connectors/example/example.ts';
import { connectorParts, marked, type PARTS } from './connectorPages.ts';

/**
 * `npm run new:connector -- name`: makes the folder of a connector from the example of the tests, with its server for tests, its contract
 * test, its page of documentation and its line in the registry. The new connector works and passes the contract; the next step is to change it into the
 * acquirer's own API.
 */

const NAME = /^[a-z][a-zA-Z0-9]{1,31}$/;
const EXAMPLE = 'test/connectors/example';

const capital = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** The files of a new connector, by path. Pure but for reading the example. */
export function filesOf(root: string, name: string): ReadonlyMap<string, string> {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const renamed = (text: string): string => text.replaceAll('example', name).replaceAll('Example', capital(name));
  const example = (file: string): string => renamed(read(join(EXAMPLE, file)));
  const inSource = (text: string): string =>
    text.replaceAll("'../../../src/connectors/", "'../").replaceAll("'../../../src/", "'../../");
  const inTest = (text: string): string => text.replace(`'./${name}.ts'`, `'../../../src/connectors/${name}/${name}.ts'`);
  return new Map([
    [`src/connectors/${name}/${name}.ts`, inSource(example('example.ts')).replaceAll(`${name}.com`, 'example.com')],
    [`src/connectors/${name}/codes.ts`, inSource(example('codes.ts'))],
    [`test/connectors/${name}/server.ts`, inTest(example('server.ts'))],
    [`test/connectors/${name}/contract.test.ts`, example('contract.test.ts')],
    [`docs/connectors/${name}.md`, page(name)],
    ['src/connectors/registry.ts', withLine(read('src/connectors/registry.ts'), name)],
  ]);
}

const page = (name: string): string => `# ${capital(name)}

## Set up

1. \`npx turnpike account --entity ID --name ${name} --connector ${name} --set url=https://api.example.com --secret apiKey=key.txt --secret notificationKey=notificationKey.txt\`
2. Give the acquirer the address for notifications that the command prints.
3. \`--use\` sends all payments of the entity to the account.

${parts(['settings', 'secrets'])}

## Capabilities

${parts(['capabilities', 'currencies'])}

## Unknown outcomes

${parts(['steps', 'unknown outcomes'])}

## Codes

${parts(['codes'])}

## Limits

What the acquirer cannot do belongs here. The tables above come from \`src/connectors/${name}/${name}.ts\` by \`npm run docs\`.
`;

/** The tables of the example, which the new connector begins with. */
function parts(names: readonly (typeof PARTS)[number][]): string {
  const made = connectorParts(example);
  return names.map((name) => marked(name, made.get(name) ?? '')).join('\n\n');
}

/** The registry with one more import and one more name. */
function withLine(registry: string, name: string): string {
  const imported = `import { ${name} } from './${name}/${name}.ts';`;
  const lines = registry.split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('import '));
  const listed = registry.includes(`[${name}`) || registry.includes(`, ${name}`);
  if (listed) throw new Error(`there is a connector "${name}" already`);
  lines.splice(last + 1, 0, imported);
  return lines.join('\n').replace(/(const kinds: readonly ConnectorKind\[\] = \[[^\]]*?)(,?\s*)\]/, `$1, ${name}]`);
}

/** Writes the files; returns their paths. Throws when the name is bad or a file exists. */
export function makeConnector(root: string, name: string): readonly string[] {
  if (!NAME.test(name)) throw new Error('the name must be 2 to 32 letters and digits and begin with a small letter');
  const files = filesOf(root, name);
  const there = [...files.keys()].filter((file) => file !== 'src/connectors/registry.ts' && existsSync(join(root, file)));
  if (there.length > 0) throw new Error(`${there[0]} exists already`);
  for (const [file, text] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return [...files.keys()];
}

if (import.meta.main) {
  try {
    const root = join(import.meta.dirname, '..');
    const made = makeConnector(root, process.argv[2] ?? '');
    // Names of another length and other paths: imports and lines stand as the formatter wants them.
    const sources = made.filter((file) => file.endsWith('.ts'));
    execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...sources], { cwd: root });
    console.log(
      `Made or changed:\n${made.map((file) => `  ${file}`).join('\n')}\nTry it: npm test -- connectors/${process.argv[2]}`,
    );
  } catch (error) {
    console.error(`new:connector: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
