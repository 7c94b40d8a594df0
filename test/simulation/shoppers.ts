import type { Errand } from './acquirer.ts';
import { type Street, tellAgain, tellOnce } from './bankEvents.ts';
import type { Node } from './node.ts';
import { channels } from './shops.ts';
import { breaks, brief, note, type Sim } from './sim.ts';
import type { Fault } from './tally.ts';

/** The shoppers who were sent to their banks. */
export type Shoppers = {
  sent(errand: Errand): void;
  /** The payments of those who never decided anything. */
  readonly idle: ReadonlySet<string>;
};

type Choice = 'pay' | 'decline' | 'cancel' | 'nothing';
/** When the bank tells what was decided: before the shopper is back, after that, both, never, or when nobody waits any more. */
type Confirms = 'before' | 'after' | 'twice' | 'never' | 'much later';

const CHOICES: readonly Choice[] = ['pay', 'pay', 'pay', 'pay', 'decline', 'cancel', 'nothing'];
const CONFIRMS: readonly Confirms[] = ['before', 'after', 'twice', 'never', 'much later'];
const RETURNS = ['shopper: never comes back', 'shopper: comes back', 'shopper: comes back twice'] as const;
const LONG_MS = 3_600_000;

export function createShoppers(sim: Sim, nodes: readonly Node[]): Shoppers {
  const idle = new Set<string>();
  const street: Street = { sim, nodes };
  return {
    idle,
    sent(errand) {
      const choice = sim.chance.pick(CHOICES);
      if (choice !== 'nothing') return void visit(street, errand, choice);
      idle.add(errand.payment.id);
      count(street, errand, 'shopper: never decides');
      if (sim.chance.hits(0.5)) void comeBack(street, errand, sim.chance.below(LONG_MS / 10));
    },
  };
}

const count = ({ sim }: Street, { entry }: Errand, fault: Fault) => sim.tally.hit(fault, entry.operation);

/** He decides, is sent back or is not, and may think better of it; the bank tells or does not. */
async function visit(street: Street, errand: Errand, choice: Choice): Promise<void> {
  const { chance, scheduler } = street.sim;
  const restMs = (errand.entry.until ?? 0) - scheduler.now();
  await scheduler.sleep(
    chance.pick([chance.below(5_000), chance.below(60_000), chance.below(restMs), restMs + chance.below(600_000)]),
  );
  if (chance.hits(0.1)) void comeBack(street, errand, 0);
  decide(street, errand, choice);
  const confirms = chance.pick(CONFIRMS);
  count(street, errand, `bank: tells ${confirms}`);
  const returns = chance.pick([0, 1, 1, 1, 2]);
  count(street, errand, RETURNS[returns] ?? RETURNS[0]);
  if (confirms === 'before' || confirms === 'twice') void tellOnce(street, errand, chance.below(200));
  const returnMs = chance.pick([0, 2_000, chance.below(30_000)]);
  for (let back = 0; back < returns; back += 1) void comeBack(street, errand, returnMs + back * chance.below(5_000));
  if (confirms === 'after' || confirms === 'twice') void tellOnce(street, errand, returnMs + chance.below(30_000));
  if (confirms === 'much later') void tellOnce(street, errand, chance.below(LONG_MS));
  if (chance.hits(0.35)) await thinkBetter(street, errand);
}

/** What he does at the bank. What was booked stays so, and what he gave up he can give up once. */
function decide(street: Street, errand: Errand, choice: Choice): void {
  const { entry } = errand;
  if (entry.state !== 'waiting') return;
  const isLate = street.sim.scheduler.now() > (entry.until ?? 0);
  if (choice === 'pay') count(street, errand, isLate ? 'shopper: pays after his time' : 'shopper: pays');
  else count(street, errand, choice === 'decline' ? 'shopper: declines' : 'shopper: cancels');
  errand.decide(choice === 'pay' ? 'booked' : choice === 'decline' ? 'declined' : 'cancelled');
}

/**
 * He goes back in his browser and pays, though he paid before, or gave up, or his time is over. This bank lets him: what it has said
 * already is then wrong, and it tells so until somebody takes it.
 */
async function thinkBetter(street: Street, errand: Errand): Promise<void> {
  const { chance, scheduler } = street.sim;
  const { entry } = errand;
  await scheduler.sleep(chance.pick([chance.below(1_000), chance.below(20_000), chance.below(LONG_MS)]));
  if (entry.state === 'waiting') return;
  count(street, errand, entry.state === 'booked' ? 'shopper: pays twice' : 'shopper: pays although it was over');
  if (entry.state !== 'booked') errand.decide('booked');
  await tellAgain(street, errand);
}

/** His browser is sent back to the gateway, by whatever node. Somebody else's name for the payment opens nothing. */
async function comeBack({ sim, nodes }: Street, { payment }: Errand, ms: number): Promise<void> {
  const { chance, scheduler } = sim;
  await scheduler.sleep(ms);
  const node = chance.pick(nodes);
  if (!node.machine.isUp) return;
  const { id: paymentId, merchantId } = payment;
  const otherMerchant = chance.hits(0.1) ? channels.find((channel) => channel.merchantId !== merchantId) : undefined;
  note(sim, `the shopper of ${brief(paymentId)} is back at ${node.machine.name}`);
  const named = { merchantId: otherMerchant?.merchantId ?? merchantId, paymentId };
  const seen = await node.run('back', (world, entryPoints) => entryPoints.onShopperReturn(world, named));
  if (seen && otherMerchant && seen.done !== null) breaks(sim, 'I11', `${paymentId} was shown to a stranger`);
  if (seen && !otherMerchant && seen.done?.id !== paymentId) breaks(sim, 'I5', `${paymentId} is unknown to its shopper`);
}
