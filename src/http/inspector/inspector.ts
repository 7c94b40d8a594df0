import type { CallBatch, CallStore } from '../../developer/ports.ts';
import type { Directory } from '../../merchants/directory.ts';
import { type Clock, MINUTE_MS } from '../../spec/time.ts';
import type { Request } from '../request.ts';
import type { TrustedProxies } from '../transport/clientAddress.ts';
import { type Reply, unnamed } from '../transport/reply.ts';
import { createRecorder, isInspected, lengthOf, packMasked, type RawCall, rawCallOf } from './maskCall.ts';

/**
 * How much waits in memory, and how many calls a minute are recorded: more are never read, and a load test should measure the gateway
 * without the recorder.
 */
const bounds: Bounds = { calls: 5_000, characters: 33_554_432, perMinute: 6_000 };

type Bounds = { readonly calls: number; readonly characters: number; readonly perMinute: number };

/** Masks the calls of a recorder's piece and packs them into batches; rejects when that is not possible. */
export type PackCalls = (piece: Uint8Array<ArrayBuffer>) => Promise<readonly CallBatch[]>;

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

const shareOf = ({ calls, characters, perMinute }: Bounds, threads: number): Bounds => ({
  calls: Math.ceil(calls / threads),
  characters: Math.ceil(characters / threads),
  perMinute: Math.ceil(perMinute / threads),
});

/** Records the requests of merchants and their replies. A payment never waits for it. */
export interface Inspector {
  /** Runs the call and records it. The reply of a rerun carries the id of its record, unless it was not recorded. */
  watch(request: Request, answer: () => Promise<Reply>): Promise<Reply>;
  /** Writes the recorded calls to the store. */
  flush(): Promise<void>;
  /** Deletes calls that are too old or too many. */
  forget(): Promise<void>;
}

/** The recorded reply of a call that threw; the router makes the real one. */
const failed: Reply = { status: 500, headers: [], body: '', ...unnamed };

/**
 * Calls that are recorded and not masked yet, in memory only; bounded, so that a slow store costs calls and never memory. Calls of
 * checkouts wait for their owners, who are looked for when the calls are written.
 */
function createBuffer({ calls, characters }: Bounds, needs: Pick<InspectorNeeds, 'directory' | 'ownerOf'>) {
  const recorder = createRecorder();
  let unowned: RawCall[] = [];
  let [unownedLength, dropped] = [0, 0];
  const addOwned = (call: RawCall, entityId: string): boolean => {
    const entity = needs.directory.entity(entityId);
    if (entity === null) return false;
    recorder.add({ ...call, entityId: entity.id, merchantId: entity.merchantId ?? entity.id });
    return true;
  };
  return {
    isFull: () => recorder.calls() + unowned.length >= calls || recorder.bytes() + unownedLength >= characters,
    drop: () => {
      dropped += 1;
    },
    /** False: the call has no owner who could see it. */
    add(call: RawCall): boolean {
      if (call.entityId !== null) return addOwned(call, call.entityId);
      if (call.checkoutId === null) return false;
      // With bytes of its own: a view would keep the memory of other requests.
      unowned.push({ ...call, form: new Uint8Array(call.form) });
      unownedLength += lengthOf(call);
      return true;
    },
    async take(): Promise<readonly Uint8Array<ArrayBuffer>[]> {
      const waiting = unowned;
      [unowned, unownedLength] = [[], 0];
      for (const call of waiting) {
        const owner = call.checkoutId === null ? null : await needs.ownerOf(call.checkoutId);
        if (owner) addOwned(call, owner.entityId);
      }
      return recorder.take();
    },
    takeDropped(): number {
      const count = dropped;
      dropped = 0;
      return count;
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
  const { store, clock, ids, trust, log, pack = async (piece) => packMasked(piece) } = needs;
  const most = shareOf(needs.bounds ?? bounds, needs.threads ?? 1);
  const buffer = createBuffer(most, needs);
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
      const isKept = buffer.add(rawCallOf({ id, at: now, ms: performance.now() - startedAt, request, reply, trust }));
      return isKept ? id : null;
    } catch {
      // A call that cannot be recorded must not fail.
      buffer.drop();
      return null;
    }
  }

  async function write(): Promise<void> {
    const dropped = buffer.takeDropped();
    if (dropped > 0) log.warn({ dropped }, 'calls were not kept for the inspector: there were too many at once');
    for (const piece of await buffer.take()) {
      const batches = await pack(piece);
      await store.saveCalls(batches);
      for (const { merchantId } of batches) written.add(merchantId);
    }
  }

  return {
    async watch(request, answer) {
      if (!isInspected(request.endpoint)) return answer();
      const startedAt = performance.now();
      const reply = await answer().catch((error: unknown) => {
        record(request, failed, startedAt);
        throw error;
      });
      const callId = record(request, reply, startedAt);
      return request.actsFor && callId !== null ? { ...reply, callId } : reply;
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
