import { adyenUnderTest } from '../adyen/server.ts';
import type { ConnectorUnderTest } from '../contract.ts';
import { exampleUnderTest } from '../example/server.ts';
import { openStripe, stripeUnderTest } from '../stripe/server.ts';
import { upstreamUnderTest } from '../upstream/server.ts';

/** One request of a shop. */
export type Stage = {
  readonly fields: Readonly<Record<string, string>>;
  /** The stage whose payment it follows, and how: by the path, by `referenceUuid`, or with the details that it stored. */
  readonly after?: { readonly stage: number; readonly by: 'path' | 'referenceUuid' | 'registration' };
};

export type Flow = readonly Stage[];

export type Tried = {
  readonly underTest: ConnectorUnderTest;
  readonly flows: Readonly<Record<string, Flow>>;
  /** Steps that no flow reaches, and why. */
  readonly unreached?: Readonly<Record<string, string>>;
};

const first = { stage: 0, by: 'path' } as const;
const EUR = { amount: '12.00', currency: 'EUR' };
const part = { amount: '5.00', currency: 'EUR' };

function cardFlows({ approved }: ConnectorUnderTest) {
  const begin = (paymentType: 'PA' | 'DB'): Stage => ({ fields: { ...approved, ...EUR, paymentType } });
  return {
    debit: [begin('DB'), { fields: { ...part, paymentType: 'RF' }, after: first }],
    capture: [
      begin('PA'),
      { fields: { ...EUR, paymentType: 'CP' }, after: first },
      { fields: { ...part, paymentType: 'RF' }, after: { stage: 1, by: 'path' } },
    ],
    reversal: [begin('PA'), { fields: { paymentType: 'RV' }, after: first }],
  } as const satisfies Readonly<Record<string, Flow>>;
}

const stored: Flow = [
  { fields: { ...stripeUnderTest.approved, ...EUR, paymentType: 'DB', createRegistration: 'true' } },
  { fields: { ...EUR, paymentType: 'DB' }, after: { stage: 0, by: 'registration' } },
];
const verified: Flow = [
  { fields: { ...stripeUnderTest.approved, amount: '0.00', currency: 'EUR', paymentType: 'PA', createRegistration: 'true' } },
];
const { 'card.cvv': _, ...withoutCode } = stripeUnderTest.approved;
const raised: Flow = [
  { fields: { ...stripeUnderTest.approved, ...EUR, paymentType: 'PA' } },
  {
    fields: {
      ...withoutCode,
      ...part,
      paymentType: 'PA',
      'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'MIT',
    },
    after: { stage: 0, by: 'referenceUuid' },
  },
];

/** A server of Stripe without errors of its own: only the network has some. */
const stripe: ConnectorUnderTest = {
  ...stripeUnderTest,
  settings: (url) => ({ url, incrementalAuthorisation: true }),
  open: (time) => openStripe(time),
};

const native: Flow = [{ fields: { ...adyenUnderTest.shopper?.requests[2], ...EUR, paymentType: 'DB' } }];

export const tried: readonly Tried[] = [
  { underTest: stripe, flows: { ...cardFlows(stripe), stored, verified, raised } },
  { underTest: adyenUnderTest, flows: { ...cardFlows(adyenUnderTest), native } },
  { underTest: upstreamUnderTest, flows: cardFlows(upstreamUnderTest) },
  { underTest: exampleUnderTest, flows: cardFlows(exampleUnderTest) },
];
