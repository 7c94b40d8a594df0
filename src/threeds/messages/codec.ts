import { base64UrlBytes, type JsonObject, jsonObject, utf8Text } from '../../wallets/text.ts';

/** More than any message that comes through a browser can have. */
const CHARACTERS_MAX = 65_536;

/** A message as it travels through a browser: JSON in base64url without padding. */
export const encodeMessage = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url');

/**
 * What came through a browser; null when it is no JSON object in base64url. Padding is forgiven: there are servers that send
 * it.
 */
export function decodeMessage(text: string): JsonObject | null {
  if (text.length > CHARACTERS_MAX) return null;
  const bytes = base64UrlBytes(text.replace(/={1,2}$/, ''));
  const json = bytes && utf8Text(bytes);
  return json ? jsonObject(json) : null;
}

/** What the hidden frame posts to the issuer: whose authentication it is and where to say that it is done. */
export type MethodData = { readonly threeDSServerTransID: string; readonly threeDSMethodNotificationURL: string };

export const encodeMethodData = ({ threeDSServerTransID, threeDSMethodNotificationURL }: MethodData): string =>
  encodeMessage({ threeDSServerTransID, threeDSMethodNotificationURL });

/** The two texts of method data; the notification of the issuer has the id alone. */
export function decodeMethodData(text: string): Partial<MethodData> | null {
  const object = decodeMessage(text);
  if (object === null) return null;
  const { threeDSServerTransID: id, threeDSMethodNotificationURL: url } = object;
  return {
    ...(typeof id === 'string' && { threeDSServerTransID: id }),
    ...(typeof url === 'string' && { threeDSMethodNotificationURL: url }),
  };
}
