import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { openApi } from '../src/spec/openApi/openApi.ts';
import { CARD, DEMO } from './http/client.ts';
import { startGateway } from './http/gateway.ts';

/** A stock generator makes a Python client of the OpenAPI document, which pays. Skipped where Python or its packages are not to be had. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'turnpike-python-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: readonly string[]): string => join(folder, ...names);

const installed = await run('python3', ['-m', 'venv', at('venv')])
  .then(() => run(at('venv/bin/pip'), ['install', '-q', 'openapi-python-client']))
  .then(() => true)
  .catch(() => false);

const PROGRAM = `import sys, json
from shop.client import AuthenticatedClient
from shop.api.default import capture_payment, create_payment, read_payment, refund_payment
from shop.models import CapturePaymentBody, CreatePaymentBody, RefundPaymentBody

url, token, entity, card = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
client = AuthenticatedClient(base_url=url, token=token)
order = {**card, "entityId": entity, "currency": "EUR", "amount": "92.00", "paymentType": "PA"}
paid = create_payment.sync(client=client, body=CreatePaymentBody.from_dict(order))
money = {"entityId": entity, "currency": "EUR"}
captured = capture_payment.sync(paid.id, client=client, body=CapturePaymentBody.from_dict({**money, "amount": "40.00"}))
refunded = refund_payment.sync(captured.id, client=client, body=RefundPaymentBody.from_dict({**money, "amount": "10.00"}))
read = read_payment.sync(paid.id, client=client, entity_id=entity)
print(json.dumps([[one.result.code, one.amount] for one in (paid, captured, refunded, read)]))
`;

test('openapi-python-client: the client pays, captures, refunds and reads', { skip: !installed && 'no Python' }, async () => {
  const gateway = await startGateway();
  try {
    writeFileSync(at('openapi.json'), JSON.stringify(openApi(gateway.url)));
    const words = ['generate', '--path', at('openapi.json'), '--output-path', at('shop'), '--meta', 'none'];
    await run(at('venv/bin/openapi-python-client'), words, { maxBuffer: 10_000_000 });
    writeFileSync(at('pay.py'), PROGRAM);
    const { stdout } = await run(at('venv/bin/python'), [
      at('pay.py'),
      gateway.url,
      DEMO.token,
      DEMO.entityId,
      JSON.stringify(CARD),
    ]);
    const amounts = ['92.00', '40.00', '10.00', '92.00'];
    assert.deepEqual(
      JSON.parse(stdout),
      amounts.map((amount) => ['000.100.110', amount]),
    );
  } finally {
    await gateway.close();
  }
});
