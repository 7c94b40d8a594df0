/**
 * Tells the shop's page, and nobody else, how it ended. What the page itself has to say appears after a moment, when the frame is still
 * there: then nobody has taken the message. A page without an origin cannot be named; the gateway has allowed it by then, and nothing of a
 * card is told.
 */
export const resultScript = `{
  const { result, shop } = document.querySelector('main').dataset;
  if (shop && parent !== window) {
    document.documentElement.classList.add('told');
    parent.postMessage({ turnpike: 1, result: JSON.parse(result) }, shop === 'null' ? '*' : shop);
  }
}`;

/** Asks whether there is news, less and less often, and goes there when there is. The page stays as it is meanwhile. */
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

/** A page whose script has no checkout to show is told so in the way it listens for: by its own options, whenever they are set. */
export const nobodyKnows = `(function () {
  var isTold = false;
  function tell() {
    if (isTold) return;
    isTold = true;
    var options = typeof wpwlOptions === 'undefined' ? window.wpwlOptions : wpwlOptions;
    var error = new Error('No payment session found for the requested id');
    error.name = 'InvalidCheckoutIdError';
    if (options && typeof options.onError === 'function') options.onError(error);
    else if (window.reportError) window.reportError(error);
  }
  // Pages set their options as late as when the document is there: they are asked after that, whichever of the two comes first.
  function soon() { setTimeout(tell, 0); }
  if (document.readyState === 'complete') return soon();
  document.addEventListener('DOMContentLoaded', soon);
  window.addEventListener('load', soon);
})();
`;
