/**
 * How an attempt that ended with a code counts in the rules about earlier attempts. `declined`: somebody looked at the card and said no.
 * `unbooked`: nothing is booked, and the end says nothing about the card: the acquirer was away or wrongly set up, or the shopper left.
 * `open`: something may be booked all the same.
 */
export type CountsAs = 'declined' | 'unbooked' | 'open';

/** Beginnings of codes, blanks between them. The longest that fits a code decides; a code that none fits counts as declined. */
const beginnings: readonly (readonly [counts: CountsAs, codes: string])[] = [
  // The shopper left, or the merchant called the payment off.
  ['unbooked', '100.396 100.395.501 100.395.502 100.397.101 900.300'],
  // No answer, no connection, maintenance, too many requests, an error of a system.
  ['unbooked', '900. 999. 600.1 800.120.100 800.500.110 800.800.4 800.800.8'],
  // The account or the channel is wrongly set up, or has used up its own limit.
  ['unbooked', '500. 600.2 800.100.164 800.100.190'],
  // 3D Secure was not available: no issuer has judged.
  ['unbooked', '000.400.103 000.400.104 000.400.107 100.390.105 100.390.106 100.390.108 100.390.111 100.390.112 100.390.116'],
  // The same for external risk checks.
  ['unbooked', '000.400.200 100.380.501 100.400.007 100.400.051 100.400.071 100.400.091 100.400.130 100.400.139 100.400.143'],
  ['unbooked', '100.400.145 100.400.150 100.400.152 100.400.312 100.400.322 100.400.323 100.400.324 100.400.325 100.400.327'],
  // The outcome is uncertain, another one is still worked on, or a part could not be taken back.
  ['open', '900.100.300 700.400.570 800.600 000.400.030'],
];

const countsByBeginning: ReadonlyMap<string, CountsAs> = new Map(
  beginnings.flatMap(([counts, codes]) => codes.split(' ').map((beginning) => [beginning, counts] as const)),
);

/** For a code that is no approval. */
export function countsAs(code: string): CountsAs {
  for (let length = code.length; length > 0; length -= 1) {
    const counts = countsByBeginning.get(code.slice(0, length));
    if (counts) return counts;
  }
  return 'declined';
}
