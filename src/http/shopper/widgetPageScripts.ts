/**
 * Sends the result to the shop's page, and to no other. The text of the page itself appears after a moment, when the frame is still
 * there: then the shop has not taken the result. A page without an origin cannot be named; the gateway has allowed it by then, and the
 * result holds no card data.
 */
export const resultScript = `{
  const { result, shop } = document.querySelector('main').dataset;
  if (shop && parent !== window) {
    document.documentElement.classList.add('sent');
    parent.postMessage({ turnpike: 1, result: JSON.parse(result) }, shop === 'null' ? '*' : shop);
  }
}`;

/** Polls for the end of the payment, less and less often, and goes there. The page stays as it is meanwhile. */
export const waitingScript = `{
  const { next } = document.querySelector('main').dataset;
  let pause = 2000;
  const ask = async () => {
    try {
      const { status } = await fetch(next, { cache: 'no-store', redirect: 'manual' });
      if (status !== 202 && status < 500) return location.replace(next);
    } catch {}
    pause = Math.min(pause * 1.5, 15000);
    setTimeout(ask, pause);
  };
  setTimeout(ask, pause);
}`;

/** Reports a missing checkout to the page of the shop through its own options, whenever they are set. */
export const missingCheckoutScript = `(function () {
  var isSent = false;
  function send() {
    if (isSent) return;
    isSent = true;
    var options = typeof wpwlOptions === 'undefined' ? window.wpwlOptions : wpwlOptions;
    var error = new Error('No payment session found for the requested id');
    error.name = 'InvalidCheckoutIdError';
    if (options && typeof options.onError === 'function') options.onError(error);
    else if (window.reportError) window.reportError(error);
  }
  // Pages set their options as late as when the document is there: they are asked after that, whichever of the two comes first.
  function soon() { setTimeout(send, 0); }
  if (document.readyState === 'complete') return soon();
  document.addEventListener('DOMContentLoaded', soon);
  window.addEventListener('load', soon);
})();
`;
