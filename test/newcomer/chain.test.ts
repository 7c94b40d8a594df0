import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sized } from '../long.ts';
import { type Checkout, installed, makeCheckout, type Ran } from './checkout.ts';

/**
 * `npm start` is a chain of processes: npm, perhaps a shell, scripts/run.mjs, the gateway. Whichever of them ends, by SIGTERM or SIGKILL and at
 * whatever moment, nothing of the chain is left. The gateway itself is started again.
 */

const linux = { timeout: 300_000, ...(process.platform === 'linux' ? {} : { skip: 'finds processes in /proc' }) };

const parentOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);

/** The chain from the first process down to the gateway. */
function linksOf(checkout: Checkout): readonly number[] {
  const [, gateway] = /^gateway (\d+)$/m.exec(checkout.log().join('\n')) ?? [];
  const links = [Number(gateway)];
  const all = checkout.alive();
  for (let pid = parentOf(Number(gateway)); all.includes(pid); pid = parentOf(pid)) links.unshift(pid);
  return links;
}

async function inCheckout(run: (checkout: Checkout) => Promise<void>): Promise<void> {
  const checkout = installed(makeCheckout());
  try {
    await run(checkout);
  } finally {
    await checkout.remove();
  }
}

async function ready(
  checkout: Checkout,
  words: readonly string[],
): Promise<{ readonly ran: Ran; readonly links: readonly number[] }> {
  const ran = checkout.npm(words);
  await checkout.waitFor(/^gateway/m, ran);
  return { ran, links: linksOf(checkout) };
}

test('whichever process of npm start is ended, by whichever signal, nothing is left', linux, () =>
  inCheckout(async (counted) => {
    const { ran, links } = await ready(counted, ['npm', 'start']);
    assert.ok(links.length >= 3 && links[0] === ran.child.pid, `npm, run.mjs and the gateway: ${links.join()}`);
    const kills = links.slice(0, -1).flatMap((_, link) => (['SIGTERM', 'SIGKILL'] as const).map((signal) => ({ link, signal })));
    await Promise.all(
      kills.map(({ link, signal }) =>
        inCheckout(async (checkout) => {
          const { links } = await ready(checkout, ['npm', 'start']);
          process.kill(links[link] ?? assert.fail('the chain is shorter'), signal);
          await checkout.gone();
        }),
      ),
    );
    process.kill(links[0] ?? 0, 'SIGKILL');
    await counted.gone();
  }),
);

test('timeout signals the first process and its group together: nothing is left', linux, () =>
  inCheckout(async (checkout) => {
    const { ran } = await ready(checkout, ['timeout', '600', 'npm', 'start']);
    ran.child.kill('SIGTERM');
    await checkout.gone();
  }),
);

test('control: a gateway that does not look at its supervisor stays when that is killed', linux, () =>
  inCheckout(async (checkout) => {
    const { links } = await ready(checkout, ['env', 'DEAF=yes', 'npm', 'start']);
    process.kill(links.at(-2) ?? 0, 'SIGKILL');
    await pause(1_000);
    assert.ok(checkout.alive().includes(links.at(-1) ?? 0));
  }),
);

/** Also before run.mjs has read a line, while the server is built, and between the two. */
const MOMENTS = sized({ quick: 3, assure: 40, reliability: 200 });
const SPAN_MS = 2_000;

test('npm is killed at any moment of a start: nothing is left', linux, async () => {
  for (let moment = 0; moment < MOMENTS; moment += 1)
    await inCheckout(async (checkout) => {
      const { child } = checkout.npm(['npm', 'start'], { BUILD_MS: String(SPAN_MS / 4) });
      await pause(((moment + 0.5) * SPAN_MS) / MOMENTS);
      child.kill(moment % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await checkout.gone();
    });
});
