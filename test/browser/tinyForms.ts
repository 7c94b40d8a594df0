/**
 * The smallest forms that keep to the engine's contract, as a script: a holder and a button. They prove the engine alone; the real forms
 * have their own tests. A holder called BAD is not valid, and one called BROKEN cannot be sealed.
 */
export const tinyForms = `
const kindOf = (session, brand) => session.brands.find(({ name }) => name === brand)?.form;
function tiny(environment, key, brands, beforeHook) {
  const { document } = environment;
  const container = document.createElement('div');
  container.className = 'wpwl-container wpwl-container-' + key;
  const form = document.createElement('form');
  form.className = 'wpwl-form wpwl-form-' + key;
  const input = (name, value, type) => {
    const element = document.createElement('input');
    Object.assign(element, { name, value, type });
    form.append(element);
    return element;
  };
  input('paymentBrand', brands[0], 'hidden');
  const holder = input('card.holder', '', 'text');
  holder.className = 'wpwl-control wpwl-control-cardHolder';
  const sealed = input('sealedFields', '', 'hidden');
  const button = document.createElement('button');
  Object.assign(button, { name: 'pay', className: 'wpwl-button wpwl-button-pay', textContent: environment.text('submit') });
  form.append(button);
  container.append(form);
  return {
    key, brands, container, form, beforeHook,
    validate: async () => holder.value !== 'BAD',
    async prepare() {
      if (holder.value === 'BROKEN') throw Object.assign(new Error('not sealed'), { name: 'PciIframeSubmitError' });
      sealed.value = 'sealed for ' + environment.config.checkoutId;
    },
    setBusy(isBusy) { button.disabled = isBusy; },
    resetForRetry() { container.dataset.renewed = String(Number(container.dataset.renewed ?? 0) + 1); },
    unmount() { container.remove(); },
  };
}
startRuntime((environment, { brands, registrations }) => {
  const cards = brands.filter((brand) => kindOf(environment.session, brand) === 'card');
  const others = brands.filter((brand) => !cards.includes(brand));
  return [
    ...(registrations.length ? [tiny(environment, 'registration', ['VISA'], 'onBeforeSubmitOneClickCard')] : []),
    ...(cards.length ? [tiny(environment, 'card', cards, 'onBeforeSubmitCard')] : []),
    ...others.map((brand) => tiny(environment, kindOf(environment.session, brand) + '-' + brand, [brand], 'onBeforeSubmitOnlineTransfer')),
  ];
});
`;
