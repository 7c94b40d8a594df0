import type { Authentication } from '../../src/threeds/authentication.ts';
import { codeIn, fieldsIn, ticketIn } from '../../src/threeds/examples.ts';
import { type CRes, encodeMessage, type RReq } from '../../src/threeds/messages/message.ts';
import type { Step } from '../../src/threeds/sandbox/challenge.ts';
import { acsAt } from '../../src/threeds/sandbox/directoryServer.ts';
import { cardOf, proofFor } from '../../src/threeds/sandbox/proof.ts';
import { challengeForm, returnEvent } from '../../src/threeds/shopper.ts';
import { ORIGIN } from './issuer.ts';
import { reach, type Way } from './secureShoppers.ts';
import { breaks, brief, note } from './sim.ts';

/** What happens at the issuer's: the cardholder proves to be one or does not, and the issuer tells it, well or badly. */

const acs = acsAt(ORIGIN);

type Results = 'before' | 'after' | 'twice' | 'never' | 'much later' | 'contradicting' | 'misdirected' | 'foreign';
const RESULTS: readonly Results[] = [
  ...(['before', 'before', 'before', 'after', 'after', 'twice'] as const),
  ...(['never', 'much later', 'contradicting', 'misdirected', 'foreign'] as const),
];
const RETURNS = ['honest', 'honest', 'honest', 'honest', 'lost', 'forged', 'foreign', 'garbled', 'twice'] as const;

/** He is with his issuer until he is done there. */
export async function atIssuer(way: Way, state: Authentication): Promise<void> {
  const { chance, scheduler, tally } = way.sim;
  const form = challengeForm(state, way.errand.paymentId);
  if (!form) return;
  const posted = Object.fromEntries(form.parameters.map(({ name, value }) => [name, value]));
  const arrived = acs.open(ticketIn(form.url), posted, scheduler.now());
  await scheduler.sleep(chance.pick([1_000, 10_000, chance.below(90_000)]));
  const last = arrived.sends.length > 0 ? arrived : act(way, arrived);
  if (!last) return tally.hit('cardholder: never answers', 'secure');
  await tell(way, state, last);
}

/** One of the buttons of the page he sees; null when he presses none. */
function act(way: Way, page: Step): Step | null {
  const { chance, scheduler, tally } = way.sim;
  const press = (step: Step, action: string, code = '') =>
    acs.act({ state: fieldsIn(step.page.html).state, action, code }, scheduler.now());
  const roll = chance.below(20);
  if (roll < 13) {
    tally.hit('cardholder: proves it', 'secure');
    return press(page, 'submit', codeIn(page));
  }
  if (roll < 15) {
    tally.hit('cardholder: cancels', 'secure');
    return press(page, 'cancel');
  }
  if (roll < 18) {
    tally.hit('cardholder: fails', 'secure');
    let step = page;
    for (let tries = 0; tries < 3 && step.sends.length === 0; tries += 1) step = press(step, 'submit', 'wrong');
    return step;
  }
  return null;
}

/** Results on one way, the cardholder on the other. */
async function tell(way: Way, state: Authentication, { sends, page }: Step): Promise<void> {
  const { sim } = way;
  const { chance, scheduler, tally } = sim;
  const rreq = sends[0]?.rreq;
  if (!rreq) return;
  if (chance.hits(0.3)) await misdirect(way, rreq);
  const results = chance.pick(RESULTS);
  tally.hit(`results: ${results}`, 'secure');
  const later = (ms: number, message: RReq) => void scheduler.sleep(ms).then(() => deliver(way, message));
  switch (results) {
    case 'before':
      await deliver(way, rreq);
      break;
    case 'after':
      later(chance.below(40_000), rreq);
      break;
    case 'much later':
      later(chance.between(60_000, 40 * 60_000), rreq);
      break;
    case 'twice':
      later(chance.below(10_000), rreq);
      await deliver(way, rreq);
      break;
    case 'contradicting':
      later(chance.below(3_000), contrary(way, state, rreq));
      await deliver(way, rreq);
      break;
    case 'misdirected':
      await misdirect(way, rreq);
      break;
    case 'foreign':
      await deliver(way, { ...rreq, acsTransID: rreq.dsTransID });
      break;
    case 'never':
      break;
  }
  if (chance.hits(0.1)) await scheduler.sleep(chance.below(120_000));
  await comeBack(way, state, fieldsIn(page.html).cres);
}

/** The same authentication, the other way round. */
function contrary({ errand }: Way, { parameters }: Authentication, rreq: RReq): RReq {
  const { authenticationValue, transStatusReason, challengeCancel, ...rest } = rreq;
  const eci = parameters.network === 'mastercard' ? '02' : '05';
  if (authenticationValue !== undefined) return { ...rest, transStatus: 'N', transStatusReason: '01' };
  const proof = proofFor({ dsTransactionId: rreq.dsTransID, card: cardOf(errand.number), eci, money: null });
  return { ...rest, transStatus: 'Y', eci, authenticationValue: proof };
}

/** The directory server posts results, and posts them again when no node has taken them. */
async function deliver(way: Way, rreq: RReq): Promise<void> {
  const { sim, issuer, errand } = way;
  issuer.tells(rreq);
  for (let tries = 0; tries < 3; tries += 1) {
    note(sim, `results of ${brief(errand.paymentId)}: ${rreq.transStatus}`);
    const heard = await reach(way, 'results', (world, entryPoints) => entryPoints.onThreeDSResults(world, errand, rreq));
    const isConfirmed = (heard?.done as { readonly messageType?: string } | undefined)?.messageType === 'RRes';
    sim.tally.hit(isConfirmed ? 'results: are taken' : heard ? 'results: are refused' : 'results: are not heard', 'secure');
    if (isConfirmed) issuer.confirmed(rreq);
    if (heard || sim.chance.hits(0.3)) return;
    await sim.scheduler.sleep(sim.chance.between(1_000, 10_000));
  }
}

/** Results of this authentication at the addresses of all the others. */
async function misdirect(way: Way, rreq: RReq): Promise<void> {
  const { sim, errand, errands } = way;
  for (const other of errands) {
    if (other.paymentId === errand.paymentId) continue;
    const heard = await reach(way, 'results', (world, entryPoints) => entryPoints.onThreeDSResults(world, other, rreq));
    const isTaken = (heard?.done as { readonly messageType?: string } | undefined)?.messageType === 'RRes';
    if (isTaken) breaks(sim, 'T2', `${other.paymentId} took the results of ${errand.paymentId}`);
  }
}

/** His browser is sent back with a message that proves nothing. */
async function comeBack(way: Way, state: Authentication, honest: string | undefined): Promise<void> {
  const { sim, errand } = way;
  const brings = sim.chance.pick(RETURNS);
  sim.tally.hit(`cardholder: his return is ${brings}`, 'secure');
  if (brings === 'lost' || honest === undefined) return;
  const cres = brings === 'garbled' ? 'no-message' : brings === 'forged' ? yes(state) : honest;
  const foreign = brings === 'foreign' ? yes({ ...state, acsTransID: state.dsTransID }) : cres;
  const back = () => reach(way, 'back', (world, entryPoints) => entryPoints.authenticated(world, errand, returnEvent(foreign)));
  if (brings === 'twice') void back();
  await back();
}

function yes({ version, threeDSServerTransID, acsTransID }: Authentication): string {
  const cres: CRes = {
    messageType: 'CRes',
    messageVersion: version,
    threeDSServerTransID,
    acsTransID: acsTransID ?? '',
    challengeCompletionInd: 'Y',
    transStatus: 'Y',
  };
  return encodeMessage(cres);
}
