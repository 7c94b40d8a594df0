/** `card_123456789012`: pages cut the number off to learn the method. */
export function newId(key: string): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte % 10).join('');
  return `${key.split('-')[0]}_${digits}`;
}
