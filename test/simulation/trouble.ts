import type { Node } from './node.ts';
import { note, type Sim } from './sim.ts';

/** The faults that come at their own time and not with a call. */
export function sow(sim: Sim, nodes: readonly Node[]): void {
  const { chance, scheduler, weather, tally } = sim;
  const sometime = (go: (node: Node) => void) => {
    const node = chance.pick(nodes);
    scheduler.after(chance.below(weather.chaosMs), () => go(node));
  };
  for (let death = 0; death < weather.deaths; death += 1) {
    sometime((node) => {
      for (const operation of node.busyWith()) tally.hit('node: dies', operation);
      node.machine.die();
    });
  }
  for (let pause = 0; pause < weather.pauses; pause += 1) {
    const ms = chance.below(60_000);
    sometime((node) => {
      for (const operation of node.busyWith()) tally.hit('node: pauses', operation);
      note(sim, `${node.machine.name} stands still for ${ms} ms`);
      node.machine.pausedUntil = scheduler.now() + ms;
    });
  }
  if (weather.jumps === 1) {
    const ms = chance.pick([-3_600_000, 3_600_000]);
    sometime((node) => {
      for (const operation of node.busyWith()) tally.hit('clock: jumps', operation);
      note(sim, `the clock of ${node.machine.name} jumps by ${ms} ms`);
      node.machine.skewMs += ms;
    });
  }
  if (weather.awayMs !== 0) sowDay(sim, nodes);
  if (weather.jumps > 1) sowJumps(sim, chance.pick(nodes));
}

/** A clock that jumps by an hour and back, again and again: it is never further off. */
function sowJumps(sim: Sim, { machine, busyWith }: Node): void {
  const { chance, scheduler, weather, tally } = sim;
  const slotMs = Math.floor(weather.chaosMs / weather.jumps);
  const jump = (ms: number) => {
    for (const operation of busyWith()) tally.hit('clock: jumps', operation);
    note(sim, `the clock of ${machine.name} jumps by ${ms} ms`);
    machine.skewMs += ms;
  };
  for (let at = 0; at < weather.jumps; at += 1) {
    const [ms, from] = [chance.pick([-3_600_000, 3_600_000]), chance.below(slotMs / 2)];
    scheduler.after(at * slotMs + from, () => jump(ms));
    scheduler.after(at * slotMs + chance.between(from + 1, slotMs - 1), () => jump(-ms));
  }
}

/** A clock that is a day off, and put right when the trouble is over at the latest. */
function sowDay(sim: Sim, nodes: readonly Node[]): void {
  const { chance, scheduler, weather, tally } = sim;
  const { machine, busyWith } = chance.pick(nodes);
  const from = chance.below(weather.chaosMs / 2);
  const set = (ms: number) => {
    for (const operation of busyWith()) tally.hit('clock: jumps', operation);
    note(sim, `the clock of ${machine.name} is set by ${ms} ms`);
    machine.skewMs += ms;
  };
  scheduler.after(from, () => set(weather.awayMs));
  scheduler.after(chance.between(from + 60_000, weather.chaosMs), () => set(-weather.awayMs));
}
