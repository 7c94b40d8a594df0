import { beginAuthentication } from '../threeds/authentication.ts';
import { examplePayment } from './examples.ts';
import { next, type PaymentEvent, table } from './lifecycle.ts';
import type { Phase, ThreeDS } from './payment.ts';

/** Any authentication will do: the picture looks at where the payment goes. */
const threeDS: ThreeDS = {
  origin: '',
  state: beginAuthentication(
    {
      threeDSServerTransID: '',
      version: '2.2.0',
      parameters: { network: 'visa', deviceChannel: '02', messageCategory: '01', windowSize: '05' },
      methodUrl: null,
      sdkTransID: null,
      decoupledMinutes: 0,
    },
    0,
  ),
  sealedProof: null,
};

const EVENTS: readonly PaymentEvent[] = [
  { is: 'stepped', threeDS, dueAt: 9 },
  { is: 'proven', threeDS, fields: {}, dueAt: 9 },
  { is: 'unproven', threeDS, code: '100.380.401' },
  { is: 'rerouted', connector: '', declined: { connector: '', code: '900.100.600', declinedAt: 0 }, dueAt: 9 },
  { is: 'approved', details: {} },
  { is: 'declined', code: '800.100.151', details: {} },
  { is: 'redirected', redirect: { url: '/', parameters: [] }, until: 9 },
  { is: 'waiting' },
  { is: 'absent' },
  { is: 'cancelled' },
  { is: 'silence' },
];

const PHASES: Readonly<Record<Phase['at'], Phase>> = {
  authentication: { at: 'authentication', dueAt: 0 },
  acquirer: { at: 'acquirer', dueAt: 0 },
  shopper: { at: 'shopper', redirect: { url: '/', parameters: [] }, tries: 0, until: 9, dueAt: 0 },
  doubt: { at: 'doubt', tries: 0, dueAt: 0 },
  cancelling: { at: 'cancelling', tries: 0, dueAt: 0 },
  final: { at: 'final', code: '000.100.110' },
};

/** The table of lifecycle.ts as text: every phase crossed with every event. ARCHITECTURE.md prints it, a test compares it. */
export function lifecyclePicture(): string {
  const rows = (Object.keys(table) as Phase['at'][]).map((at) => {
    const payment = examplePayment({ phase: PHASES[at], createdAt: 0, movedAt: 0 });
    const cells = EVENTS.map((event) => {
      const moved = next(payment, event, 1);
      if (moved === payment) return '.';
      return moved.phase.at === 'final' ? moved.phase.code : moved.phase.at;
    });
    return [at, ...cells];
  });
  const lines = [['', ...EVENTS.map(({ is }) => is)], ...rows];
  const widths = EVENTS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join(' ')
          .trimEnd()}\n`,
    )
    .join('');
}
