import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ONE_TIME_CODE } from '../../spec/cards/testCards.ts';
import type { Authentication } from '../authentication.ts';
import {
  ACS_URL,
  acs,
  arrive,
  authenticateUpToAnswer,
  codeIn,
  exampleDeviceInfo,
  exampleRequest,
  fieldsIn,
  finishFlow,
  NOW,
  ORIGIN,
  press,
  TRANS_ID,
  ticketIn,
} from '../examples.ts';
import { type CReq, type CRes, decodeMessage, encodeMessage } from '../messages/message.ts';
import { faultsOf } from '../messages/validate.ts';
import { challengeForm } from '../shopper.ts';
import { createAcs } from './acs.ts';
import { seal, unseal, uuidFrom } from './seal.ts';

const standing = ({ phase }: Authentication): string => (phase.at === 'done' ? phase.outcome.kind : phase.at);
const challenged = async (fields: object = {}, number = '4200000000000018') =>
  (await authenticateUpToAnswer(exampleRequest({ fields: { ...fields } }), number)).authentication;
const minute = 60_000;

test('a wrong code may be tried twice more, then it is over', async () => {
  const authentication = await challenged();
  let step = arrive(authentication);
  const right = codeIn(step);
  const wrong = right === '000000' ? '000001' : '000000';
  for (const left of [2, 1]) {
    step = press(step, 'submit', { code: wrong });
    assert.match(step.page.html, new RegExp(`role="alert">[^<]*${left}<`));
    assert.deepEqual(step.sends, []);
  }
  step = press(step, 'submit', { code: wrong });
  const { authentication: after } = finishFlow(authentication, step);
  assert.equal(standing(after), 'failed');
  assert.ok(after.phase.at === 'done');
  assert.deepEqual([after.phase.outcome.transStatusReason, after.phase.outcome.authenticationValue], ['19', null]);
});

test('the right code after a wrong one, with blanks in it', async () => {
  const authentication = await challenged();
  const step = press(arrive(authentication), 'submit', { code: 'x' });
  const code = codeIn(step);
  const end = press(step, 'submit', { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
  assert.equal(standing(finishFlow(authentication, end).authentication), 'authenticated');
  assert.equal(end.sends[0]?.rreq.interactionCounter, '02');
});

test('a code that is sent again is the same documented one', async () => {
  const authentication = await challenged();
  const first = arrive(authentication);
  const second = press(first, 'resend');
  assert.deepEqual([codeIn(first), codeIn(second)], [ONE_TIME_CODE, ONE_TIME_CODE]);
  assert.match(second.page.html, /role="status"/);
  assert.equal(
    standing(finishFlow(authentication, press(second, 'submit', { code: codeIn(second) })).authentication),
    'authenticated',
  );
});

test('cancelled, refused, too late', async () => {
  const authentication = await challenged();
  assert.equal(standing(finishFlow(authentication, press(arrive(authentication), 'cancel')).authentication), 'cancelled');
  const step = arrive(authentication);
  const late = press(step, 'submit', { code: codeIn(step), now: NOW + 11 * minute });
  assert.equal(standing(finishFlow(authentication, late).authentication), 'expired');
  assert.equal(standing(finishFlow(authentication, arrive(authentication, NOW + 11 * minute)).authentication), 'expired');
  const inApp = await challenged({ 'customParameters[SIMULATOR_3dsPage]': 'app' });
  assert.equal(standing(finishFlow(inApp, press(arrive(inApp), 'deny')).authentication), 'failed');
  assert.equal(standing(finishFlow(inApp, press(arrive(inApp), 'cancel')).authentication), 'cancelled');
});

test('what does not belong to the page changes nothing', async () => {
  const authentication = await challenged();
  const step = arrive(authentication);
  for (const action of ['confirm', 'deny', 'fly', '']) {
    const odd = press(step, action, { code: codeIn(step) });
    assert.deepEqual([odd.status, odd.sends], [400, []], action);
  }
  const { state = '' } = fieldsIn(step.page.html);
  for (const broken of ['', 'x', `${state}x`, state.slice(2), `${state}.x`, state.split('.')[0] ?? '']) {
    const odd = acs.act({ state: broken, action: 'submit', code: codeIn(step) }, NOW);
    assert.deepEqual([odd.status, odd.sends], [400, []]);
  }
  const ticket = ticketIn(challengeForm(authentication, '')?.url ?? '');
  assert.equal(acs.act({ state: ticket, action: 'submit' }, NOW).status, 400, 'a ticket is no state');
});

test('a request must be of the challenge whose address it is sent to', async () => {
  const authentication = await challenged();
  const form = challengeForm(authentication, '');
  assert.ok(form);
  const creq = decodeMessage(form.parameters[0]?.value ?? '') as unknown as CReq;
  assert.deepEqual(faultsOf('CReq', creq), []);
  const ticket = ticketIn(form.url);
  const open = (changed: object, at = ticket) => acs.open(at, { creq: encodeMessage({ ...creq, ...changed }) }, NOW).status;
  assert.equal(open({}), 200);
  assert.equal(open({ acsTransID: uuidFrom('k', 'p', 't') }), 400);
  assert.equal(open({ threeDSServerTransID: uuidFrom('k', 'p', 't') }), 400);
  assert.equal(open({}, `${ticket}x`), 400);
  assert.equal(open({}, ''), 400);
  assert.equal(acs.open(ticket, {}, NOW).status, 400);
  assert.equal(acs.open(ticket, { creq: 'nonsense' }, NOW).status, 400);
});

test('another node, or the same after a restart, goes on where the first one was; another key does not', async () => {
  const authentication = await challenged();
  const step = arrive(authentication);
  const { state } = fieldsIn(step.page.html);
  const posted = { state, action: 'submit', code: codeIn(step) };
  const other = createAcs({ url: ACS_URL });
  assert.equal(standing(finishFlow(authentication, other.act(posted, NOW)).authentication), 'authenticated');
  assert.equal(createAcs({ url: ACS_URL, key: 'another' }).act(posted, NOW).status, 400);
});

test('the shopper is sent back to servers that are listed, and to no other', async () => {
  const authentication = await challenged();
  const step = arrive(authentication);
  const posted = { state: fieldsIn(step.page.html).state, action: 'submit', code: codeIn(step) };
  const sentTo = (origins: readonly string[]) => fieldsIn(createAcs({ url: ACS_URL, origins }).act(posted, NOW).page.html).cres;
  assert.ok(sentTo([ORIGIN]) !== undefined);
  assert.equal(sentTo(['https://other.example']), undefined);
});

test('the shopper returns with the session data that was sent', async () => {
  const authentication = await challenged();
  const step = arrive(authentication);
  const fields = fieldsIn(press(step, 'submit', { code: codeIn(step) }).page.html);
  assert.equal(Buffer.from(fields.threeDSSessionData ?? '', 'base64url').toString(), 'session');
  const cres = decodeMessage(fields.cres ?? '');
  assert.deepEqual(faultsOf('CRes', cres), []);
  assert.deepEqual([cres?.threeDSServerTransID, cres?.transStatus], [TRANS_ID, 'Y']);
  const cancelled = decodeMessage(fieldsIn(press(step, 'cancel').page.html).cres ?? '');
  assert.equal(cancelled?.transStatus, 'N');
});

test('the longest names still fit into an address of the protocol', async () => {
  const fields = { 'threeDSecure.merchant.name': '界'.repeat(40) };
  const authentication = await challenged(fields);
  assert.ok(authentication.phase.at === 'challenge');
  assert.ok((authentication.phase.acsUrl ?? '').length <= 1700);
});

/** An app: it reads where to ask, asks, and answers. */
async function inApp(page: string) {
  const fields = { 'threeDSecure.deviceInfo': exampleDeviceInfo, 'customParameters[SIMULATOR_3dsPage]': page };
  const authentication = await challenged(fields);
  const [, content = ''] = (authentication.acsSignedContent ?? '').split('.');
  const ticket = ticketIn(String(decodeMessage(content)?.acsURL));
  const ask = (more: Partial<CReq>) => {
    const { threeDSServerTransID, acsTransID, sdkTransID, version } = authentication;
    return acs.app(
      ticket,
      { messageType: 'CReq', messageVersion: version, threeDSServerTransID, acsTransID, sdkTransID, ...more },
      NOW,
    );
  };
  return { authentication, ask };
}

test('an app is asked, answers, and may be wrong three times', async () => {
  const { authentication, ask } = await inApp('code');
  const first = ask({ sdkCounterStoA: '000' }).reply as CRes;
  assert.deepEqual(faultsOf('CRes', first), []);
  assert.equal(first.challengeCompletionInd, 'N');
  const code = /([0-9]{6})$/.exec(first.challengeInfoText ?? '')?.[1] ?? '';
  const right = ask({ sdkCounterStoA: '001', challengeDataEntry: code });
  assert.deepEqual(faultsOf('CRes', right.reply), []);
  assert.equal((right.reply as CRes).transStatus, 'Y');
  const rreq = right.sends[0]?.rreq;
  assert.ok(rreq);
  assert.equal(rreq.sdkTransID, authentication.sdkTransID);
  assert.equal(ask({ sdkCounterStoA: '002', challengeDataEntry: 'x' }).sends.length, 0);
  const wrong = ask({ sdkCounterStoA: '003', challengeDataEntry: 'x' });
  assert.deepEqual([wrong.sends[0]?.rreq.transStatus, wrong.sends[0]?.rreq.transStatusReason], ['N', '19']);
  const cancelled = ask({ sdkCounterStoA: '001', challengeCancel: '01' });
  assert.equal(cancelled.sends[0]?.rreq.challengeCancel, '01');
  assert.equal((ask({ sdkTransID: TRANS_ID }).reply as { errorCode?: string }).errorCode, '301');
});

test('an app confirms out of band', async () => {
  const { ask } = await inApp('app');
  assert.equal((ask({ sdkCounterStoA: '000' }).reply as CRes).acsUiType, '04');
  assert.equal(ask({ sdkCounterStoA: '001', oobContinue: true }).sends[0]?.rreq.authenticationType, '03');
});

test('what is sealed opens with its key and for its purpose, unchanged', () => {
  const sealed = seal('key', 'a', { n: 1 });
  assert.deepEqual({ ...unseal('key', 'a', sealed) }, { n: 1 });
  assert.equal(unseal('key', 'b', sealed), null);
  assert.equal(unseal('other', 'a', sealed), null);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    // The last character of the hash has bits that nobody reads.
    if (at < sealed.length - 1) assert.equal(unseal('key', 'a', changed), null, changed);
  }
});
