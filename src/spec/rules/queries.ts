import type { Rule } from './rule.ts';

/** Document 3, reporting and query parameters. */
export const queries: readonly Rule[] = [
  {
    title: 'A list is asked for by the merchant’s reference or by a time frame.',
    when: [],
    on: ['query', 'queryRecords', 'findPayments'],
    needsOneOf: ['merchantTransactionId', 'date.from', 'date.to'],
    decision: '0024-queries.md',
  },
  {
    title: 'What is named by its id is looked for nowhere else.',
    when: ['merchantTransactionId', 'date.from', 'date.to', 'shortId'],
    on: ['queryOne', 'queryRecord'],
    refuses: 'must not be sent with an id in the path',
    decision: '0024-queries.md',
  },
  {
    title: 'What is named by its id has one page.',
    when: ['limit', 'pageNo'],
    on: ['queryOne', 'queryRecord'],
    ignores: ['limit', 'pageNo'],
    decision: '0024-queries.md',
  },
  {
    // Clients of this API look for their own reference with a beginning and no end; the reference alone finds it.
    title: 'A time frame has a beginning and an end.',
    when: ['date.from', 'date.to'],
    unless: ['merchantTransactionId'],
    needs: ['date.from', 'date.to'],
  },
  {
    title: 'A time frame does not end before it begins.',
    when: ['date.from', 'date.to'],
    finds: (sent) => {
      const [from, to] = [sent.text('date.from'), sent.text('date.to')];
      return from === undefined || to === undefined || from <= to
        ? []
        : [{ name: 'date.to', message: 'must not be before date.from' }];
    },
  },
  {
    title: 'The merchant’s reference is not looked for in a time frame.',
    when: ['merchantTransactionId'],
    finds: (sent) =>
      sent.has('date.from') && sent.has('date.to')
        ? [{ name: 'merchantTransactionId', message: 'must not be sent with date.from and date.to' }]
        : [],
  },
  {
    title: 'A short id is looked for with the merchant’s reference or in a time frame.',
    when: ['shortId'],
    unless: ['merchantTransactionId'],
    needs: ['date.from', 'date.to'],
  },
];
