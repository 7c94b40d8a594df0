import { SendAgain } from '../../payments/callbacks.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { jsonHeaders, type Reply, unnamed } from '../transport/reply.ts';

/** More than any acquirer sends in one notification. */
const BODY_BYTES_MAX = 1_048_576;
const PATH = /^\/v1\/connectors\/([a-z][a-zA-Z0-9]{0,63})\/([0-9a-f]{32})\.([a-z][a-zA-Z0-9]{0,63})\/notifications$/;

const said = (status: number, message: string): Reply => ({
  ...unnamed,
  status,
  headers: jsonHeaders,
  body: JSON.stringify({ message }),
});

/**
 * Takes the report of an acquirer. The connector of the account verifies the signature; the gateway acknowledges a report only when it has
 * stored it. A failure is answered with an error, so that the acquirer sends the report again.
 */
export async function receiveNotification({ notifications }: Pick<Services, 'notifications'>, request: Request): Promise<Reply> {
  const [, kind, ownerId, name] = PATH.exec(request.path) ?? [];
  if (kind === undefined || ownerId === undefined || name === undefined) return said(404, 'there is no such account');
  if (request.body.length > BODY_BYTES_MAX) return said(413, 'the notification is too long');
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([header, value]) =>
      value === undefined ? [] : [[header, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
  const receipt = await notifications({ kind, ownerId, name }, { headers, body: request.body }).catch((error: unknown) => {
    if (error instanceof SendAgain) return { is: 'early' } as const;
    throw error;
  });
  switch (receipt.is) {
    case 'early':
      return said(503, 'what this refers to is not known or not settled yet; send it again');
    case 'unknownAccount':
      return said(404, 'there is no such account');
    case 'refused':
      return said(401, 'the notification was not accepted');
    case 'accepted':
      return receipt.reply === null ? said(200, 'accepted') : { ...said(200, ''), body: receipt.reply };
  }
}
