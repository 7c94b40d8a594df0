import { createBook } from '../../src/connectors/simulator/book.ts';
import { simulator } from '../../src/connectors/simulator/simulator.ts';
import { examplePayment } from '../../src/payments/examples.ts';
import { connectorContract, type FarSide, type Treatment } from './connector.ts';

const steering: Readonly<Record<Treatment, Readonly<Record<string, string>>>> = {
  approve: {},
  decline: { 'customParameters[forceResultCode]': '800.100.151' },
  'lose the answer': { 'customParameters[SIMULATOR_answer]': 'lost' },
  'lose the request': { 'customParameters[SIMULATOR_answer]': 'lost-request' },
};

function openSimulator(): FarSide {
  const now = 1_790_000_000_000;
  const book = createBook({ keep: null });
  const connector = simulator.create({ clock: { now: () => now }, sleep: async () => {}, book });
  let made = 0;
  return {
    connector,
    attempt(treatment, changes = {}) {
      made += 1;
      const id = made.toString(16).padStart(32, '0');
      const payment = examplePayment({
        id,
        phase: { at: 'acquirer', dueAt: now + 35_000 },
        fields: steering[treatment],
        ...changes,
      });
      return { payment, secrets: { number: '4200000000000000', cvv: '123' }, referenced: null };
    },
    // Every payment of these tests is a family of its own, so what is booked of it is what is booked of the family.
    bookings: ({ familyId, amount }) =>
      Number(Object.values(book.totals(familyId, now)).reduce((sum, part) => sum + part, 0n) / amount),
  };
}

connectorContract(openSimulator);
