import type { Decoded } from '../../form/decode.ts';
import { describeUnknown, type UnknownName, unknownNames } from '../../form/unknownNames.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import type { Reply } from '../transport/reply.ts';

/** The header that names unknown parameters in the test environment, as a list of RFC 9651: `"crad.number";nearest="card.number"`. */
const UNKNOWN_PARAMETERS = 'Unknown-Parameters';

const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;

const itemOf = ({ name, nearest, instead }: UnknownName): string =>
  [
    quoted(name),
    ...(nearest === null ? [] : [`nearest=${quoted(nearest)}`]),
    ...(instead === null ? [] : [`instead=${quoted(instead)}`]),
  ].join(';');

/**
 * The reply with a hint about parameters that the endpoint does not read. They are no fault: clients send fields of their own. A reply to
 * a form without any is the same value, so a plain payment waits for nothing more.
 */
export function withUnknownParameters(
  reply: Reply | Promise<Reply>,
  decoded: Decoded,
  endpoint: EndpointName,
): Reply | Promise<Reply> {
  if (decoded.rest === undefined || !('then' in reply)) return hinted(reply, unknownNames(decoded, endpoint), endpoint);
  // A long form is not searched once more: `check` has noted them by then.
  return reply.then((made) =>
    decoded.unknown?.by === endpoint ? hinted(made, unknownNames(decoded, endpoint), endpoint) : made,
  );
}

function hinted(reply: Reply | Promise<Reply>, names: readonly string[], endpoint: EndpointName): Reply | Promise<Reply> {
  if (names.length === 0) return reply;
  const items = describeUnknown(names, endpoints[endpoint].sections).map(itemOf).join(', ');
  const add = (made: Reply): Reply => ({ ...made, headers: [...made.headers, UNKNOWN_PARAMETERS, items] });
  return 'then' in reply ? reply.then(add) : add(reply);
}
