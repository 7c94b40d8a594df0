import { timestamp } from '../dates.ts';
import { AN, labelled, lines, money10 } from '../formats.ts';
import { row, type Section } from '../row.ts';

/** Document 3, Risk. */
export const risk = {
  'risk.channelId': row('O', AN(1, 255), {
    note: 'Selects another rule set of the risk system than the configured one; one provider takes 12 characters.',
  }),
  'risk.serviceId': row('O', AN(1, 255), { note: 'Service of the risk system; one provider takes one character.' }),
  'risk.amount': row('O', money10, {
    note: 'The amount for risk checks and 3D Secure, when it is not the amount of the payment.',
  }),
  'risk.orderTimestamp': row('O', labelled('yyyy-MM-dd HH:mm:ss, 24h', timestamp), {
    note: 'When the order was made; the present by default.',
  }),
  'risk.brand': row('O', AN(1, 255), { note: 'The brand to check, when it is not paymentBrand.' }),
  'risk.parameters[name]': row('O', lines(0, 2048, 'name AN 3-64; value AN 0-2048'), {
    keepsEmpty: true,
    note: 'Anything else the risk system wants to know.',
  }),
  'risk.merchantWebsite': row('O', AN(1, 60)),
  'risk.accountToken': row('O', AN(1, 64), { note: 'What the merchant knows the account by.' }),
} satisfies Section['rows'];
