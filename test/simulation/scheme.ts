import type { NetworkToken } from '../../src/registrations/instrument.ts';
import type { NetworkTokens } from '../../src/registrations/ports.ts';
import { cross, currentOperation, type Life } from './machine.ts';
import { Injected, type Sim, strikes } from './sim.ts';

/** The card schemes, which give out numbers of their own for stored cards and know whose they are. */
export type Scheme = {
  /** `Connector.tokens` as one life of a node reaches it. */
  tokens(life: Life): NetworkTokens;
  /** For which card of which merchant this number was given out; null for a number that is none of theirs. */
  meantBy(number: string): { readonly number: string; readonly merchantId: string } | null;
};

const LATE_MS_MAX = 90_000;

export function createScheme(sim: Sim): Scheme {
  const { chance, weather } = sim;
  const given = new Map<string, { readonly number: string; readonly merchantId: string }>();
  const wireMs = () => chance.between(20, 800);

  const give = (merchantId: string, number: string): NetworkToken => {
    const token = `499999${chance.digits(10)}`;
    given.set(token, { number, merchantId });
    return { number: token, expiryMonth: '05', expiryYear: '2037' };
  };

  return {
    meantBy: (number) => given.get(number) ?? null,
    tokens: (life) => ({
      provide({ merchantId }, { number }) {
        const isFailing = strikes(sim, weather.schemeFails, ['scheme: fails', 'TK']);
        const isLate = !isFailing && strikes(sim, weather.schemeFails, ['scheme: late', 'TK']);
        return cross(sim, life, {
          operation: 'TK',
          thereMs: wireMs(),
          backMs: isLate ? chance.below(LATE_MS_MAX) : wireMs(),
          async effect() {
            if (isFailing) throw new Injected('the scheme has no token now');
            if (strikes(sim, 0.1, ['scheme: gives none for ever', 'TK'])) return null;
            sim.tally.hit('scheme: gives a token', 'TK');
            return give(merchantId, number ?? '');
          },
        });
      },
      async cryptogram(token) {
        if (strikes(sim, weather.schemeFails, ['scheme: has no cryptogram', currentOperation()])) {
          throw new Injected('the scheme has no cryptogram now');
        }
        return `cryptogram of ${token.number}`;
      },
    }),
  };
}
