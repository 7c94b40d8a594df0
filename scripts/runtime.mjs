// Which Node runs the gateway of a package. Plain JavaScript for any Node from 20 on.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const binary = join('bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The oldest Node that runs the gateway itself. */
const NODE_MIN = 26;

/** The runtime that was installed beside a package. Where there is none, as with `--omit=optional`, the Node of this process must do. */
export function findRuntime(root) {
  const manifest = join(root, 'package.json');
  const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const name = Object.keys(optionalDependencies).find((its) => its.endsWith(`-${platform}`));
  const found = name && hasLoader() ? placeOf(manifest, `${name}/package.json`) : null;
  if (found) return { path: join(dirname(found), binary), missing: '' };
  if (Number(process.versions.node.split('.')[0]) >= NODE_MIN) return { path: process.execPath, missing: '' };
  const advice = name && hasLoader() ? `; install ${name}@${optionalDependencies[name]} beside it, or use a newer Node` : '';
  return { path: '', missing: `Turnpike needs Node ${NODE_MIN} or newer here; this is ${process.versions.node}${advice}.` };
}

function placeOf(from, file) {
  try {
    return createRequire(from).resolve(file);
  } catch {
    return null;
  }
}

/** The packages with the runtime for Linux need glibc. */
function hasLoader() {
  const loaders = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };
  return process.platform !== 'linux' || existsSync(loaders[process.arch] ?? '');
}
