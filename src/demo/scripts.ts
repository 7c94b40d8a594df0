/** Copies the text of the element that a button names. Without the script, one click selects the whole text. */
const copying = `
for (const button of document.querySelectorAll('button[data-copy]')) {
  const words = button.textContent;
  const source = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('blur', () => { button.textContent = words; });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.dataset.text ?? source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
  });
}
`;

/** Another currency or language is another page; everything chosen stays. */
export const productScript = `
const form = document.querySelector('form.buy');
for (const name of ['quantity', 'currency', 'language']) {
  form.elements[name].addEventListener('change', () => {
    location.replace('/demo?' + new URLSearchParams(new FormData(form)));
  });
}
`;

/**
 * Shows one payment method at a time, and lists the widget's events for developers. It runs before the widget, which reads its options at
 * any time. The checkout is part of the address: a shopper who comes back finds the same order, paid or not.
 */
export const checkoutScript = `
const { checkout, integrity } = document.querySelector('[data-checkout]').dataset;
const address = new URL(location.href);
address.searchParams.set('checkout', checkout);
address.searchParams.set('integrity', integrity);
history.replaceState(null, '', address);
const choice = document.querySelector('fieldset.ways');
const list = document.getElementById('events');
function logEvent(name, about) {
  const line = document.createElement('li');
  const code = document.createElement('code');
  code.textContent = name;
  line.append(code, ' ', about === undefined ? '' : JSON.stringify(about));
  list.append(line);
}
Object.assign(wpwlOptions, {
  onReady(containers) {
    logEvent('onReady', containers.map(({ containerKey }) => containerKey));
    document.documentElement.dataset.ready = 'yes';
  },
  onChangeBrand(brand) { logEvent('onChangeBrand', brand); },
  onAfterSubmit() {
    choice.disabled = true;
    logEvent('onAfterSubmit');
  },
  onLoadThreeDIframe() { logEvent('onLoadThreeDIframe'); },
  onLightboxCancel() {
    choice.disabled = false;
    logEvent('onLightboxCancel');
  },
  onError({ name, message }) {
    choice.disabled = false;
    logEvent('onError', { name, message });
  },
  onResult({ outcome, code }) {
    choice.disabled = outcome === 'success' || outcome === 'pending';
    logEvent('onResult', { outcome, code });
  },
});
addEventListener('pageshow', () => { choice.disabled = false; });
const ways = [...document.querySelectorAll('input[name=way]')];
function choose() {
  for (const { value, checked } of ways) document.querySelector('[data-way=' + value + ']').hidden = !checked;
}
for (const way of ways) way.addEventListener('change', choose);
choose();
const settings = document.getElementById('settings');
settings.querySelector('button').hidden = true;
settings.addEventListener('change', () => { settings.submit(); });
${copying}`;

export const resultScript = copying;
