/** Every span that the gateway makes, and its attributes: ids, codes, types and counts, never data of a card or a person. */

/** The numbers of OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

export type SpanRow = {
  readonly kind: keyof typeof spanKinds;
  readonly means: string;
  readonly attributes: readonly string[];
};

const PAYMENT = ['turnpike.payment.id', 'turnpike.payment.type'] as const;

export const spanRows = {
  request: {
    kind: 'server',
    means: 'a request, from its head to the end of the reply; its name is method and path of the endpoint',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'turnpike.request.id',
      'turnpike.ndc',
      'turnpike.entity.id',
      'turnpike.result.code',
    ],
  },
  'risk check': { kind: 'internal', means: 'the risk engine evaluates a payment', attributes: ['turnpike.payment.id'] },
  '3-D Secure': {
    kind: 'client',
    means: 'a directory server is asked: `enrolment` or `authentication`',
    attributes: ['turnpike.threeds.question'],
  },
  'connector call': {
    kind: 'client',
    means: 'a question to the acquirer: `send`, `inquire` or `cancel`, with all its HTTP requests',
    attributes: [...PAYMENT, 'turnpike.account', 'turnpike.question', 'turnpike.answer', 'turnpike.result.code'],
  },
  'acquirer request': {
    kind: 'client',
    means: 'one HTTP request of a connector; the acquirer gets this span as its parent',
    attributes: ['http.request.method', 'server.address', 'http.response.status_code', 'error.type'],
  },
  commit: {
    kind: 'client',
    means: 'state, ledger posting and event are written in one transaction',
    attributes: [...PAYMENT, 'turnpike.payment.revision', 'turnpike.commit.outcome'],
  },
  'webhook delivery': {
    kind: 'producer',
    means: 'an attempt to deliver an event, in the trace of the payment; the receiver gets this span as its parent',
    attributes: ['turnpike.webhook.id', 'turnpike.event.id', 'turnpike.event.type', 'http.response.status_code', 'error.type'],
  },
} as const satisfies Readonly<Record<string, SpanRow>>;

export type SpanName = keyof typeof spanRows;
export type AttributeName<Name extends SpanName> = (typeof spanRows)[Name]['attributes'][number];
export type Attributes<Name extends SpanName> = Readonly<Partial<Record<AttributeName<Name>, string | number>>>;
