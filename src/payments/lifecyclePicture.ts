import { examplePayment } from './examples.ts';
import { next, type PaymentEvent, table } from './lifecycle.ts';
import type { Phase } from './payment.ts';

const EVENTS: readonly PaymentEvent[] = [
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
  const header = `${''.padEnd(12)}${EVENTS.map(({ is }) => is.padEnd(13)).join('')}`;
  const rows = (Object.keys(table) as Phase['at'][]).map((at) => {
    const payment = examplePayment({ phase: PHASES[at] });
    const cells = EVENTS.map((event) => {
      const moved = next(payment, event, 1);
      if (moved === payment) return '.';
      return moved.phase.at === 'final' ? moved.phase.code : moved.phase.at;
    });
    return `${at.padEnd(12)}${cells.map((cell) => cell.padEnd(13)).join('')}`;
  });
  return `${[header, ...rows].map((line) => line.trimEnd()).join('\n')}\n`;
}
