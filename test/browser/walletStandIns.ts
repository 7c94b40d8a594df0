/**
 * The wallets of two devices as pages meet them: they open only in a click, they check what they are asked, and they say everything in the
 * order in which the real ones say it. What the shopper does on a sheet is `wallet.agree(order)` and `wallet.close()`. Their tokens are not
 * theirs: `issueToken` of the page's surroundings makes them.
 */

const gesture = `
  let isInClick = false;
  const leave = () => { isInClick = false; };
  addEventListener('click', (event) => {
    isInClick = event.isTrusted || window.walletBefore?.believesScripts === true;
    setTimeout(leave);
  }, true);
  addEventListener('click', leave);
  const illegal = (text) => new DOMException(text, 'InvalidAccessError');
  const later = (act) => setTimeout(act, 5);
`;

/** `window.ApplePaySession` as Safari has it. `wallet.validationUrl` and the answers about availability can be changed beforehand. */
export const appleStandIn = `(() => {
  ${gesture}
  const wallet = window.wallet = { validationUrl: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
    isThere: true, isSecure: true, hasCard: true, status: 'paymentCredentialsAvailable', versionMax: 14, ...window.walletBefore };
  let shown = null;
  const line = (item) => typeof item?.label === 'string' && item.label !== '' && /^-?[0-9]+(\\.[0-9]{1,2})?$/.test(item.amount);
  function checkRequest(request) {
    const { countryCode, currencyCode, supportedNetworks, merchantCapabilities, total, lineItems = [] } = request;
    if (!/^[A-Z]{2}$/.test(countryCode) || !/^[A-Z]{3}$/.test(currencyCode)) throw new TypeError('country and currency');
    if (!supportedNetworks?.length || !merchantCapabilities?.includes('supports3DS')) throw new TypeError('networks and capabilities');
    if (!line(total) || total.type !== 'final' || !lineItems.every(line)) throw new TypeError('total and items');
  }
  class ApplePaySession {
    static STATUS_SUCCESS = 0;
    static STATUS_FAILURE = 1;
    static canMakePayments() {
      if (!wallet.isSecure) throw illegal('Trying to call an ApplePaySession API from an insecure document.');
      return wallet.isThere;
    }
    static supportsVersion(version) { return version <= wallet.versionMax; }
    static async canMakePaymentsWithActiveCard(id) { log.push(['activeCard', id]); return wallet.hasCard; }
    static async applePayCapabilities(id) { log.push(['capabilities', id]); return { paymentCredentialStatus: wallet.status }; }
    #request; #version; #stage = 'idle'; #total;
    constructor(version, request) {
      if (!isInClick) throw illegal('Must create a new ApplePaySession from a user gesture handler.');
      if (version > wallet.versionMax) throw illegal('"version" is not supported.');
      checkRequest(request);
      this.#version = version;
      this.#request = request;
      this.#total = request.total;
      wallet.request = JSON.parse(JSON.stringify(request));
      log.push('new ' + version);
    }
    #must(...stages) { if (!stages.includes(this.#stage)) throw illegal('not now: ' + this.#stage); }
    begin() {
      this.#must('idle');
      if (!isInClick) throw illegal('Must call begin from a user gesture handler.');
      if (shown) throw illegal('Page already has an active payment session.');
      shown = this;
      this.#stage = 'validating';
      log.push('begin');
      later(() => this.onvalidatemerchant ? this.onvalidatemerchant({ validationURL: wallet.validationUrl }) : this.close());
    }
    completeMerchantValidation(session) {
      this.#must('validating');
      if (!session.merchantSessionIdentifier || session.domainName !== location.hostname || session.expiresAt < Date.now())
        return this.close();
      log.push('validated ' + session.displayName);
      this.#stage = 'active';
      this.change('paymentMethod', { type: 'debit' });
    }
    /** The sheet waits for an answer where the page listens. */
    change(about, value) {
      const name = about.toLowerCase() + (about === 'couponCode' ? 'changed' : 'selected');
      this.#must('active');
      if (!this['on' + name]) return;
      this.#stage = 'changing ' + about;
      later(() => this['on' + name]({ [about]: value }));
    }
    #changed(about, update) {
      this.#must('changing ' + about);
      if (!line(update.newTotal)) throw new TypeError('newTotal');
      this.#total = update.newTotal;
      this.#stage = 'active';
      const errors = (update.errors ?? []).map((error) => [error.code, error.contactField, error.message]);
      log.push([about, update.newTotal.amount, (update.newLineItems ?? []).length, errors]);
    }
    completePaymentMethodSelection(update) { this.#changed('paymentMethod', update); }
    completeShippingMethodSelection(update) { this.#changed('shippingMethod', update); }
    completeShippingContactSelection(update) { this.#changed('shippingContact', update); }
    completeCouponCodeChange(update) { this.#changed('couponCode', update); }
    async agree(order, payment) {
      this.#must('active');
      this.#stage = 'authorized';
      const { amount } = this.#total;
      const token = await issueToken('walletA', { amount, currency: this.#request.currencyCode, ...order });
      const paymentMethod = { displayName: 'Card', network: 'Visa', type: 'debit' };
      this.onpaymentauthorized({ payment: { token: { paymentData: JSON.parse(token), paymentMethod, transactionIdentifier: 'A1' }, ...payment } });
    }
    completePayment({ status, errors = [] }) {
      this.#must('authorized');
      log.push(['completePayment', status, ...errors.map((error) => [error.code, error.contactField, error.message])]);
      // Who has failed may try another card on the same sheet.
      this.#stage = status === ApplePaySession.STATUS_SUCCESS ? 'done' : 'active';
      if (this.#stage === 'done') shown = null;
    }
    abort() {
      this.#must('validating', 'active', 'authorized', 'changing paymentMethod', 'changing shippingContact');
      this.#stage = 'aborted';
      shown = null;
      log.push('abort');
    }
    close() {
      this.#stage = 'cancelled';
      shown = null;
      this.oncancel?.({ type: 'cancel' });
    }
    get isActive() { return this.#stage === 'active'; }
  }
  window.ApplePaySession = ApplePaySession;
  window.ApplePayError = class { constructor(code, contactField, message) { Object.assign(this, { code, contactField, message }); } };
  Object.assign(wallet, {
    isActive: () => shown?.isActive === true,
    isShown: () => shown !== null,
    agree: (order, payment) => shown.agree(order, payment),
    change: (about, value) => shown.change(about, value),
    close: () => shown.close(),
  });
})();`;

/** What Google's script does with a page. */
export const googleStandIn = `(() => {
  ${gesture}
  const wallet = window.wallet = { isReady: true, ...window.walletBefore };
  let shown = null;
  const text = (value) => typeof value === 'string' && value !== '';
  function checkMethods({ apiVersion, allowedPaymentMethods }) {
    const [{ type, parameters }] = allowedPaymentMethods;
    if (apiVersion !== 2 || type !== 'CARD' || !parameters.allowedAuthMethods.length || !parameters.allowedCardNetworks.length)
      throw { statusCode: 'DEVELOPER_ERROR', statusMessage: 'allowedPaymentMethods' };
  }
  function checkRequest(request, callbacks) {
    checkMethods(request);
    const { tokenizationSpecification: { type, parameters } } = request.allowedPaymentMethods[0];
    const { totalPrice, totalPriceStatus, currencyCode, countryCode } = request.transactionInfo;
    const intents = request.callbackIntents ?? [];
    const isRight = type === 'PAYMENT_GATEWAY' && text(parameters.gateway) && text(parameters.gatewayMerchantId)
      && /^[0-9]+\\.[0-9]{2}$/.test(totalPrice) && totalPriceStatus === 'FINAL' && text(currencyCode) && text(countryCode)
      && intents.includes('PAYMENT_AUTHORIZATION') === ('onPaymentAuthorized' in callbacks);
    if (!isRight) throw { statusCode: 'DEVELOPER_ERROR', statusMessage: 'the request is wrong' };
  }
  class PaymentsClient {
    #callbacks;
    constructor({ environment, paymentDataCallbacks = {}, nonce }) {
      wallet.client = JSON.parse(JSON.stringify({ environment, nonce }));
      this.#callbacks = paymentDataCallbacks;
    }
    async isReadyToPay(request) {
      checkMethods(request);
      wallet.asked = JSON.parse(JSON.stringify(request));
      return { result: wallet.isReady };
    }
    createButton({ onClick, ...look }) {
      if (!['default', 'black', 'white'].includes(look.buttonColor)) throw new TypeError('buttonColor');
      wallet.look = JSON.parse(JSON.stringify(look));
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'gpay-button';
      button.textContent = 'Google Pay';
      button.addEventListener('click', onClick);
      const holder = document.createElement('div');
      holder.append(button);
      return holder;
    }
    loadPaymentData(request) {
      wallet.request = JSON.parse(JSON.stringify(request));
      if (!isInClick) return Promise.reject({ statusCode: 'INTERNAL_ERROR', statusMessage: 'the window was blocked' });
      if (shown) return Promise.reject({ statusCode: 'INTERNAL_ERROR', statusMessage: 'there is a sheet already' });
      log.push('sheet');
      return new Promise((resolve, reject) => {
        checkRequest(request, this.#callbacks);
        shown = { request, callbacks: this.#callbacks, resolve, reject };
      });
    }
  }
  window.google = { payments: { api: { PaymentsClient } } };
  Object.assign(wallet, {
    isShown: () => shown !== null,
    async agree(order, more) {
      const { request, callbacks, resolve } = shown;
      const { totalPrice, currencyCode } = request.transactionInfo;
      const { gateway, gatewayMerchantId } = request.allowedPaymentMethods[0].tokenizationSpecification.parameters;
      const token = await issueToken('walletB', { amount: totalPrice, currency: currencyCode, ...order }, gateway + ' ' + gatewayMerchantId);
      const paymentMethodData = { type: 'CARD', info: { cardNetwork: 'VISA', ...more?.info }, tokenizationData: { type: 'PAYMENT_GATEWAY', token } };
      const data = { apiVersion: 2, paymentMethodData, ...more?.data };
      const answer = await callbacks.onPaymentAuthorized?.(data);
      if (answer) log.push(['authorized', answer.transactionState, answer.error?.reason ?? null]);
      if (answer?.transactionState === 'ERROR') return;
      shown = null;
      resolve(data);
    },
    change: (data) => shown.callbacks.onPaymentDataChanged(data),
    fail(statusCode, statusMessage) {
      const { reject } = shown;
      shown = null;
      reject({ statusCode, statusMessage });
    },
    close: () => wallet.fail('CANCELED', 'User closed the Payment Request UI.'),
  });
})();`;
