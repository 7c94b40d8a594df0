import type { LogOutput } from '../../telemetry/log.ts';

/** Lines leave together: a message for each would cost more than the line. */
const FLUSH_MS = 100;
const BUFFER_CHARACTERS = 4_096;

type OutputNeeds = { readonly post: (lines: string) => void; readonly sleep: (ms: number) => Promise<void> };

/** The log of a request thread: the main thread writes its lines, so that each stays whole. */
export function createThreadOutput({ post, sleep }: OutputNeeds): LogOutput & { flush(): void } {
  let waiting = '';
  const flush = () => {
    if (waiting !== '') post(waiting);
    waiting = '';
  };
  return {
    write(line) {
      if (waiting === '') void sleep(FLUSH_MS).then(flush);
      waiting += line;
      if (waiting.length >= BUFFER_CHARACTERS) flush();
    },
    flush,
  };
}
