import { appUrl, webUrl } from '../addresses.ts';
import { row, type Section } from '../row.ts';

/** Document 3, Asynchronous payments; what the answer carries is in response.ts. */
export const asynchronous = {
  shopperResultUrl: row('C', appUrl('AN 6-2048'), { note: 'Where the shopper arrives after paying elsewhere; an absolute URL.' }),
  notificationUrl: row('O', webUrl('AN 6-2048'), { note: 'Deprecated: use webhooks.' }),
} satisfies Section['rows'];
