import { resultCodes as catalogue } from '../../spec/resultCodes.ts';
import { jsonHeaders, type Reply } from '../server/reply.ts';

const body = JSON.stringify({
  resultCodes: Object.entries(catalogue).map(([code, { text }]) => ({ code, description: text })),
});
const reply: Reply = { status: 200, headers: jsonHeaders, body, code: null, ndc: null, entityId: null };

/** Every result code with its text. Public. */
export const resultCodes = (): Reply => reply;
