/** The rules of webhook addresses. The outbound client checks the resolved address at every call. */

const LENGTH_MAX = 2_048;
const LIVE_PORTS: readonly string[] = ['', '80', '443'];

/** Why a webhook cannot have this address, as a sentence; null when it can. */
export function addressFault(text: string, environment: 'test' | 'live'): string | null {
  if (text.length > LENGTH_MAX) return `must have at most ${LENGTH_MAX} characters`;
  const url = URL.parse(text);
  if (!url || /[\s\p{C}]/u.test(text)) return 'must be an address such as https://shop.example/hook';
  if (environment === 'live' && url.protocol !== 'https:') return 'must begin with https://';
  if (!['https:', 'http:'].includes(url.protocol)) return 'must begin with https://, or http:// in the test environment';
  if (url.username !== '' || url.password !== '') return 'must not carry a name or a password';
  if (text.includes('#')) return 'must not have a fragment';
  if (environment === 'live' && !LIVE_PORTS.includes(url.port)) return 'must be on port 443 or 80';
  return null;
}
