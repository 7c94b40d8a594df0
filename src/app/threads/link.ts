import { MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { CutOff } from '../../http/transport/body.ts';
import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import { createSlots } from '../../runtime/slots.ts';

/** The calls that one thread answers: a function for each name, with plain data as its argument and its result. */
export type Calls = { readonly [name: string]: (about: never) => unknown };

type About<Called extends Calls, Name extends keyof Called> = Parameters<Called[Name]>[0];
type Answer<Called extends Calls, Name extends keyof Called> = Awaited<ReturnType<Called[Name]>>;

/** One thread's end of the connection to another. Messages arrive in the order in which they were sent. */
export interface Link<Theirs extends Calls> {
  ask<Name extends keyof Theirs & string>(name: Name, about: About<Theirs, Name>): Promise<Answer<Theirs, Name>>;
  /** Sends a call without an answer. The other thread handles it before all later messages of this one. */
  post<Name extends keyof Theirs & string>(name: Name, about: About<Theirs, Name>): void;
  /** Like `post`, but together with all that is told before the next promise goes on: it has left when whoever awaits the caller does. */
  postSoon<Name extends keyof Theirs & string>(name: Name, about: About<Theirs, Name>): void;
  /** Offers pieces to the other thread, which takes them one by one with `pieces`. */
  offer(pieces: AsyncIterable<Uint8Array>): number;
  /** The other thread has not taken them to their end, and will not. */
  withdraw(stream: number): void;
  pieces(stream: number): AsyncGenerator<Uint8Array>;
  /** Handles the calls that were posted by now, without waiting for the next tick. Calls with an answer keep their order. */
  drain(): void;
  close(): void;
}

type Trouble = { readonly kind: string; readonly why: string; readonly code: string };
type Message =
  | { readonly is: 'call'; readonly id: number | null; readonly name: string; readonly about: unknown }
  | { readonly is: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly is: 'failure'; readonly id: number; readonly trouble: Trouble };

/** Errors that callers tell apart keep their class. */
const classes: Readonly<Record<string, (why: string, code: string) => Error>> = {
  UnknownOutcome: (why, code) => new UnknownOutcome(why, code),
  StoreOutOfOrder: (why, code) => new StoreOutOfOrder(why, code),
  BrokenCommit: (why, code) => new BrokenCommit(why, code),
  CutOff: (why) => new CutOff(why),
};

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Error)) return { kind: 'Error', why: String(error), code: '' };
  const code = error instanceof BrokenCommit ? error.constraint : (error as { readonly code?: string }).code;
  return { kind: error.name, why: error.message, code: code ?? '' };
}

const errorOf = ({ kind, why, code }: Trouble): Error => classes[kind]?.(why, code) ?? Object.assign(new Error(why), { code });

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };
type Next = { readonly isDone: boolean; readonly piece: Uint8Array | null };

const PULL = 'pull a piece';
const END = 'end a stream';

/** The streams that this thread offers. */
function createStreams() {
  const offered = new Map<number, AsyncIterator<Uint8Array>>();
  let last = 0;
  return {
    offer(pieces: AsyncIterable<Uint8Array>): number {
      last += 1;
      offered.set(last, pieces[Symbol.asyncIterator]());
      return last;
    },
    calls: {
      async [PULL](stream: number): Promise<Next> {
        const { done = false, value } = (await offered.get(stream)?.next()) ?? { done: true, value: null };
        if (done) offered.delete(stream);
        // A view would take its whole memory along.
        return { isDone: done, piece: done || value === null ? null : new Uint8Array(value) };
      },
      async [END](stream: number): Promise<void> {
        const iterator = offered.get(stream);
        offered.delete(stream);
        await iterator?.return?.();
      },
    },
  };
}

type Call = Extract<Message, { is: 'call' }>;

/** Sends messages of one tick of the event loop together: each alone would wake the other thread. Their order stays. */
function createSender(port: MessagePort, refuse: (call: number, trouble: Trouble) => void) {
  let waiting: Message[] = [];
  /** Something in it cannot cross to another thread: its caller learns so. */
  const sendAlone = (message: Message) => {
    try {
      port.postMessage([message]);
    } catch (error) {
      const { is, id } = message;
      if (is === 'call' && id !== null) refuse(id, troubleOf(error));
      else if (is === 'answer') port.postMessage([{ is: 'failure', id, trouble: troubleOf(error) } satisfies Message]);
    }
  };
  const flush = () => {
    if (waiting.length === 0) return;
    const leaving = waiting;
    waiting = [];
    try {
      port.postMessage(leaving);
    } catch {
      for (const message of leaving) sendAlone(message);
    }
  };
  let isLeaving = false;
  const leave = () => {
    isLeaving = false;
    flush();
  };
  return {
    /** With the others of this turn. */
    send(message: Message): void {
      if (waiting.push(message) === 1) setImmediate(flush);
    },
    /** With all that is sent before the next promise goes on. */
    sendSoon(message: Message): void {
      waiting.push(message);
      if (isLeaving) return;
      isLeaving = true;
      queueMicrotask(leave);
    },
    /** Immediately, after the messages that wait. */
    sendNow(message: Message, moved: readonly MessagePort[] = []): void {
      flush();
      port.postMessage([message], [...moved]);
    },
    flush,
  };
}

type Sender = ReturnType<typeof createSender>;

/** Answers what the other thread asks. */
function createAnswerer({ send, sendNow }: Sender, calls: Calls): (call: Call) => void {
  const sendAnswer = (id: number | null, value: unknown) => {
    if (id === null) return;
    const message = { is: 'answer', id, value } satisfies Message;
    // A port cannot be copied.
    if (value instanceof MessagePort) sendNow(message, [value]);
    else send(message);
  };
  const fail = (id: number | null, error: unknown) => {
    // A posted call has no caller to reject, and its failure must not go unseen.
    if (id === null) throw error;
    send({ is: 'failure', id, trouble: troubleOf(error) });
  };
  const answer = async ({ id, name, about }: Call): Promise<void> => {
    try {
      const call = calls[name];
      if (!call) throw new Error(`this thread has no answer to ${name}`);
      // A call that returns immediately has done its work before the next message is handled.
      sendAnswer(id, await call(about as never));
    } catch (error) {
      fail(id, error);
    }
  };
  return (call) => void answer(call);
}

/** The calls of this thread that are not answered yet. */
function createQuestions({ send }: Sender) {
  const waiting = createSlots<Waiting>();
  return {
    ask: <Value>(name: string, about: unknown): Promise<Value> =>
      new Promise((resolve, reject) => {
        send({ is: 'call', id: waiting.add({ resolve, reject }), name, about });
      }),
    settle(message: Exclude<Message, Call>): void {
      const asked = waiting.take(message.id);
      if (message.is === 'answer') asked?.resolve(message.value as never);
      else asked?.reject(errorOf(message.trouble));
    },
    giveUp(): void {
      for (const { reject } of waiting.takeAll()) reject(new UnknownOutcome('the other thread has ended'));
    },
  };
}

/** The end of the connection by this port. `ours` answers the other thread. */
export function createLink<Theirs extends Calls>(port: MessagePort, ours: Calls): Link<Theirs> {
  const streams = createStreams();
  const sender = createSender(port, (id, trouble) => settle({ is: 'failure', id, trouble }));
  const answer = createAnswerer(sender, { ...ours, ...streams.calls });
  const { ask, settle, giveUp } = createQuestions(sender);
  const handle = (message: Message): void => (message.is === 'call' ? answer(message) : settle(message));
  port.on('message', (messages: readonly Message[]) => {
    for (const message of messages) handle(message);
  });
  port.once('close', giveUp);
  return {
    ask: (name, about) => ask(name, about),
    post: (name, about) => sender.sendNow({ is: 'call', id: null, name, about }),
    postSoon: (name, about) => sender.sendSoon({ is: 'call', id: null, name, about }),
    offer: streams.offer,
    withdraw: (stream) => void streams.calls[END](stream),
    async *pieces(stream) {
      try {
        for (;;) {
          const { isDone, piece } = await ask<Next>(PULL, stream);
          if (isDone || piece === null) return;
          yield piece;
        }
      } finally {
        await ask(END, stream);
      }
    },
    drain() {
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        for (const message of next.message as readonly Message[]) {
          if (message.is === 'call' && message.id !== null) setImmediate(handle, message);
          else handle(message);
        }
      }
    },
    close: () => {
      sender.flush();
      port.close();
    },
  };
}
