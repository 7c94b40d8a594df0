import type { ThreeDSServer, Timers } from '../../src/payments/ports.ts';
import { ANSWER_MS_MAX } from '../../src/threeds/authentication.ts';
import type { AReq, ARes, RReq } from '../../src/threeds/messages/message.ts';
import { readMessage } from '../../src/threeds/messages/validate.ts';
import type { NetworkName } from '../../src/threeds/networks.ts';
import { createSandboxThreeDS, type SandboxThreeDS } from '../../src/threeds/sandbox/directoryServer.ts';
import { type Issuer, issuersClock } from './issuer.ts';
import { cross, currentOperation, type Life } from './machine.ts';
import { Injected, note, type Sim, strikes } from './sim.ts';
import type { DirectoryMishap } from './tally.ts';

/** What a directory server may say when it is out of its mind. */
const GARBAGE: readonly unknown[] = [null, undefined, '<html>502</html>', {}, [], { messageType: 'ARes', transStatus: 'Y' }];

/** The directory servers and what stands behind them. */
export type Networks = { readonly issuer: Issuer; readonly timers: Timers };

/** `World.threeDS` of one life of a node: the sandbox's own servers behind a wire that is as bad as the weather. */
export function faultyDirectory(sim: Sim, life: Life, { issuer, timers }: Networks): ThreeDSServer {
  const servers: SandboxThreeDS = createSandboxThreeDS(issuersClock(sim));
  const { chance, weather } = sim;
  const wireMs = () => chance.between(20, 800);
  return {
    ...servers,
    directory: (origin) => ({
      versions(enquiry) {
        const isDown = strikes(sim, weather.directoryFails / 2, ['versions: unreachable', 'secure']);
        const answer = async () => servers.directory(origin).versions(enquiry);
        // The ranges of cards are at hand, so that most of the time no server has to be asked.
        if (!isDown && !chance.hits(0.1)) return answer();
        return cross(sim, life, {
          operation: currentOperation(),
          thereMs: wireMs(),
          backMs: wireMs(),
          effect: isDown ? () => Promise.reject(new Injected('the ranges of cards are not to be had')) : answer,
        });
      },
      authenticate(areq, network) {
        issuer.sends(areq);
        const asking = { areq, network, answer: () => answered(issuer, servers, { origin, areq, network }) };
        // A client of a directory server gives up after its time.
        return timers.within(ANSWER_MS_MAX, speak(sim, life, asking));
      },
    }),
    poll(origin, acsUrl, now) {
      if (strikes(sim, weather.directoryFails, ['decoupled: the issuer is not reached', 'secure'])) return null;
      const told: unknown = servers.poll(origin, acsUrl, now);
      if (told !== null) issuer.tells(told as RReq);
      return told;
    },
  };
}

type Question = { readonly origin: string; readonly areq: AReq; readonly network: NetworkName };

async function answered(issuer: Issuer, servers: SandboxThreeDS, { origin, areq, network }: Question): Promise<unknown> {
  const value = await servers.directory(origin).authenticate(areq, network);
  const { messageCategory, deviceChannel } = areq;
  const ares: ARes | null = readMessage('ARes', value, { messageCategory, deviceChannel }).message;
  if (ares && ares.transStatus !== 'C' && ares.transStatus !== 'D') issuer.tells(ares);
  return value;
}

type Asking = { readonly areq: AReq; readonly network: NetworkName; readonly answer: () => Promise<unknown> };

function speak(sim: Sim, life: Life, { areq, answer }: Asking): Promise<unknown> {
  const { chance } = sim;
  const mishap = mishapOf(sim);
  const wireMs = () => chance.between(20, 800);
  const lateMs = () => chance.between(1_000, 40_000);
  note(sim, `${life.machine.name} asks the directory server for ${areq.threeDSServerTransID.slice(-6)}`);
  return cross(sim, life, {
    operation: 'secure',
    thereMs: mishap === 'request late' ? lateMs() : wireMs(),
    backMs: mishap === 'answer late' ? lateMs() : wireMs(),
    effect: () => outcome(sim, mishap, { areq, answer }),
  });
}

async function outcome(sim: Sim, mishap: DirectoryMishap | null, { areq, answer }: Pick<Asking, 'areq' | 'answer'>) {
  const { chance } = sim;
  switch (mishap) {
    case 'down':
      throw new Injected('the directory server is down');
    case 'request lost':
      return new Promise<never>(() => {});
    case 'answer lost':
      await answer();
      return new Promise<never>(() => {});
    case 'garbage':
      await answer();
      return chance.pick(GARBAGE);
    case 'foreign': {
      const value = (await answer()) as object | null;
      return { ...value, threeDSServerTransID: areq.threeDSServerTransID.replace(/^..../, '0000') };
    }
    case 'twice':
      sim.scheduler.after(chance.below(20_000), () => void answer());
      return answer();
    default:
      return answer();
  }
}

function mishapOf(sim: Sim): DirectoryMishap | null {
  const { directoryFails } = sim.weather;
  const rates: readonly (readonly [DirectoryMishap, number])[] = [
    ['down', directoryFails / 4],
    ['request lost', directoryFails / 4],
    ['answer lost', directoryFails / 4],
    ['request late', directoryFails],
    ['answer late', directoryFails],
    ['garbage', directoryFails / 4],
    ['foreign', directoryFails / 4],
    ['twice', directoryFails],
  ];
  return rates.find(([mishap, rate]) => strikes(sim, rate, [`directory: ${mishap}`, 'secure']))?.[0] ?? null;
}
