import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { card, isApproved, pay, type Reply, read } from './client.ts';
import { createGateway, temporaryFolder } from './gatewayProcess.ts';

/** The writer thread syncs once for each group of commits. The 20th to the 39th sync fail. */
const words = ['-D', '-f', '-qq', '-o', '/dev/null', '-e', 'inject=fsync,fdatasync:error=EIO:when=20..39'];

/** Why no system call can be made to fail here, or false when it can. */
function obstacle(): string | false {
  if (process.platform !== 'linux') return 'needs Linux';
  const { status, error, stderr } = spawnSync('strace', [...words, 'true'], { encoding: 'utf8' });
  return status === 0 ? false : `strace cannot be used: ${error?.message ?? stderr.trim()}`;
}

const ORDERS = 150;

const order = (at: number) => ({
  fields: { paymentType: 'DB', amount: `${1 + at}.00`, currency: 'EUR', ...card },
  key: at % 2 === 0 ? `fsync-${at}` : null,
});

test('a disk that cannot sync: no payment is acknowledged, and none is made twice', {
  skip: obstacle(),
  timeout: 90_000,
}, async (t) => {
  const dataDir = temporaryFolder();
  const sick = await createGateway({ dataDir, through: ['strace', ...words] });
  t.after(() => sick.kill());
  await sick.start();
  const replies: Reply[] = [];
  for (let at = 0; at < ORDERS; at += 1) replies.push(await pay(sick.url, order(at)));
  const refused = replies.filter((reply) => !isApproved(reply));
  assert.ok(refused.length > 0, 'no sync failed');
  for (const { status, body, text } of refused) {
    assert.equal(status, 503, text);
    assert.ok(body?.result?.code && body.id === undefined, text);
  }
  assert.ok(replies.slice(-10).every(isApproved), `payments are still refused: ${replies.at(-1)?.text}`);
  await sick.kill();
  const healed = await createGateway({ dataDir });
  t.after(() => healed.kill());
  await healed.start();
  const ids = new Set<string>();
  for (const [at, { body }] of replies.entries()) {
    // Refused operations are sent again with their keys. One may have been stored despite the refusal, but never twice.
    const now = body?.id ? await read(healed.url, body.id) : await pay(healed.url, order(at));
    assert.ok(isApproved(now), `${at}: ${now.text}`);
    assert.equal(now.body?.amount, order(at).fields.amount);
    if (body?.id) assert.equal(now.body?.id, body.id);
    if (order(at).key) assert.equal((await pay(healed.url, order(at))).body?.id, now.body?.id);
    ids.add(now.body?.id ?? '');
  }
  assert.equal(ids.size, ORDERS);
  t.diagnostic(
    `${ORDERS} payments on a disk that failed 20 syncs: ${ORDERS - refused.length} acknowledged, 0 lost, ${refused.length} refused`,
  );
});
