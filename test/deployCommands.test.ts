import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Config, configOf } from '../src/config/config.ts';
import { type Machine, thisMachine } from '../src/config/machine.ts';
import { withParameter } from '../src/store/postgres/address.ts';
import { selfSigned } from './http/certificate.ts';
import { readYaml, type Yaml } from './yaml.ts';

/** The commands that make settings and secrets for deploy/, run as they stand there; the gateway accepts what they make. */

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-deploy-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Runs lines of a shell in a folder with a copy of deploy/. */
function shell(name: string, lines: readonly string[]): string {
  const place = join(folder, name);
  mkdirSync(place);
  cpSync(join(root, 'deploy'), join(place, 'deploy'), { recursive: true });
  execFileSync('/bin/sh', ['-ec', lines.join('\n')], { cwd: place });
  return place;
}

/** The machine of a container: its paths are elsewhere here. */
const machineAt = (move: (path: string) => string): Machine => ({
  ...thisMachine,
  uid: 10_001,
  readText: (path) => thisMachine.readText(move(path)),
  modeOf: (path) => thisMachine.modeOf(move(path)),
});

function accepted(env: Readonly<Record<string, string>>, machine: Machine): Config {
  const config = configOf(env, machine);
  if ('length' in config) return assert.fail(config.join('\n'));
  return config;
}

const commentedCommands = (text: string): readonly string[] =>
  [...text.matchAll(/^# {3}(.+)$/gm)].map(([, line = '']) => line).filter((line) => !/^(?:podman|kubectl) /.test(line));

test('compose.yaml: its commands make the secrets, and the gateway accepts them', () => {
  const text = textOf('deploy/compose.yaml');
  const [pack, ...commands] = commentedCommands(text);
  assert.deepEqual([pack, commands.length], ['npm run pack', 4], 'the image is built from dist, which the pack makes');
  const place = shell('compose', commands);
  const [compose] = readYaml(text) as readonly {
    readonly services: { readonly gateway: { readonly environment: Record<string, string> } };
  }[];
  const move = (path: string) => path.replace('/run/secrets/', join(place, 'secrets/'));
  const config = accepted(compose?.services.gateway.environment ?? {}, machineAt(move));
  const password = readFileSync(join(place, 'secrets/database.password'), 'utf8').trim();
  const url = `postgres://turnpike:${password}@database:5432/turnpike`;
  assert.equal(config.databaseUrl, withParameter(url, 'urlfile', '/run/secrets/database.url'));
  assert.equal(config.masterKey?.length, 32);
});

test('the unit: the commands of the page make its settings, and live accepts them', () => {
  const [, section = ''] = /^## systemd unit\n([\s\S]*?)^## /m.exec(textOf('docs/installing.md')) ?? [];
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
  const lines = blocks.join('\n').split('\n');
  const isRun = (line: string) => !/^(?:npm|systemctl) /.test(line);
  assert.deepEqual([lines.length, lines.filter(isRun).length], [7, 5]);
  const etc = join(folder, 'etc');
  const place = shell('unit', [
    `mkdir -p ${etc}/systemd/system`,
    ...lines.filter(isRun).map((line) => line.replaceAll('/etc/', `${etc}/`)),
  ]);
  assert.ok(place !== '' && statSync(join(etc, 'systemd/system/turnpike.service')).isFile());
  const pairs = (text: string) =>
    [...text.matchAll(/^(?:Environment=)?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  const unit = [...textOf('deploy/turnpike.service').matchAll(/^Environment=.+$/gm)].map(([line]) => line).join('\n');
  const env = Object.fromEntries([...pairs(readFileSync(join(etc, 'turnpike/turnpike.env'), 'utf8')), ...pairs(unit)]);
  // systemd hands over copies of credentials that only the service can read.
  const credentials: Machine = { ...machineAt((path) => path.replace('%d', join(etc, 'turnpike'))), modeOf: () => 0o100400 };
  const config = accepted(env, credentials);
  assert.equal(config.environment, 'live');
  assert.ok(config.operatorHash && config.masterKey);
});

test('kubernetes.yaml: live accepts its settings with secrets of the mode that it gives them', () => {
  const documents = readYaml(textOf('deploy/kubernetes.yaml')) as readonly Record<string, Yaml>[];
  const data = documents.find(({ kind }) => kind === 'ConfigMap')?.data as Record<string, string>;
  const { cert, key } = selfSigned();
  const place = join(folder, 'kubernetes');
  mkdirSync(place);
  const files = {
    'tls.crt': cert,
    'tls.key': key,
    'master.key': 'ab'.repeat(32),
    'admin.token': 'operator-of-this-gateway.0123456789=',
    'database.url': 'postgres://gateway:hidden@db.internal/turnpike',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text, { mode: 0o440 });
  const machine = machineAt((path) => path.replace(/^\/secrets\/(?:tls|turnpike)\//, `${place}/`));
  const config = accepted({ ...data, NODE_NAME: 'turnpike-0' }, machine);
  assert.deepEqual(
    [config.environment, config.databaseUrl, config.nodeName],
    ['live', withParameter(files['database.url'], 'urlfile', '/secrets/turnpike/database.url'), 'turnpike-0'],
  );
  const open = { ...machine, modeOf: () => 0o100644 };
  assert.equal((configOf(data, open) as readonly string[]).length, 4, 'the default mode of Kubernetes is refused');
});
