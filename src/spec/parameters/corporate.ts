import { AN, N, oneOf } from '../formats.ts';
import { PHONE_OR_ARTICLE, row, type Section, TICKET_OR_TAX } from '../row.ts';

const lenient = true;

/** Document 2, Corporate. */
export const corporate = {
  'corporate.name': row('O', AN(1, 30), { lenient }),
  'corporate.description': row('O', AN(1, 160), { lenient }),
  'corporate.street': row('O', AN(1, 100), { lenient }),
  'corporate.address': row('O', AN(1, 100), { lenient, note: 'Second line of the address.' }),
  'corporate.city': row('O', AN(1, 80), { lenient }),
  'corporate.state': row('O', AN(1, 50), { lenient }),
  'corporate.postCode': row('O', AN(1, 16), { lenient }),
  'corporate.suite': row('O', AN(1, 30), { lenient }),
  'corporate.postboxNumber': row('O', AN(1, 15), { lenient }),
  'corporate.purchase': row('O', oneOf('Y or N (purchase indicator)', ['Y', 'N']), {
    note: 'Whether it is a corporate purchase.',
  }),
  'corporate.phone': row('O', N(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'corporate.fax': row('O', N(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'corporate.vatId': row('O', AN(0, 255), { scan: TICKET_OR_TAX }),
} satisfies Section['rows'];
