import type { Envelope, FromFrame, ToFrame } from '../../protocol.ts';
import type { Surroundings } from '../contract.ts';
import { widgetError } from '../errors.ts';
import type { Life } from '../life.ts';

/** The way to one frame and back. */
export interface FrameLine {
  post(message: ToFrame): void;
}

/** By its random name `key`, which is in its address and around every message. Messages go to the gateway's origin only; what comes is believed from this very window, that origin and with this frame's key. */
export function createLine(
  around: Surroundings,
  life: Life,
  on: { iframe: HTMLIFrameElement; key: string; onMessage: (m: FromFrame) => void },
): FrameLine {
  const { iframe, key, onMessage } = on;
  const gateway = new URL(around.given.origin, around.document.baseURI).origin;
  life.listen(around.window, 'message', (event) => {
    const { source, origin, data } = event as MessageEvent<Partial<Envelope<FromFrame>> | null>;
    if (origin !== gateway || source === null || source !== iframe.contentWindow) return;
    if (data?.turnpike === 1 && data.key === key && typeof data.message?.is === 'string') onMessage(data.message);
  });
  return {
    post(message) {
      const envelope: Envelope<ToFrame> = { turnpike: 1, key, message };
      iframe.contentWindow?.postMessage(envelope, gateway);
    },
  };
}

export type Answer = Extract<FromFrame, { readonly turn: number }>;

/** Questions that wait for their answers. */
export interface Turns {
  ask(ms: number, send: (turn: number) => void): Promise<Answer>;
  answer(message: Answer): void;
}

/** A question without an answer in time is an error of its own. */
export function createTurns(life: Life): Turns {
  const open = new Map<number, (answer: Answer) => void>();
  let last = 0;
  return {
    ask: (ms, send) =>
      new Promise((resolve, reject) => {
        last += 1;
        const turn = last;
        const silent = (): void => reject(widgetError('PciIframeCommunicationError', 'A field of the form does not answer'));
        const calm = life.after(ms, silent);
        open.set(turn, (answer) => {
          calm();
          resolve(answer);
        });
        send(turn);
      }),
    answer(message) {
      open.get(message.turn)?.(message);
      open.delete(message.turn);
    },
  };
}
