import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEnv, startFlags } from '../scripts/supervise.mjs';
import { knownNames, secretPathNames } from '../src/config/settings.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { readVersion } from '../src/version.ts';
import { readYaml, type Yaml } from './yaml.ts';

/** The files of deploy/ say what the program says: settings that exist, the same ports and paths, no secret in the open. */

const root = join(import.meta.dirname, '..');
const textOf = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');
const containerfile = textOf('Containerfile');
const unit = textOf('turnpike.service');
const [compose] = readYaml(textOf('compose.yaml'));
const kubernetes = readYaml(textOf('kubernetes.yaml'));

/** The value at a path of names and positions. */
function at(value: Yaml | undefined, path: string): Yaml {
  let found = value;
  for (const name of path.split('.')) found = (found as Record<string, Yaml> | undefined)?.[name];
  return found ?? assert.fail(`no ${path}`);
}
const namesAt = (value: Yaml | undefined, path: string): readonly string[] => Object.keys(at(value, path));
const kind = (name: string): Yaml => kubernetes.find((it) => at(it, 'kind') === name) ?? assert.fail(name);

const [pod, container] = [
  at(kind('StatefulSet'), 'spec.template.spec'),
  at(kind('StatefulSet'), 'spec.template.spec.containers.0'),
];
const unitLines = (name: string): readonly string[] =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));

/** Of the runtime, not of the gateway. */
const RUNTIME_NAMES: readonly string[] = [...Object.keys(startEnv), 'NODE_COMPILE_CACHE'];
const environments: Readonly<Record<string, readonly string[]>> = {
  Containerfile: [...containerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  ),
  'turnpike.service': unitLines('Environment').map((pair) => pair.split('=')[0] ?? ''),
  'turnpike.env': [...textOf('turnpike.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name),
  'compose.yaml': namesAt(compose, 'services.gateway.environment'),
  'kubernetes.yaml': [
    ...namesAt(kind('ConfigMap'), 'data'),
    ...(at(container, 'env') as readonly Yaml[]).map((it) => String(at(it, 'name'))),
  ],
};

for (const [file, names] of Object.entries(environments)) {
  test(`${file} sets settings that exist, and secrets as files only`, () => {
    assert.ok(names.length >= 3, names.join());
    assert.deepEqual(
      names.filter((name) => !knownNames.has(name) && !RUNTIME_NAMES.includes(name)),
      [],
    );
    const open = secretPathNames.map((name) => name.replace(/_FILE$/, '')).filter((name) => name !== 'TLS_KEY');
    assert.deepEqual(
      names.filter((name) => open.includes(name)),
      [],
    );
  });
}

test('an image starts the gateway with the flags and variables of npm start', () => {
  const words = JSON.parse(
    /^ENTRYPOINT (\[[^\]]+\])/m.exec(containerfile.replaceAll('\\\n', ''))?.[1] ?? '[]',
  ) as readonly string[];
  assert.deepEqual(words.slice(1, -1), startFlags);
  for (const [name, value] of Object.entries(startEnv)) assert.ok(containerfile.includes(`${name}=${value}`), name);
});

test('ports agree everywhere', () => {
  const exposed = /^EXPOSE (.+)$/m.exec(containerfile)?.[1]?.split(' ');
  assert.deepEqual(exposed, ['8080', '8081']);
  const published = (at(compose, 'services.gateway.ports') as readonly string[]).map((port) => port.split(':'));
  assert.deepEqual(
    published.map(([address, , inner]) => [address, inner]),
    [
      ['127.0.0.1', '8080'],
      ['127.0.0.1', '8081'],
    ],
  );
  const data = at(kind('ConfigMap'), 'data') as Readonly<Record<string, string>>;
  const ports = (at(container, 'ports') as readonly Yaml[]).map((port) => at(port, 'containerPort'));
  assert.deepEqual(ports, [data.PORT, data.BACKOFFICE_PORT]);
  const names = (at(container, 'ports') as readonly Yaml[]).map((port) => at(port, 'name'));
  for (const service of kubernetes.filter((it) => at(it, 'kind') === 'Service'))
    assert.ok(names.includes(at(service, 'spec.ports.0.targetPort')));
});

test('probes ask paths that exist, and the health check is a file of the package', () => {
  const paths = new Set<string>(Object.values(endpoints).map(({ path }) => path));
  const probes: readonly (readonly [string, string])[] = [
    ['startupProbe', '/health/live'],
    ['livenessProbe', '/health/live'],
    ['readinessProbe', '/health/ready'],
  ];
  for (const [probe, path] of probes) {
    assert.equal(at(container, `${probe}.httpGet.path`), path);
    assert.ok(paths.has(path), path);
    assert.equal(at(container, `${probe}.httpGet.scheme`), 'HTTPS', 'live answers by TLS');
  }
  const [, script = ''] = /turnpike\/(scripts\/\w+\.mjs)"\]/.exec(containerfile) ?? [];
  assert.ok(existsSync(join(root, script)), script);
  const health = readFileSync(join(root, script), 'utf8');
  assert.match(health, /path: '\/health\/ready'/);
  assert.match(readFileSync(join(root, 'scripts/pack.ts'), 'utf8'), /\bhealth\b.*\.mjs/);
  for (const name of health.match(/const \{ ([\w, ]+) \} = process\.env/)?.[1]?.split(', ') ?? assert.fail())
    assert.ok(knownNames.has(name), name);
});

test('images have the version of this program', () => {
  assert.equal(at(compose, 'services.gateway.image'), `turnpike:${readVersion()}`);
  assert.equal(at(container, 'image'), `registry.example/turnpike:${readVersion()}`);
  const page = readFileSync(join(root, 'docs/installing.md'), 'utf8');
  const named = [...page.matchAll(/turnpike:\d[\w.-]+/g)].map(([image]) => image);
  assert.deepEqual([...new Set(named)], [`turnpike:${readVersion()}`]);
});

test('nothing runs as root, writes outside its folders or keeps capabilities', () => {
  assert.match(containerfile, /^USER 10001:10001$/m);
  assert.match(containerfile, /^FROM scratch$/m);
  assert.equal(at(compose, 'services.gateway.read_only'), 'true');
  assert.deepEqual(at(compose, 'services.gateway.cap_drop'), ['ALL']);
  assert.equal(at(pod, 'securityContext.runAsNonRoot'), 'true');
  assert.equal(at(pod, 'securityContext.runAsUser'), '10001');
  assert.equal(at(pod, 'automountServiceAccountToken'), 'false');
  assert.equal(at(container, 'securityContext.readOnlyRootFilesystem'), 'true');
  assert.equal(at(container, 'securityContext.allowPrivilegeEscalation'), 'false');
  assert.deepEqual(at(container, 'securityContext.capabilities.drop'), ['ALL']);
  for (const [name, value] of [
    ['DynamicUser', 'yes'],
    ['NoNewPrivileges', 'yes'],
    ['ProtectSystem', 'strict'],
    ['CapabilityBoundingSet', ''],
  ] as const)
    assert.deepEqual(unitLines(name), [value]);
});

test('files with secrets that are named are mounted, and no other user can read them', () => {
  const mounts = (at(container, 'volumeMounts') as readonly Yaml[]).map((it) => ({
    name: at(it, 'name'),
    path: String(at(it, 'mountPath')),
  }));
  const volumes = at(pod, 'volumes') as readonly Yaml[];
  const data = at(kind('ConfigMap'), 'data') as Readonly<Record<string, string>>;
  const named = secretPathNames.flatMap((name) => data[name] ?? []);
  assert.equal(named.length, 4);
  for (const path of named) {
    const mount = mounts.find((it) => path.startsWith(`${it.path}/`)) ?? assert.fail(path);
    const volume = volumes.find((it) => at(it, 'name') === mount.name);
    assert.equal(at(volume, 'secret.defaultMode'), '0440');
  }
  const given = namesAt(compose, 'secrets');
  for (const path of Object.values(at(compose, 'services.gateway.environment') as Readonly<Record<string, string>>))
    if (path.startsWith('/run/secrets/')) assert.ok(given.includes(path.slice('/run/secrets/'.length)), path);
  const credentials = unitLines('LoadCredential').map((line) => line.split(':')[0]);
  assert.deepEqual(
    unitLines('Environment').flatMap((pair) => /=%d\/(.+)$/.exec(pair)?.[1] ?? []),
    credentials,
  );
});

test('a node can be missing, and each gateway has time to end', () => {
  assert.equal(at(kind('PodDisruptionBudget'), 'spec.maxUnavailable'), '1');
  assert.deepEqual(at(kind('PodDisruptionBudget'), 'spec.selector'), at(kind('StatefulSet'), 'spec.selector'));
  assert.ok(Number(at(pod, 'terminationGracePeriodSeconds')) >= 15);
  assert.ok(Number.parseInt(String(at(compose, 'services.gateway.stop_grace_period')), 10) >= 15);
  assert.ok(Number(unitLines('TimeoutStopSec')[0]) >= 35, 'the supervisor kills after 30 s');
});

test('systemd accepts the unit and finds little exposure', (context) => {
  const file = join(root, 'deploy/turnpike.service');
  const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  if (verified.error) return context.skip('needs systemd-analyze');
  // A path of this machine may be missing: only what is said about the unit itself counts.
  const said = verified.stderr
    .split('\n')
    .filter((line) => line.includes('turnpike.service') && !/not executable|No such file/.test(line));
  assert.deepEqual(said, []);
  const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout.slice(-200));
});

test('control: the reader of YAML reads what it should, and refuses the rest', () => {
  const text = 'a: 1 # one\nb:\n  - c: "x # y"\n    d: [1, 2]\n  - e\nf: {}\n---\ng:\n  h: i:j\n';
  assert.deepEqual(readYaml(text), [{ a: '1', b: [{ c: 'x # y', d: [1, 2] }, 'e'], f: {} }, { g: { h: 'i:j' } }]);
  for (const bad of ['a: |\n  x\n', 'a: &b 1\n', 'a\n', 'a: 1\n   b: 2\n']) assert.throws(() => readYaml(bad), /is not read/);
});
