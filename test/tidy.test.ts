import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { importChain, readPlan } from '../scripts/testing/plan.ts';
import { changeNames, createChanges } from './faults/changes.ts';

/** The style guide as a test: the import law, what is banned and what to use instead, how large things may grow. */

const root = join(import.meta.dirname, '..');
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).sort();
const production = sources.filter((file) => !file.endsWith('.test.ts'));
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const moduleOf = (file: string) => file.split('/')[1] ?? '';

/** A module imports only modules above it; `ports.ts` and the nouns are all that stores and connectors see of the domain. */
const DOMAIN = [
  'spec',
  'money',
  'form',
  'merchants',
  'vault',
  'wallets',
  'registrations',
  'risk',
  'threeds',
  'payments',
  'checkouts',
  'schedules',
  'webhooks',
  'ledger',
  'settlement',
  'reports',
  'users',
  'audit',
  'developer',
];
const above = (module: string) => DOMAIN.slice(0, DOMAIN.indexOf(module));
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // Ticks of the event loop, slots and JSON: every module of the gateway may import it.
  runtime: [],
  spec: ['money'],
  money: [],
  ...Object.fromEntries(DOMAIN.slice(2).map((module) => [module, above(module)])),
  store: DOMAIN.filter((module) => !['form', 'threeds'].includes(module)),
  connectors: ['spec', 'money', 'registrations', 'payments'],
  // The port that it implements for connectors, and the address of a folder.
  outbound: ['spec', 'connectors', 'telemetry'],
  // Metrics have the queues and sweeps of payments as labels.
  telemetry: ['spec', 'payments'],
  // Settings in the types of the modules that they are for.
  config: [...DOMAIN, 'store', 'telemetry'],
  demo: ['spec', 'money'],
  widget: ['spec', 'money'],
  backoffice: ['spec', 'money'],
  // It runs in shops: its tables are generated, and it takes nothing else of the gateway.
  client: [],
  testing: ['client'],
  // The guides name the demo shop of the sandbox.
  site: ['spec', 'money', 'merchants'],
  assets: ['spec', 'widget', 'checkouts', 'site'],
  // Of the widget only what has no browser in it: its texts, its languages and the messages between its parts.
  http: [...DOMAIN, 'demo', 'widget', 'assets', 'site', 'telemetry'],
  workers: [...DOMAIN, 'telemetry'],
};
/** They run in shops, and take nothing of the gateway. */
const SHOPS = ['client', 'testing'];
/** The composition root and the command line see everything. */
const ROOTS = ['app', 'cli'];
const NOUNS_ONLY =
  /\/(?:payment|callBatch|documents|listing|schedule|webhook|record|postings|entry|merchantFilter|checkout|paymentRef|registration|instrument|ports|lifecycle|balance|examples|search|sheet|shopperStep|releaseStore|storeErrors|storeFigures|trace)\.ts$/;

/** What tests, benchmarks and scripts alone use: examples, the store in memory, the picture of the life cycle. */
const TEST_ONLY = /\/(?:examples|exampleFlow|lifecyclePicture)\.ts$|^src\/store\/memory\/|\.d\.ts$/;

const importsIn = (file: string): string[] => pathsIn(file, readFileSync(join(root, file), 'utf8'));
const importsOf = (file: string): string[] => pathsIn(file, textOf.get(file) ?? '');

function pathsIn(file: string, text: string): string[] {
  const paths = [...text.matchAll(/(?:from|import|new URL\()\s*\(?'(\.[^']+\.tsx?)'/g)].map((match) => match[1] as string);
  return paths.map((path) => relative(root, join(root, dirname(file), path)));
}

test('the sources were seen', () => {
  assert.ok(production.length >= 60, `only ${production.length} files`);
  assert.ok(production.flatMap(importsOf).length >= 150, 'hardly any imports: the pattern no longer reads them');
});

/** The imports of a file that the law forbids. */
function upwardImports(file: string, targets: readonly string[]): readonly string[] {
  const module = moduleOf(file);
  const allowed = mayImport[module];
  if (!allowed) return file.split('/').length > 2 && !ROOTS.includes(module) ? [`${file}: no such module`] : [];
  return targets
    .filter((target) => moduleOf(target) !== module && !allowed.includes(moduleOf(target)))
    .filter((target) => moduleOf(target) !== 'runtime' || SHOPS.includes(module))
    .map((target) => `${file} imports ${target}`);
}

test('modules import only modules above them', () => {
  const up = upwardImports('src/config/backup.ts', ['src/app/start.ts', 'src/spec/time.ts']);
  assert.deepEqual(up, ['src/config/backup.ts imports src/app/start.ts'], 'planted');
  const broken = production.flatMap((file) => upwardImports(file, importsOf(file)));
  assert.deepEqual(broken, []);
});

test('stores and connectors see the nouns and ports of the domain, nothing that acts', () => {
  const outer = production.filter((file) => ['store', 'connectors'].includes(moduleOf(file)));
  const broken = outer.flatMap((file) =>
    importsOf(file)
      .filter(
        (target) =>
          DOMAIN.includes(moduleOf(target)) &&
          !['spec', 'money', 'registrations', 'vault'].includes(moduleOf(target)) &&
          !NOUNS_ONLY.test(target),
      )
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('the areas of the store know no database, and no database knows another', () => {
  const driverOf = (file: string): string | null => /^src\/store\/(sqlite|postgres|memory)\//.exec(file)?.[1] ?? null;
  // These choose a database by the configuration.
  const isDoor = (file: string) => /^src\/store\/open\w*\.ts$/.test(file);
  const broken = production
    .filter((file) => moduleOf(file) === 'store' && !isDoor(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => driverOf(target) !== null && driverOf(target) !== driverOf(file))
        .map((target) => `${file} imports ${target}`),
    );
  assert.deepEqual(broken, []);
});

/** Outside of itself the transport imports only `src/runtime/`, which knows nothing of the gateway: the scheduler, and strings in one part. */
const TRANSPORT_NEEDS = /^src\/http\/transport\/|^src\/runtime\//;

test('the transport of HTTP knows nothing of the gateway that it serves', () => {
  const files = production.filter((file) => file.startsWith('src/http/transport/'));
  assert.ok(files.length >= 8);
  const broken = files.flatMap((file) => importsOf(file).filter((target) => !TRANSPORT_NEEDS.test(target)));
  assert.deepEqual(broken, []);
});

test('every import leads to a file, and every file is reached from an entry point', () => {
  const known = new Set(sources);
  const missing = sources.flatMap((file) =>
    importsOf(file).filter((target) => !known.has(target) && !globSync(target, { cwd: root }).length),
  );
  assert.deepEqual(missing, []);
  const { entry } = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')) as { readonly entry: readonly string[] };
  const entries = entry
    .flatMap((pattern) => globSync(pattern.replace(/!$/, ''), { cwd: root }))
    .filter((file) => known.has(file));
  const reached = new Set<string>();
  const walk = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of importsOf(file)) if (known.has(target)) walk(target);
  };
  for (const file of entries.filter((file) => !file.endsWith('.test.ts'))) walk(file);
  const unreached = production.filter((file) => !reached.has(file) && !TEST_ONLY.test(file));
  assert.deepEqual(unreached, []);
  for (const file of globSync('{src,test,bench,scripts}/**/*.ts', { cwd: root }).filter(
    (file) => !known.has(file) || file.endsWith('.test.ts'),
  ))
    for (const target of importsIn(file)) if (known.has(target)) walk(target);
  assert.deepEqual(
    production.filter((file) => !reached.has(file) && !file.endsWith('.d.ts')),
    [],
    'not even a test imports these',
  );
});

test('the thread that writes loads no table of codes, brands or accounts: it would double its memory and its start', () => {
  const isHeavy = (target: string) => /^src\/spec\/(?:resultCodes|cards\/\w+|areas\/\w+)\.ts$|^ibantools$/.test(target);
  assert.deepEqual(importChain(readPlan(root), 'src/store/sqlite/writer.ts', isHeavy), null);
  assert.ok(importChain(readPlan(root), 'src/main.ts', isHeavy), 'the program loads them: the pattern finds something');
});

test('sources that the fault tests exchange are there, with the texts that they change', () => {
  for (const name of changeNames) {
    const changes = createChanges(name);
    for (const [file, text] of textOf) changes.make(`/${file}`, text);
    changes.assertAllMade();
  }
  for (const file of globSync('test/faults/*.ts', { cwd: root }))
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(/'\/(src\/[^']+\.ts)'/g))
      assert.ok(textOf.has(path), `${file}: no ${path}`);
});

test('a file that a comment names is there', () => {
  const files = globSync('{src,test,bench,scripts}/**/*.{ts,tsx,mjs,sql}', { cwd: root });
  const isThere = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
  const missing = sources.flatMap((file) =>
    [...(textOf.get(file) ?? '').matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm)]
      .flatMap(([comment]) => [...comment.matchAll(/(?<![\w*/.'-])((?:[\w-]+\/)*[\w-]+\.(?:tsx?|mjs|sql))\b/g)])
      .filter(([, name = '']) => !isThere(name))
      .map(([, name]) => `${file}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('no file imports itself by way of others', () => {
  const valuesOf = (file: string) =>
    [...(textOf.get(file) ?? '').matchAll(/^(?:import|export)\s+(?!type\b)(\{[^}]*\}|[^'"]*?)\s*from\s+'(\.[^']+)'/gm)]
      .filter(([, names]) => !/^\{\s*(?:type \w+(?: as \w+)?,?\s*)+\}$/.test(names as string))
      .map(([, , path]) => relative(root, join(root, dirname(file), path as string)));
  const done = new Set<string>();
  const rings: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) rings.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of valuesOf(file)) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of production) walk(file, []);
  assert.deepEqual(rings, []);
});

/** Words that only this project had for things that the field has a word for (glossary: ARCHITECTURE.md). They stay away. */
const RETIRED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bfurnish|\bhouse\b(?! number)|HouseParts/, 'app, create'],
  [/\b(?!has|make)[a-z]+Rooms?\b|\bRooms\b|\brooms?[.:]/, 'Services, module'],
  [
    /\b(?:drawer|cabinet|scribe|shelf|oneself|hearers?|desk)\b(?<!cash desk)/,
    'collection, documents, AuditWriter, own account, subscribers, engine',
  ],
  [/\b(?:levers?|Levers?|steering|Steering)\b/, 'directives'],
  [/\b(?:createBell|bell|Hall)\b/, 'signal, Dispatcher'],
  [/(?<!')\bnews\b(?!')|[a-z]News\b/, 'OutboxEvent, event'],
  [/\b(?:Mendable|Misfortune)\b/, 'OperatorError'],
  [/\b(?:type|interface) (?:Asked|Told|Place|Whose|Wish|Said)\b/, 'a name after the content'],
  [/\b(?:whose|claim|spend): (?:MerchantFilter|IdempotencyKey|TokenUse)\b/, 'merchants, idempotencyKey, tokenUse'],
];
const words = globSync('{src,test,bench,scripts}/**/*.{ts,tsx,sql}', { cwd: root }).filter(
  (file) => file !== 'test/tidy.test.ts' && !/\/labels\//.test(file),
);

for (const [pattern, instead] of RETIRED) {
  test(`${pattern.source} is retired; say ${instead}`, () => {
    const found = words.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim().slice(0, 100)}`] : [])),
    );
    assert.deepEqual(found, []);
  });
}

/** Pattern, what to use instead, and the files that own the thing. */
const banned: readonly (readonly [pattern: RegExp, instead: string, owners: RegExp])[] = [
  [
    /\bDate\.now\(|new Date\(\)|Temporal\.Now/,
    'world.clock',
    /^src\/(?:app\/system|main)\.ts$|^src\/widget\/runtime\/lifetime\.ts$|^src\/(?:backoffice|client|testing)\//,
  ],
  [
    /Math\.random|randomUUID|randomBytes\(|randomFill/,
    'world.ids',
    /^src\/app\/system\.ts$|^src\/config\/storedMasterKey\.ts$|^src\/vault\/randomBytes\.ts$|^src\/(?:client|testing)\//,
  ],
  [
    /\bset(?:Timeout|Interval)\(/,
    'world.timers',
    /^src\/app\/system\.ts$|^src\/store\/|^src\/workers\/loop\.ts$|^src\/http\/transport\/(?:server|connection|peerServer)\.ts$|^src\/telemetry\/log\.ts$|^src\/main\.ts$|^src\/widget\/|^src\/(?:backoffice|client|testing)\/|^src\/http\/shopper\/widgetPages\.ts$|^src\/site\/script\.ts$/,
  ],
  [
    /(?<![.\w])fetch\(/,
    'the outbound client',
    /^src\/widget\/|^src\/(?:backoffice|client)\/|^src\/http\/shopper\/widgetPages\.ts$|^src\/site\/(?:script|snippets\/languages)\.ts$/,
  ],
  [/\bas any\b|: any\b|<any>|@ts-(?:ignore|expect-error|nocheck)/, 'a type', /^$/],
  [/parseFloat|\.toFixed\(/, 'bigint hundredths', /^$/],
  [
    /\bconsole\./,
    'the log',
    /^src\/main\.ts$|^src\/cli\/|^src\/widget\/runtime\/errors\.ts$|^src\/site\/snippets\/languages\.ts$/,
  ],
  [/\benum \w|\bnamespace \w|export default/, 'a const object, a module, a named export', /^$/],
  [/\beval\(|new Function\(/, 'a table', /^$/],
  [
    /createHash\(/,
    'a keyed hash: an unkeyed one of a card number is the card number',
    /^src\/merchants\/|^src\/http\/buildNumber|^src\/spec\/|^src\/store\/|^src\/ledger\/chain\.ts$|^src\/outbound\/s3\.ts$|^src\/settlement\/in\/uploads\.ts$/,
  ],
  [/\b(?:TODO|FIXME|XXX:)\b/, 'doing it, or an issue', /^$/],
];

for (const [pattern, instead, owners] of banned) {
  test(`${pattern.source} is banned; use ${instead}`, () => {
    const broken = production.filter((file) => !owners.test(file) && pattern.test(withoutComments(textOf.get(file) ?? '')));
    assert.deepEqual(broken, []);
  });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

/** What the repository counts as source: code that a person reads, without tests. */
const counted = globSync('src/**/*.{ts,tsx,mjs,js,css,html,sql}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
/** Numbers that only fall. */
const FILES_MAX = 1_080;
const SHARE_OF_FRAGMENTS_MAX = 0.05;
const FRAGMENT_LINES = 25;

const isFragment = (text: string): boolean => text.split('\n').length - 1 < FRAGMENT_LINES;

test('the source has few files, and few of them are fragments', () => {
  assert.deepEqual([isFragment('line\n'.repeat(24)), isFragment('line\n'.repeat(25))], [true, false]);
  const says = `${counted.length} files, at most ${FILES_MAX}: join what tells one story; only a new feature raises the number`;
  assert.ok(counted.length <= FILES_MAX, says);
  // A released migration is never edited, so it is not joined either.
  const fragments = counted
    .filter((file) => !file.includes('/migrations/'))
    .filter((file) => isFragment(readFileSync(join(root, file), 'utf8')));
  const share = fragments.length / counted.length;
  assert.ok(share <= SHARE_OF_FRAGMENTS_MAX, `${fragments.length} files under ${FRAGMENT_LINES} lines: ${fragments.join(' ')}`);
});

/** Groups of files that import each other, by way of types too. */
function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const [index, low, stack] = [new Map<string, number>(), new Map<string, number>(), [] as string[]];
  const visit = (file: string): void => {
    const at = index.size;
    index.set(file, at);
    low.set(file, at);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? at, low.get(target) ?? at));
    }
    if (low.get(file) !== at) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) cycles.push(group.toSorted());
  };
  for (const file of imports.keys()) visit(file);
  return cycles;
}

/** How many groups of files import each other: a recursive type that needs one would be named here. */
const CYCLES_MAX = 0;

test('files do not import themselves by way of others, nor their types', () => {
  const planted = new Map([
    ['a', ['b']],
    ['b', ['c', 'a']],
    ['c', []],
  ]);
  assert.deepEqual(cyclesIn(planted), [['a', 'b']], 'planted');
  // A thread that a file starts is no import of it.
  const imported = (file: string) =>
    pathsIn(file, (textOf.get(file) ?? '').replaceAll('new URL(', '')).filter((to) => textOf.has(to));
  const cycles = cyclesIn(new Map(production.map((file) => [file, imported(file)])));
  assert.ok(cycles.length <= CYCLES_MAX, cycles.map((files) => files.join(' ')).join('\n'));
});

/** Variables of a module that change, and collections of a module that are filled later. */
const mutableIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly)[^=\n]+)? = new (?:Map|Set|WeakMap|WeakSet|AsyncLocalStorage)\b(?:<[^;\n]*>)?\(\);)/gm,
    ),
  ].map(([, variable, collection]) => variable ?? collection ?? '');

/** The bindings of modules that change, each with the reason why no object has it. */
const moduleState: Readonly<Record<string, string>> = {
  'src/app/threads/requestThread.ts listening': 'the file is the program of a thread',
  'src/http/api/documents.ts replies': 'derived from constants, once a language',
  'src/http/shopper/widget.ts packed': 'derived from its key, and ends with it',
  'src/merchants/settings.ts timeZones': "derived from the runtime's list of time zones, of bounded size",
  'src/runtime/json.ts noted': 'a note about its key that ends with it',
  'src/schedules/calendar.ts zones': "derived from the runtime's list of time zones, of bounded size",
  'src/telemetry/tracer.ts storage': 'the runtime keeps one value for each chain of calls',
  'src/threeds/pages/componentPage.ts isFresh': 'of a script of a page',
  'src/threeds/pages/componentPage.ts isSent': 'of a script of a page',
  'src/vault/vault.ts macs': 'derived from its key, and ends with it',
};

test('state belongs to an object that somebody creates, not to a module', () => {
  const planted =
    'let last = 0;\nexport const known = new Map<string, number>();\nconst fixed = new Set(list.map((one) => one.toLowerCase()));\n  let inner = 0;\n';
  assert.deepEqual(mutableIn(planted), ['last', 'known'], 'planted');
  const found = production.flatMap((file) => mutableIn(textOf.get(file) ?? '').map((name) => `${file} ${name}`));
  assert.deepEqual(found.toSorted(), Object.keys(moduleState).toSorted());
});

/** Code that does without a promise now and then: two paths for one thing. */
const sometimesAsync = (file: string, text: string): readonly string[] => [
  ...(text.match(/instanceof Promise\b/g) ?? []),
  ...(file.endsWith('/ports.ts') ? [] : (text.match(/\| Promise<|\bPromise<[^;={}]*?> \| (?!undefined\b|null\b)\w/g) ?? [])),
];
/** How often it stands in the source. The number only falls. */
const SOMETIMES_ASYNC_MAX = 12;

test('a function returns a promise always or never; only a port may leave that to what implements it', () => {
  assert.deepEqual(sometimesAsync('src/a.ts', 'if (x instanceof Promise) return;'), ['instanceof Promise'], 'planted');
  assert.deepEqual(sometimesAsync('src/a.ts', 'type A = () => string | Promise<string>;'), ['| Promise<'], 'planted');
  assert.deepEqual(sometimesAsync('src/ports.ts', 'type A = () => string | Promise<string>;'), []);
  const found = production.flatMap((file) =>
    sometimesAsync(file, withoutComments(textOf.get(file) ?? '')).map((text) => `${file}: ${text}`),
  );
  assert.ok(found.length <= SOMETIMES_ASYNC_MAX, `${found.length}, at most ${SOMETIMES_ASYNC_MAX}:\n${found.join('\n')}`);
});

/** The few that are longer than 500 lines. A number here only falls. */
const LONGEST: Readonly<Record<string, number>> = {};

test('one idea is one file of at most 500 lines; tables are exempt, and the longest only get shorter', () => {
  const isTable = (file: string) =>
    file.startsWith('src/spec/') || file === 'src/backoffice/pages.ts' || /\/(?:labels|texts|generated)\//.test(file);
  const lengths = production
    .filter((file) => !isTable(file))
    .map((file) => [file, (textOf.get(file) ?? '').split('\n').length] as const);
  const tooLong = lengths.filter(([file, lines]) => lines > (LONGEST[file] ?? 500));
  assert.deepEqual(tooLong, [], 'longer than 500 lines, or than it was');
});

test('a folder holds at most 45 files of its own', () => {
  const folders = Map.groupBy(production, (file) => dirname(file));
  const crowded = [...folders].filter(([folder, files]) => files.length > 45 && !folder.endsWith('/labels'));
  assert.deepEqual(
    crowded.map(([folder, files]) => [folder, files.length]),
    [],
  );
});

test('lines stay within 140 characters; the formatter breaks code at 130', () => {
  const wide = sources.flatMap((file) =>
    (textOf.get(file) ?? '')
      .split('\n')
      .flatMap((line, at) =>
        line.length > 140 && !file.includes('/generated/') && !/https?:|^\s*'|`/.test(line) ? [`${file}:${at + 1}`] : [],
      ),
  );
  assert.deepEqual(wide, []);
});

test('functions stay small: 70 lines', () => {
  // `npm run new:connector` copies the example into src/.
  const copied = 'test/connectors/example/example.ts';
  const long = [...production.filter((file) => !file.startsWith('src/spec/')), copied].flatMap((file) =>
    functionsOf(textOf.get(file) ?? readFileSync(join(root, file), 'utf8'))
      .filter(({ lines }) => lines > 70)
      .map(({ name, lines }) => `${file} ${name}: ${lines}`),
  );
  assert.deepEqual(long, []);
});

/** Top-level functions, by their first line and the closing brace at the same indent. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (!name) return [];
    const end = lines.findIndex((other, index) => index > at && other === '}');
    return [{ name, lines: end - at + 1 }];
  });
}

test('decisions and migrations are numbered without a clash, and a decision has its number in its title', () => {
  const decisions = globSync('decisions/0*.md', { cwd: root }).toSorted();
  const titles = decisions.map((file) => readFileSync(join(root, file), 'utf8').slice('# '.length, '# 0000'.length));
  assert.deepEqual(
    decisions.map((file) => file.slice('decisions/'.length, 'decisions/0000'.length)),
    titles,
  );
  assert.deepEqual(titles, [...new Set(titles)]);
  const migrations = globSync('src/store/migrations/*.sql', { cwd: root }).map((file) => basename(file));
  const clashes = [...Map.groupBy(migrations, (name) => name.slice(0, '0000'.length)).values()].filter(
    (names) => new Set(names.map((name) => name.replace(/(?:\.(?:sqlite|postgres))?\.sql$/, ''))).size > 1,
  );
  assert.deepEqual(clashes, []);
});

test('no path of a machine and no registry host stands in the project', () => {
  const files = globSync('{*.md,*.json,.npmrc,src/**/*,test/**/*,scripts/**/*,bench/**/*,decisions/*,docs/**/*}', { cwd: root });
  const texts = files.filter((file) => file !== 'test/tidy.test.ts' && /\.(?:md|json|ts|mjs|npmrc|sql|html)$|npmrc$/.test(file));
  assert.ok(texts.length >= 60);
  const found = texts.filter((file) =>
    /\/(?:home|Users)\/[a-z]|"resolved": "http|\/work\/(?:main|shared)/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(found, []);
});
