/** `5` and `5,5` as the API has amounts: `5.00`, `5.50`. Anything else is sent as it is, and the server says what is wrong. */
export function decimal(text: string): string {
  const [, whole, cents = ''] = /^\s*([0-9]{1,10})(?:[.,]([0-9]{0,2}))?\s*$/.exec(text) ?? [];
  return whole === undefined ? text.trim() : `${whole}.${cents.padEnd(2, '0')}`;
}
