import { connectorContract, type FarSide, type Treatment } from './connector.ts';
import { exampleAttempt, openSimulator } from './connectorFixtures.ts';
import type { Shopper } from './connectorRedirects.ts';

const directives: Readonly<Record<Treatment, Readonly<Record<string, string>>>> = {
  approve: {},
  decline: { 'customParameters[forceResultCode]': '800.100.151' },
  'lose the answer': { 'customParameters[SIMULATOR_answer]': 'lost' },
  'lose the request': { 'customParameters[SIMULATOR_answer]': 'lost-request' },
};

const confirmations = { never: 'never', once: 'before', twice: 'twice' } as const;

function openFarSide(): FarSide {
  const opened = openSimulator();
  const { connector, records, time } = opened;
  let made = 0;
  const nextId = () => {
    made += 1;
    return made.toString(16).padStart(32, '0');
  };
  return {
    connector,
    attempt: (treatment, changes = {}, others = {}) =>
      exampleAttempt({ id: nextId(), fields: directives[treatment], ...changes }, others),
    // Every payment of these tests is a family of its own, so what is booked of it is what is booked of the family.
    bookings: ({ familyId, amount }) =>
      Number(Object.values(records.totals(familyId, time.now)).reduce((sum, part) => sum + part, 0n) / amount),
    shopper: shopperAt(opened, nextId),
  };
}

/** The shopper uses the pages of the simulated bank, as a browser does. */
function shopperAt(
  { connector, time, notifications, receiver }: ReturnType<typeof openSimulator>,
  nextId: () => string,
): Shopper {
  return {
    attempt(callback, changes = {}, others = {}) {
      const fields = { 'customParameters[SIMULATOR_confirm]': confirmations[callback] };
      const id = nextId();
      const account = { paymentBrand: 'SOFORTUEBERWEISUNG', method: 'OT', instrument: null, fingerprint: null } as const;
      return exampleAttempt({ id, familyId: id, fields, ...account, ...changes }, { secrets: {}, ...others });
    },
    async decide({ url }, decision) {
      await connector.pages?.act(url.split('/').at(-1) ?? '', new Map([['choice', decision]]), '');
    },
    callbacks: ({ id }) => notifications.filter(({ paymentId }) => paymentId === id).map(({ answer }) => answer),
    refuse: (times) => {
      receiver.refusals = times;
    },
    now: () => time.now,
    pass: (ms) => {
      time.now += ms;
    },
  };
}

connectorContract(openFarSide);
