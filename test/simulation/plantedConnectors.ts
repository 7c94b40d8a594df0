import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Connector } from '../../src/payments/ports.ts';
import type { Tools } from './plantedStores.ts';

type Wrap = (connector: Connector, tools: Tools) => Connector;

const DECLINED = { is: 'declined', code: '900.100.300', details: {} } as const;

/** No answer in time is taken for this one. */
const silenceMeans =
  (answer: AcquirerAnswer): Wrap =>
  (connector, { timers }) => ({
    ...connector,
    send: (attempt) => timers.within(connector.answerMsMax - 1_000, connector.send(attempt)).catch(() => answer),
  });

export const silenceMeansDeclined = silenceMeans(DECLINED);
export const silenceMeansApproved = silenceMeans({ is: 'approved', details: {} });

export function retryingAnew(connector: Connector, { timers }: Tools): Connector {
  return {
    ...connector,
    send: (attempt) =>
      timers.within(connector.answerMsMax / 3, connector.send(attempt)).catch(() => {
        const { payment } = attempt;
        return connector.send({ ...attempt, payment: { ...payment, id: `${payment.id.slice(0, -1)}~` } });
      }),
  };
}

export function sendingAgain(connector: Connector): Connector {
  return {
    ...connector,
    inquire: ({ payment, referenced }) => connector.send({ payment, secrets: {}, referenced, registration: null, series: null }),
  };
}

export function roundingDown(connector: Connector): Connector {
  const rounded = (payment: Payment): Payment => ({ ...payment, amount: (payment.amount / 100n) * 100n });
  return { ...connector, send: (attempt) => connector.send({ ...attempt, payment: rounded(attempt.payment) }) };
}

export function echoing(connector: Connector): Connector {
  return {
    ...connector,
    async send(attempt) {
      const answer = await connector.send(attempt);
      const { number } = attempt.secrets;
      return answer?.is === 'approved' && number ? { ...answer, details: { resultDetails: { number } } } : answer;
    },
  };
}

export const droppingLateApproval: Wrap = (connector) => ({
  ...connector,
  inquire: async (inquiry) => {
    const answer = await connector.inquire(inquiry);
    return answer?.is === 'approved' ? DECLINED : answer;
  },
});

export const cancelledTooEarly: Wrap = (connector) => ({ ...connector, cancel: async () => ({ is: 'cancelled' }) });

/** Silence of the first account is taken for a request that never left. */
export const fallingBackAfterSilence: Wrap = (connector, { timers }) =>
  connector.name === 'second'
    ? connector
    : {
        ...connector,
        send: (attempt) => timers.within(connector.answerMsMax - 1_000, connector.send(attempt)).catch(() => UNSENT),
      };

const UNSENT = { is: 'declined', code: '900.100.600', details: {} } as const;

/** An account that declined is taken to have nothing more to say: what it booked later is not taken back. */
export const deafAfterFallback: Wrap = (connector) => ({
  ...connector,
  cancel: async (inquiry) =>
    inquiry.payment.connector === 'double' && inquiry.payment.earlier ? { is: 'cancelled' } : connector.cancel(inquiry),
});

/** Both accounts are of one acquirer, which takes the second request for the first. */
export const sameKeyAtSecond: Wrap = (connector) => ({
  ...connector,
  send: (attempt) => {
    const { earlier: _, ...payment } = attempt.payment;
    return connector.send(connector.name === 'second' ? { ...attempt, payment } : attempt);
  },
});
