import assert from 'node:assert/strict';

/** Asks the platform for the capture, after the commands of docs/goingLive.md. */
export const FAR_QUERY = `echo
echo "far: $(curl -s "http://127.0.0.1:9080/v1/query?entityId=5eed0000000000000000000000000001&merchantTransactionId=$CAPTURED" -H "Authorization: Bearer NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v")"`;

/** What doctor finds after the guide: what is only good for trying out, and the machine and the database server of the test. */
const EXPECTED =
  /^(?:tls\.|dns\.private|disk\.|time\.|configuration\.openFiles|gateway\.running|postgres\.(?:archiving|durability))/;

/** What the commands of docs/goingLive.md must have printed. */
export function assertWentLive(said: string): void {
  assert.match(said, /"paymentType":"RF"[^\n]*"code":"000\.000\.000"/, said);
  assert.match(said, /far: .*"paymentType":"CP".*"code":"000\.100\.110"/, said);
  assert.match(said, /platform\s+upstream\s+on\s+complete/);
  assert.match(said, /"state": *"active"/, 'the webhook of the platform');
  assert.match(said, /^https:\/\/[a-z0-9.]+:\d+\/welcome#/m);
  assert.match(said, /^ann@shop\.example\s+Ann\s+invited/m);
  assert.match(said, /is good: .* 3 payments, 6 postings/);
  assert.match(said, /books are in order: 6 postings/);
  const found = [...said.matchAll(/^(?:error|warning|note) +(\S+)/gim)].map(([, id = '']) => id);
  assert.deepEqual(
    found.filter((id) => !EXPECTED.test(id)),
    [],
    said,
  );
}
