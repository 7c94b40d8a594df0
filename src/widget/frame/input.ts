import type { FrameSetup } from '../protocol.ts';
import type { Field } from './fields.ts';

/** The one input of the page, as the setup wants it. */
export interface Dressed {
  dress(setup: FrameSetup): void;
  describe(error: string | null): void;
}

/** Masked like a password without being one, so that no password manager offers to keep it. */
const canMask = (): boolean => CSS.supports('-webkit-text-security', 'disc');

const setFlag = (element: Element, name: string, isSet: boolean): void => {
  if (isSet) element.setAttribute(name, 'true');
  else element.removeAttribute(name);
};

/** For one document with one input, and the element that says what is wrong with it. */
export function dressing(document: Document, input: HTMLInputElement, field: Field): Dressed {
  const error = document.createElement('p');
  error.id = 'error';
  error.className = 'heard';
  document.body.append(error);
  const plain = field.isNumeric ? 'tel' : 'text';
  return {
    dress(setup) {
      document.documentElement.lang = setup.language.replace('_', '-');
      document.documentElement.dir = setup.isRtl ? 'rtl' : 'ltr';
      document.title = setup.title;
      input.dir = field.isNumeric ? 'ltr' : 'auto';
      input.classList.toggle('rtl', setup.isRtl);
      input.setAttribute('aria-label', setup.label);
      input.placeholder = setup.placeholder;
      setFlag(input, 'aria-required', setup.isRequired);
      input.classList.toggle('masked', setup.isMasked);
      input.type = setup.isMasked && !canMask() ? 'password' : plain;
    },
    describe(text) {
      error.textContent = text;
      setFlag(input, 'aria-invalid', text !== null);
      if (text === null) input.removeAttribute('aria-describedby');
      else input.setAttribute('aria-describedby', error.id);
    },
  };
}
