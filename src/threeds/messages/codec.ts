import { base64UrlBytes, type JsonObject, jsonObject, utf8Text } from '../../wallets/text.ts';

/** Larger than any message that comes through a browser. */
const CHARACTERS_MAX = 65_536;

/** The encoding of a message through a browser: JSON in base64url without padding. */
export const encodeMessage = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url');

/**
 * Decodes a message from a browser; null when it is no JSON object in base64url. Padding is accepted, because some servers send it.
 */
export function decodeMessage(text: string): JsonObject | null {
  if (text.length > CHARACTERS_MAX) return null;
  const bytes = base64UrlBytes(text.replace(/={1,2}$/, ''));
  const json = bytes && utf8Text(bytes);
  return json ? jsonObject(json) : null;
}

/**
 * Decodes a message that an issuer's page posted. Some write base64 with `+` and `/`, which an unescaped form turns into blanks, and some
 * break it into lines.
 */
export const decodeReturned = (text: string): JsonObject | null =>
  text.length > CHARACTERS_MAX
    ? null
    : decodeMessage(
        text
          .replace(/[\r\n\t]/g, '')
          .replace(/[+ ]/g, '-')
          .replaceAll('/', '_'),
      );

/** The data of the 3DS method: the authentication and the notification URL. */
export type MethodData = { readonly threeDSServerTransID: string; readonly threeDSMethodNotificationURL: string };

export const encodeMethodData = ({ threeDSServerTransID, threeDSMethodNotificationURL }: MethodData): string =>
  encodeMessage({ threeDSServerTransID, threeDSMethodNotificationURL });

/** Decodes method data; the issuer's notification contains only the id. */
export function decodeMethodData(text: string): Partial<MethodData> | null {
  const object = decodeMessage(text);
  if (object === null) return null;
  const { threeDSServerTransID: id, threeDSMethodNotificationURL: url } = object;
  return {
    ...(typeof id === 'string' && { threeDSServerTransID: id }),
    ...(typeof url === 'string' && { threeDSMethodNotificationURL: url }),
  };
}
