import { connectorContract, type FarSide, type Treatment } from './connector.ts';
import { exampleAttempt, openSimulator } from './connectorFixtures.ts';

const steering: Readonly<Record<Treatment, Readonly<Record<string, string>>>> = {
  approve: {},
  decline: { 'customParameters[forceResultCode]': '800.100.151' },
  'lose the answer': { 'customParameters[SIMULATOR_answer]': 'lost' },
  'lose the request': { 'customParameters[SIMULATOR_answer]': 'lost-request' },
};

function openFarSide(): FarSide {
  const { connector, book, time } = openSimulator();
  let made = 0;
  return {
    connector,
    attempt(treatment, changes = {}, others = {}) {
      made += 1;
      const id = made.toString(16).padStart(32, '0');
      return exampleAttempt({ id, fields: steering[treatment], ...changes }, others);
    },
    // Every payment of these tests is a family of its own, so what is booked of it is what is booked of the family.
    bookings: ({ familyId, amount }) =>
      Number(Object.values(book.totals(familyId, time.now)).reduce((sum, part) => sum + part, 0n) / amount),
  };
}

connectorContract(openFarSide);
