import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Whether a program that uses `turnpike/testing` ends when its work is done, although it never closes its gateway. */

/** Servers and clients keep a connection for four to sixty seconds: a program that waits for one of them takes longer than this. */
export const END_MS_MAX = 2_500;
const LAST_LINE = 'done';

/** A program that starts a gateway, pays, sees the webhook, and says when it has nothing left to do. */
export const payingProgram = (library: string, { isShared = false }: { readonly isShared?: boolean }): string => `
import { startTurnpike, testCard } from ${JSON.stringify(`${library}/main.ts`)};
import setup from ${JSON.stringify(`${library}/setup.ts`)};
if (${isShared}) await setup();
const { client, webhooks } = await startTurnpike();
const payment = await client.createPayment({ paymentType: 'DB', amount: '92.00', currency: 'EUR', ...testCard('VISA') });
await webhooks.waitFor({ id: payment.id });
console.log(payment.result.code, webhooks.all().length, 'webhook');
console.log('${LAST_LINE}');
`;

/** Runs a module. Returns what it printed, and the time from its last line to its end; null: it had not ended in time. */
export async function endsByItself(module: string): Promise<{ readonly ms: number | null; readonly output: string }> {
  const words = ['--input-type=module', '--eval', module];
  // Its standard input stays open, as a runner leaves it.
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let output = '';
  const { promise: isDone, resolve } = Promise.withResolvers<number>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes(`${LAST_LINE}\n`)) resolve(performance.now());
  });
  const doneAt = await Promise.race([isDone, exit.then(() => null)]);
  if (doneAt === null) return { ms: null, output };
  const endedAt = await Promise.race([exit.then(() => performance.now()), pause(END_MS_MAX, null, { ref: false })]);
  if (endedAt !== null) return { ms: endedAt - doneAt, output };
  child.kill('SIGKILL');
  await exit;
  return { ms: null, output };
}
