import { checkAnswer } from './answerSchema.ts';
import { DEMO, type Reply } from './client.ts';

/** A client of the administration API: JSON out, JSON back. */
export function createAdministrator(url: string, token: string | null = DEMO.token) {
  async function ask(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Reply['body'];
    checkAnswer(method, `/admin/v1${path}`, response.status, answer);
    return { status: response.status, code: answer.result?.code, id: answer.id, headers: response.headers, body: answer };
  }
  return {
    ask,
    create: (fields: object) => ask('POST', '/webhooks', { entityId: DEMO.merchantId, name: 'Orders', ...fields }),
    list: (entityId: string) => ask('GET', `/webhooks?entityId=${entityId}`),
    read: (id: string) => ask('GET', `/webhooks/${id}`),
    change: (id: string, fields: object) => ask('POST', `/webhooks/${id}`, fields),
    remove: (id: string) => ask('DELETE', `/webhooks/${id}`),
    test: (id: string) => ask('POST', `/webhooks/${id}/test`),
    rotate: (id: string, fields: object = {}) => ask('POST', `/webhooks/${id}/keys`, fields),
    off: (id: string) => ask('POST', `/webhooks/${id}/off`),
    deliveries: (id: string, query = '') => ask('GET', `/webhooks/${id}/deliveries${query}`),
    delivery: (id: string, delivery: string) => ask('GET', `/webhooks/${id}/deliveries/${delivery}`),
    resend: (id: string, fields: object) => ask('POST', `/webhooks/${id}/resend`, fields),
  };
}
