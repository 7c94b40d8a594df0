import type { Rule } from './rule.ts';

/** Document 3, reporting and query parameters. */
export const queries: readonly Rule[] = [
  {
    title: 'A list requires the merchant reference or a time frame.',
    when: [],
    on: ['query', 'queryRecords', 'findPayments'],
    needsOneOf: ['merchantTransactionId', 'date.from', 'date.to'],
    decision: '0024-queries.md',
  },
  {
    title: 'Search parameters are not allowed with an id in the path.',
    when: ['merchantTransactionId', 'date.from', 'date.to', 'shortId'],
    on: ['queryOne', 'queryRecord'],
    refuses: 'must not be sent with an id in the path',
    decision: '0024-queries.md',
  },
  {
    title: 'limit and pageNo are ignored with an id in the path.',
    when: ['limit', 'pageNo'],
    on: ['queryOne', 'queryRecord'],
    ignores: ['limit', 'pageNo'],
    decision: '0024-queries.md',
  },
  {
    // Clients of this API look for their own reference with a beginning and no end; the reference alone finds it.
    title: 'date.from and date.to require each other.',
    when: ['date.from', 'date.to'],
    unless: ['merchantTransactionId'],
    needs: ['date.from', 'date.to'],
  },
  {
    title: 'date.to is not before date.from.',
    when: ['date.from', 'date.to'],
    finds: (sent) => {
      const [from, to] = [sent.text('date.from'), sent.text('date.to')];
      return from === undefined || to === undefined || from <= to
        ? []
        : [{ name: 'date.to', message: 'must not be before date.from' }];
    },
  },
  {
    title: 'The merchant reference is not allowed with a complete time frame.',
    when: ['merchantTransactionId'],
    finds: (sent) =>
      sent.has('date.from') && sent.has('date.to')
        ? [{ name: 'merchantTransactionId', message: 'must not be sent with date.from and date.to' }]
        : [],
  },
  {
    title: 'shortId requires the merchant reference or a time frame.',
    when: ['shortId'],
    unless: ['merchantTransactionId'],
    needs: ['date.from', 'date.to'],
  },
];
