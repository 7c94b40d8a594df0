import type { Call, ShownField } from '../../people/calls/needs.ts';

/** What stands in the line for what was masked: something to try with, where there is such a thing. */
const placeholders: Readonly<Record<string, string>> = {
  'card.number': '4200000000000000',
  'card.cvv': '123',
  'bankAccount.iban': 'DE23100000001234567890',
};

/** Never repeated, and taken from the environment of whoever runs the line. */
const TOKEN = '-H "Authorization: Bearer $ACCESS_TOKEN"';

/** A word of a shell's command line, whatever it holds. */
const quoted = (text: string): string => (/^[\w.:/=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function fieldOf({ name, value, isMasked }: ShownField): string {
  const text = isMasked ? (placeholders[name] ?? `<${name}>`) : value;
  return `${/[^\w.:/@[\]-]/.test(text) ? '--data-urlencode' : '-d'} ${quoted(`${name}=${text}`)}`;
}

/** Parameters that are of no use in such a line: user and password are in the token. */
const isSent = ({ name }: ShownField): boolean => name !== '***' && !/^authentication\.(?:userId|password)$/.test(name);

/** The line that does the same from a terminal. */
export function curlOf({ method, path, fields, hasIdempotencyKey }: Call, origin: string): string {
  const verb = { GET: '-G ', DELETE: '-G -X DELETE ' }[method] ?? '';
  return [
    `curl ${verb}${quoted(origin + path)}`,
    TOKEN,
    ...(hasIdempotencyKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...fields.filter(isSent).map(fieldOf),
  ].join(' \\\n  ');
}
