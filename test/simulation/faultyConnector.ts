import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, Capability, Connector } from '../../src/payments/ports.ts';
import { type Acquirer, detailsOf, isFirstOfTwo, isUncovered } from './acquirer.ts';
import { columnOf, isAway } from './away.ts';
import { cross, type Life } from './machine.ts';
import type { Scheme } from './scheme.ts';
import { brief, Injected, note, type Sim, START, strikes } from './sim.ts';
import { MISHAPS, type Mishap, type Operation, type Verb } from './tally.ts';

const card: Capability = {
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RG'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: false,
  reversal: { until: '23:00', daysLater: { DB: 7, CD: 7, CP: 7 } },
};

/** An account is stored without a question to the bank. */
const account: Capability = { ...card, types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF'] };

/** The shopper pays at his bank, and agrees there to what is stored. */
const elsewhere: Capability = { ...card, redirects: true };

/** What a far side may say when it is out of its mind. The types forbid all of it, the wire does not. */
const GARBAGE: readonly unknown[] = [
  null,
  undefined,
  {},
  { is: 'maybe' },
  { is: 'toString' },
  { is: 'declined' },
  { is: 'declined', code: '000.000.000', details: {} },
  { is: 'approved', code: '800.100.151', details: {} },
  { is: 'redirected' },
  { is: 'redirected', redirect: null, until: 'soon' },
  '<html>502</html>',
  0,
  [],
];
const GARBAGE_ERRORS: readonly unknown[] = [undefined, null, 'socket hang up', { code: 'ECONNRESET' }];

/** Those behind the connector. */
export type FarSide = { readonly acquirer: Acquirer; readonly scheme: Scheme; readonly name: string };

/** The accounts of every merchant, in the order in which they are asked. */
export const accountsIn = ({ weather }: Sim): readonly string[] =>
  weather.firstAccountFails > 0 ? ['double', 'second'] : ['double'];

/** No byte of it leaves. */
const UNSENT: AcquirerAnswer = { is: 'declined', code: '900.100.600', details: {} };

type Exchange = { readonly verb: Verb; readonly payment: Payment; readonly effect: () => AcquirerAnswer };

/** The connector as one life of a node holds it: the far side is the double, the wire between is as bad as the weather. */
export function faultyConnector(sim: Sim, life: Life, { acquirer, scheme, name }: FarSide): Connector {
  const talk = (exchange: Exchange) => acquirer.sweeps.asked(life, exchange.payment, speak(sim, life, exchange));
  const isUnreachable = (payment: Payment): boolean =>
    isFirstOfTwo(payment) && strikes(sim, sim.weather.firstAccountFails, ['routing: not sent', columnOf(payment)]);
  const connector: Connector = {
    name,
    accountId: `shops.${name}`,
    modes: ['INTERNAL'],
    supports: { CC: card, DC: card, DD: account, OT: elsewhere },
    answerMsMax: 30_000,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    send: (attempt) => {
      if (isUnreachable(attempt.payment)) return Promise.resolve(UNSENT);
      acquirer.announce(attempt);
      return talk({ verb: 'send', payment: attempt.payment, effect: () => acquirer.send(attempt) });
    },
    inquire: ({ payment }) => talk({ verb: 'inquire', payment, effect: () => acquirer.inquire(payment) }),
    cancel: ({ payment }) => talk({ verb: 'cancel', payment, effect: () => acquirer.cancel(payment) }),
    tokens: scheme.tokens(life),
  };
  return sim.weather.isInProcess
    ? {
        ...connector,
        decide(attempt) {
          acquirer.consult(attempt);
          return decideByAmount(attempt);
        },
        book: (payment) => acquirer.book(payment),
      }
    : connector;
}

/**
 * A pure function of the attempt, as the contract wants it: by the last digit, some go the long way, wait, or are declined. What has
 * no amount goes by its id.
 */
function decideByAmount({ payment }: Attempt): AcquirerAnswer | null {
  if (isAway(payment)) return null;
  if (isUncovered(payment)) return { is: 'declined', code: '800.100.155', details: {} };
  const cent = payment.amount === 0n ? BigInt(Number.parseInt(payment.id.slice(-4), 16)) % 10n : payment.amount % 10n;
  if (cent === 7n || cent === 8n) return null;
  if (cent === 6n) return { is: 'waiting' };
  return cent === 9n ? { is: 'declined', code: '800.100.151', details: {} } : { is: 'approved', details: detailsOf(payment) };
}

function speak(sim: Sim, life: Life, exchange: Exchange): Promise<AcquirerAnswer> {
  const { verb, payment, effect } = exchange;
  const operation = columnOf(payment);
  const mishap = mishapOf(sim, verb, operation);
  const wireMs = () => sim.chance.between(20, 800);
  const lateMs = () => 1_000 * 2 ** sim.chance.below(13) + sim.chance.below(1_000);
  const happen = (): AcquirerAnswer => {
    const answer = effect();
    note(sim, `${life.machine.name} ${verb} ${operation} ${brief(payment.id)}: ${answer.is}`);
    return answer;
  };
  if (mishap === 'throws' && sim.chance.hits(0.5)) throw sim.chance.pick(GARBAGE_ERRORS);
  return cross(sim, life, {
    operation,
    thereMs: mishap === 'request late' ? lateMs() : wireMs(),
    backMs: mishap === 'answer late' ? lateMs() : wireMs(),
    effect: () => outcome(sim, mishap, happen),
  });
}

/** What comes of a request at the far end of the wire. Never settling is an outcome too: the gateway has its own clock. */
async function outcome(sim: Sim, mishap: Mishap | null, happen: () => AcquirerAnswer): Promise<AcquirerAnswer> {
  const { chance } = sim;
  const never = () => new Promise<never>(() => {});
  const failing = () => (chance.hits(0.5) ? never() : Promise.reject(new Injected('the connection broke')));
  switch (mishap) {
    case 'down':
    case 'request lost':
      return failing();
    case 'throws':
      throw chance.pick(GARBAGE_ERRORS);
    case 'answer lost':
      happen();
      return failing();
    case 'hangs':
      happen();
      return never();
    case 'garbage':
      happen();
      return chance.pick(GARBAGE) as AcquirerAnswer;
    case 'twice':
      sim.scheduler.after(chance.below(60_000), happen);
      return happen();
    default:
      return happen();
  }
}

const FOLLOW_UPS: readonly Operation[] = ['CP', 'RV', 'RF', 'INC'];

function mishapOf(sim: Sim, verb: Verb, operation: Operation): Mishap | null {
  const { outages, acquirerLoss, acquirerLate, acquirerTwice, acquirerGarbage, acquirerHangs, followUpFails } = sim.weather;
  if (
    (verb === 'cancel' || FOLLOW_UPS.includes(operation)) &&
    followUpFails > 0 &&
    !sim.isHealed &&
    sim.chance.hits(followUpFails)
  ) {
    const mishap = sim.chance.pick(MISHAPS.filter((one) => one !== 'down'));
    return strikes(sim, 1, [`${verb}: ${mishap}`, operation]) ? mishap : null;
  }
  const since = sim.scheduler.now() - START;
  const isDown = outages.some(({ from, to }) => since >= from && since < to);
  const rates: readonly (readonly [Mishap, number])[] = [
    ['down', isDown ? 1 : 0],
    ['request lost', acquirerLoss / 2],
    ['answer lost', acquirerLoss / 2],
    ['request late', acquirerLate / 2],
    ['answer late', acquirerLate / 2],
    ['twice', acquirerTwice],
    ['garbage', acquirerGarbage / 2],
    ['throws', acquirerGarbage / 2],
    ['hangs', acquirerHangs],
  ];
  return rates.find(([mishap, rate]) => strikes(sim, rate, [`${verb}: ${mishap}`, operation]))?.[0] ?? null;
}
