import { existsSync } from 'node:fs';
import { isMainThread, threadName } from 'node:worker_threads';

/** Loaded before the gateway: a further request thread throws, from a timer, as soon as the file is there that DYING_THREAD names. */
const file = process.env.DYING_THREAD ?? '';
if (!isMainThread && threadName === 'requests') {
  setInterval(() => {
    if (existsSync(file)) throw new Error('the planted error of a request thread');
  }, 20).unref();
}
