import { channel } from '../requests.ts';
import { type Case, findPayments, queryList, queryOne, queryRecord, queryRecords } from './case.ts';

const base = { entityId: channel };
const frame = { 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' };

export const queryCases: readonly Case[] = [
  ...[queryList, queryRecords, findPayments].map(
    (context): Case => ({
      title: 'A list requires the merchant reference or a time frame.',
      in: context,
      base,
      passes: [{ merchantTransactionId: 'o' }, frame, { ...frame, pageNo: '2', limit: '500', paymentTypes: 'DB,CP' }],
      refused: [
        [{}, 'merchantTransactionId'],
        [{ pageNo: '1' }, 'merchantTransactionId'],
        [{ ...frame, limit: '99' }, 'limit'],
        [{ ...frame, limit: '501' }, 'limit'],
        [{ ...frame, pageNo: '0' }, 'pageNo'],
        [{ ...frame, paymentTypes: 'DB,XX' }, 'paymentTypes'],
        [{ ...frame, paymentMethods: 'CC DD' }, 'paymentMethods'],
      ],
    }),
  ),
  ...[queryOne, queryRecord].flatMap((context): Case[] => [
    {
      title: 'Search parameters are not allowed with an id in the path.',
      in: context,
      base,
      passes: [{}, { includeLinkedTransactions: 'true', paymentTypes: 'RF', paymentMethods: 'CC' }],
      refused: [
        [{ merchantTransactionId: 'o' }, 'merchantTransactionId'],
        [frame, 'date.from', 'date.to'],
      ],
    },
    {
      title: 'limit and pageNo are ignored with an id in the path.',
      in: context,
      base,
      passes: [{ limit: '100', pageNo: '2' }],
      refused: [],
    },
  ]),
];
