import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '../postgres.ts';
import type { TcpProxy } from '../tcpProxy.ts';
import type { GatewayProcess } from './gatewayProcess.ts';
import type { MovedClock } from './movedClock.ts';

/** A node, its way to the database, and its clock. */
export type ChaosNode = { readonly gateway: GatewayProcess; readonly toDatabase: TcpProxy; readonly clock: MovedClock };

export type ChaosWorld = {
  readonly nodes: readonly ChaosNode[];
  readonly toReceiver: TcpProxy;
  readonly server: PostgresServer;
  readonly chance: () => number;
};

/** Something goes wrong, for a while; resolves when it is over. */
export type Fault = (world: ChaosWorld, node: ChaosNode) => Promise<void>;

/** Longer than a claim of the sweeper, of a delivery or of a schedule: other nodes have taken over what the node was at. */
const FROZEN_MS = 45_000;
/** Longer than any statement may take. */
const PARTITION_MS = 14_000;
const SKEW_MS = 120_000;

async function cutOff({ toDatabase }: ChaosNode, ms: number): Promise<void> {
  toDatabase.next = 'stall';
  toDatabase.strike('stall');
  await pause(ms);
  toDatabase.next = 'pass';
}

export const faults: Readonly<Record<string, Fault>> = {
  'a node is cut off from the database': (_, node) => cutOff(node, PARTITION_MS),
  'all nodes are cut off from the database': async ({ nodes }) =>
    void (await Promise.all(nodes.map((node) => cutOff(node, 6_000)))),
  'the far side of connections vanishes': async (_, { toDatabase }) => {
    toDatabase.strike('halfOpen');
    await pause(12_000);
  },
  'connections are reset again and again': async ({ chance }, { toDatabase }) => {
    for (let times = 0; times < 25; times += 1) {
      toDatabase.strike(chance() < 0.5 ? 'reset' : 'cut');
      await pause(200);
    }
  },
  'the way to the database is slow': async (_, { toDatabase }) => {
    toDatabase.delayMs = 250;
    await pause(8_000);
    toDatabase.delayMs = 0;
  },
  'the receiver of webhooks is away': async ({ toReceiver }) => {
    toReceiver.next = 'reset';
    toReceiver.strike('reset');
    await pause(6_000);
    toReceiver.next = 'stall';
    await pause(6_000);
    toReceiver.next = 'pass';
    toReceiver.strike('reset');
  },
  'a node is frozen and wakes up': async (_, { gateway }) => {
    process.kill(gateway.pid(), 'SIGSTOP');
    await pause(FROZEN_MS);
    process.kill(gateway.pid(), 'SIGCONT');
  },
  'a frozen node wakes up without its connections': async (_, { gateway, toDatabase }) => {
    process.kill(gateway.pid(), 'SIGSTOP');
    await pause(FROZEN_MS / 3);
    toDatabase.strike('reset');
    process.kill(gateway.pid(), 'SIGCONT');
  },
  'a node is killed': async (_, { gateway }) => {
    await gateway.kill();
    await gateway.start();
  },
  'the clock of a node is ahead': async (_, { clock }) => {
    clock.leap(SKEW_MS);
    await pause(10_000);
    clock.leap(-SKEW_MS);
  },
  'the clock of a node is behind': async (_, { clock }) => {
    clock.leap(-SKEW_MS);
    await pause(10_000);
    clock.leap(SKEW_MS);
  },
  'the database is killed': async ({ server }) => {
    await server.kill();
    await server.start();
  },
};
