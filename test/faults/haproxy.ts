import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Balancer } from '../balancer.ts';
import { findProgram } from '../debian.ts';
import { freePort } from '../freePort.ts';
import { temporaryFolder } from './gatewayProcess.ts';

/** As docs/scale.md recommends; without its retries, so that none can hide a failure. `rules`: further lines about requests and replies. */
export async function startHaproxy(nodes: readonly string[], rules: readonly string[] = []): Promise<Balancer> {
  const port = await freePort();
  const path = join(temporaryFolder(), 'haproxy.cfg');
  const servers = nodes.map((url, at) => `  server node${at + 1} ${new URL(url).host}`);
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 65s',
    '  timeout server 65s',
    // Without it a check of a busy node may take no longer than the interval.
    '  timeout check 10s',
    '  retries 0',
    'listen turnpike',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  option httpchk GET /health/ready',
    '  default-server check inter 200ms fall 1 rise 1',
    ...rules.map((rule) => `  ${rule}`),
    ...servers,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  const child = spawn(findProgram('haproxy') ?? '', ['-db', '-f', path], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
