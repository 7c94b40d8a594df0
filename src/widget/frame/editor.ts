import type { FieldState, FrameSetup, FromFrame } from '../protocol.ts';
import type { Today } from '../runtime/forms/checks.ts';
import { candidatesOf, digitsOf, type Field, type Value } from './fields.ts';

/** The state of a field as the page sees it, without its value. */
type State = FieldState & { readonly isComplete: boolean };

const BIN_DIGITS = 6;

type Brands = Extract<FromFrame, { readonly is: 'brands' }>;

/** The brands a number may be of, and its first six digits: as much as a page needs to look up the card's bank. */
function brandsIn(text: string, { brands }: FrameSetup): Brands {
  const digits = digitsOf(text);
  const bin = digits.length < BIN_DIGITS ? null : digits.slice(0, BIN_DIGITS);
  return { is: 'brands', brands: candidatesOf(digits, brands), bin };
}

/** Reports changes to the page. An initially empty field is not reported. */
type Report = (now: { readonly text: string; readonly state: State; readonly setup: FrameSetup }, isFirst: boolean) => void;

/** For one field. */
function createReport(send: (message: FromFrame) => void): Report {
  let sentState = '';
  let sentBrands = '';
  return ({ text, state, setup }, isFirst) => {
    const stateNow = Object.values(state).join();
    const message = setup.field === 'card.number' ? brandsIn(text, setup) : null;
    const brandsNow = message === null ? '' : `${message.brands.join()} ${message.bin}`;
    // A new setup needs the full state again.
    const haveBrandsChanged = isFirst ? !state.isEmpty : brandsNow !== sentBrands;
    const hasStateChanged = isFirst ? !state.isEmpty : stateNow !== sentState;
    sentState = stateNow;
    sentBrands = brandsNow;
    if (message !== null && haveBrandsChanged) send(message);
    if (hasStateChanged) send({ is: 'change', ...state });
  };
}

/** The input and its editing. */
export interface Editor {
  state(): State;
  /** Its values for the gateway, by wire names; none when it is empty. */
  values(): Readonly<Record<string, string>>;
  report(isFirst?: boolean): void;
  clear(): void;
  /** Formats the current text by the current setup. */
  reformat(): void;
}

type EditorOptions = {
  readonly window: Window;
  readonly input: HTMLInputElement;
  readonly kind: Field;
  readonly setup: () => FrameSetup;
  readonly today: () => Today;
  readonly send: (message: FromFrame) => void;
};

/** The keys, the caret and the page's life around one input. */
export function createEditor({ window, input, kind, setup, today, send }: EditorOptions): Editor {
  const reportChanges = createReport(send);
  let before = input.value;
  // Keeps text typed before the script loaded, but not text that the browser restored.
  let isTouched = window.document.activeElement === input && input.value !== '';
  let isComposing = false;

  const fieldContext = () => ({ setup: setup(), today: today() });
  function state(): State {
    const isEmpty = input.value.trim() === '';
    const ifEmpty = setup().isRequired ? 'empty' : null;
    const fault = isEmpty ? ifEmpty : kind.fault(input.value, fieldContext());
    return { isValid: fault === null, isEmpty, fault, isComplete: !isEmpty && kind.isWhole(input.value, fieldContext()) };
  }
  const report = (isFirst = false): void => reportChanges({ text: input.value, state: state(), setup: setup() }, isFirst);
  const edited = (how: string, caret: number): Value => kind.edit({ text: input.value, caret, kind: how, before }, setup());
  function show({ text, caret }: Value): void {
    before = text;
    if (input.value === text && input.selectionStart === caret) return;
    input.value = text;
    if (window.document.activeElement === input) input.setSelectionRange(caret, caret);
  }
  function clear(): void {
    input.value = '';
    before = '';
    report();
  }
  function onInput(event: Event): void {
    isTouched = true;
    if (event.type.startsWith('composition')) isComposing = event.type === 'compositionstart';
    // Signs that an input method is still working on belong to it.
    if (isComposing) return;
    show(edited((event as Partial<InputEvent>).inputType ?? '', input.selectionStart ?? input.value.length));
    report();
  }
  function tidy(caret: number): void {
    const value = edited('', caret);
    if (!isComposing && value.text !== input.value) show(value);
  }

  for (const type of ['input', 'change', 'compositionstart', 'compositionend']) input.addEventListener(type, onInput);
  input.addEventListener('blur', () => {
    tidy(input.value.length);
    const { isValid, isEmpty, fault } = state();
    send({ is: 'blur', isValid, isEmpty, fault });
  });
  // Typed text is not kept for the next visitor, neither by us nor by the browser.
  window.addEventListener('pagehide', clear);
  window.addEventListener('pageshow', () => isTouched || clear());
  reportKeys(input, send);

  const values = () => (state().isEmpty ? {} : kind.values(input.value, fieldContext()));
  return { state, values, report, clear, reformat: () => tidy(input.selectionStart ?? 0) };
}

function reportKeys(input: HTMLInputElement, send: EditorOptions['send']): void {
  input.addEventListener('focus', () => send({ is: 'focus' }));
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return;
    // The browser moves the focus by itself where it can.
    send({ is: 'leave', isBackward: event.shiftKey });
  });
  // The enter key, and whatever a telephone's keyboard has in its place. There is no button that could do it.
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    send({ is: 'enter' });
  });
}
