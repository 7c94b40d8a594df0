import type { CallBatch, CallStore } from '../../developer/ports.ts';
import type { Directory } from '../../merchants/directory.ts';
import { type Clock, MINUTE_MS } from '../../spec/time.ts';
import type { TrustedProxies } from '../server/clientAddress.ts';
import { type Reply, unnamed } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import { packMasked } from './maskCall.ts';
import { isInspected, lengthOf, type OwnedCall, type RawCall, rawCallOf } from './rawCall.ts';

/**
 * How much waits in memory, how much is written at once, and how many calls a minute are recorded: more are never read, and a
 * load test should measure the gateway without the recorder.
 */
const bounds: Bounds = { calls: 5_000, characters: 33_554_432, atOnce: 250, perMinute: 6_000 };

type Bounds = { readonly calls: number; readonly characters: number; readonly atOnce: number; readonly perMinute: number };

/** Masks calls and packs them into batches; rejects when that is not possible. */
export type PackCalls = (calls: readonly OwnedCall[]) => Promise<readonly CallBatch[]> | readonly CallBatch[];

export type InspectorNeeds = {
  readonly store: CallStore;
  readonly directory: Pick<Directory, 'entity'>;
  /** The entity of a checkout. */
  readonly ownerOf: (checkoutId: string) => Promise<{ readonly entityId: string } | null>;
  readonly clock: Clock;
  readonly ids: { next(): string };
  readonly trust: TrustedProxies;
  readonly log: { warn(about: object, message: string): void };
  /** Masks and packs calls, in another thread. Default: in this one. */
  readonly pack?: PackCalls;
  /** How long calls are kept, and how many of each merchant. */
  readonly keepMs: number;
  readonly keepMax: number;
  readonly bounds?: Bounds;
  /** The threads of the process that have an inspector: they share the bounds. */
  readonly threads?: number;
};

const shareOf = ({ calls, characters, atOnce, perMinute }: Bounds, threads: number): Bounds => ({
  calls: Math.ceil(calls / threads),
  characters: Math.ceil(characters / threads),
  atOnce,
  perMinute: Math.ceil(perMinute / threads),
});

/** Records the requests of merchants and their replies. A payment never waits for it. */
export interface Inspector {
  /** Runs the call and records it. The reply of a rerun carries the id of its record, unless it was not recorded. */
  watch(request: Request, answer: () => Reply | Promise<Reply>): Reply | Promise<Reply>;
  /** Writes the recorded calls to the store. */
  flush(): Promise<void>;
  /** Deletes calls that are too old or too many. */
  forget(): Promise<void>;
}

/** The recorded reply of a call that threw; the router makes the real one. */
const failed: Reply = { status: 500, headers: [], body: '', ...unnamed };

/** Calls that are recorded and not masked yet, in memory only; bounded, so that a slow store costs calls and never memory. */
function createBuffer({ calls, characters }: Bounds) {
  let waiting: RawCall[] = [];
  let [length, dropped] = [0, 0];
  return {
    isFull: () => waiting.length >= calls || length >= characters,
    drop: () => {
      dropped += 1;
    },
    add(recorded: RawCall): void {
      waiting.push(recorded);
      length += lengthOf(recorded);
    },
    take() {
      const taken = { recorded: waiting, dropped };
      [waiting, length, dropped] = [[], 0, 0];
      return taken;
    },
  };
}

/** Lets so many pass in each minute. */
function createPace(perMinute: number) {
  let [minute, passed] = [0, 0];
  return (now: number): boolean => {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) [minute, passed] = [current, 0];
    passed += 1;
    return passed <= perMinute;
  };
}

/** Calls are kept in memory as they came; a job has them masked and writes them: a payment waits for nothing of it. */
export function createInspector(needs: InspectorNeeds): Inspector {
  const { store, clock, ids, trust, log, pack = packMasked } = needs;
  const most = shareOf(needs.bounds ?? bounds, needs.threads ?? 1);
  const buffer = createBuffer(most);
  const isInPace = createPace(most.perMinute);
  const written = new Set<string>();
  let last: Promise<void> = Promise.resolve();

  /** Returns the id of the record; null when the call was not recorded. */
  function record(request: Request, reply: Reply, startedAt: number): string | null {
    const now = clock.now();
    if (buffer.isFull() || !isInPace(now)) {
      buffer.drop();
      return null;
    }
    try {
      const id = ids.next();
      buffer.add(rawCallOf({ id, at: now, ms: performance.now() - startedAt, request, reply, trust }));
      return id;
    } catch {
      // A call that cannot be recorded must not fail.
      buffer.drop();
      return null;
    }
  }

  async function write(): Promise<void> {
    const { recorded, dropped } = buffer.take();
    if (dropped > 0) log.warn({ dropped }, 'calls were not kept for the inspector: there were too many at once');
    for (let at = 0; at < recorded.length; at += most.atOnce) {
      const known = await ownedCalls(needs, recorded.slice(at, at + most.atOnce));
      if (known.length === 0) continue;
      const batches = await pack(known);
      await store.saveCalls(batches);
      for (const { merchantId } of batches) written.add(merchantId);
    }
  }

  return {
    watch(request, answer) {
      if (!isInspected(request.endpoint)) return answer();
      const startedAt = performance.now();
      const done = (reply: Reply): Reply => {
        const callId = record(request, reply, startedAt);
        return request.actsFor && callId !== null ? { ...reply, callId } : reply;
      };
      const fail = (error: unknown): never => {
        record(request, failed, startedAt);
        throw error;
      };
      try {
        const reply = answer();
        return reply instanceof Promise ? reply.then(done, fail) : done(reply);
      } catch (error) {
        return fail(error);
      }
    },
    flush: () => {
      last = last.catch(() => {}).then(write);
      return last;
    },
    async forget() {
      await store.deleteCalls(clock.now() - needs.keepMs);
      for (const merchantId of written) await store.trimCalls(merchantId, needs.keepMax);
      written.clear();
    },
  };
}

/** The calls with their owners. A call without a known owner is dropped. */
async function ownedCalls({ directory, ownerOf }: InspectorNeeds, calls: readonly RawCall[]): Promise<readonly OwnedCall[]> {
  const known: OwnedCall[] = [];
  for (const call of calls) {
    const ofCheckout = call.entityId === null && call.checkoutId !== null ? await ownerOf(call.checkoutId) : null;
    const entityId = call.entityId ?? ofCheckout?.entityId ?? null;
    const entity = entityId === null ? null : directory.entity(entityId);
    if (entity) known.push({ ...call, entityId: entity.id, merchantId: entity.merchantId ?? entity.id });
  }
  return known;
}
