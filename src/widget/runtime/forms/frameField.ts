import type { Hooks } from '../../options.ts';
import type { FrameField as FieldName, FieldState, FrameFault, FrameSetup, FromFrame } from '../../protocol.ts';
import type { ErrorKey, TextKey } from '../../texts.ts';
import { drawGroup } from './field.ts';
import type { Field, FormBuilder } from './formBuilder.ts';
import { createFrameClient, type FrameClient } from './frameClient.ts';

/** A field that lives in a frame. */
export type Framed = Field & { readonly client: FrameClient; isRequired: boolean; arrive(): void };

export type FramedFieldOptions = {
  readonly name: string;
  readonly field: FieldName;
  /** Frames of one group are sealed together. */
  readonly frames: string;
  readonly label: TextKey;
  readonly placeholder: string;
  readonly isRequired: boolean;
  readonly setup?: Partial<FrameSetup>;
  /** The error for a value that is not right. */
  readonly faultIn: (fault: FrameFault) => ErrorKey;
  readonly errors: readonly ErrorKey[];
  readonly blurHook: keyof Hooks;
  readonly onMessage?: (message: FromFrame) => void;
};

/** The frame, or one that was begun before, with everything that pages know it by. */
function setFrameAttributes(
  { environment }: FormBuilder,
  { name, field, label, placeholder }: FramedFieldOptions,
  iframe: HTMLIFrameElement,
): void {
  iframe.className = `wpwl-control wpwl-control-iframe wpwl-control-${name}`;
  const attributes = {
    name: field,
    title: environment.text(label),
    placeholder: placeholder || environment.text(label),
    frameborder: '0',
    scrolling: 'no',
    // Weaker than any rule of a sheet, and not the browser's own 150 pixels where there is none.
    height: '44',
    width: '100%',
    allow: 'payment',
  };
  for (const [attribute, value] of Object.entries(attributes)) iframe.setAttribute(attribute, value);
}

const nothing: Omit<FrameSetup, 'field' | 'style' | 'placeholderStyle'> = {
  language: 'en',
  isRtl: false,
  label: '',
  placeholder: '',
  title: '',
  isRequired: true,
  isMasked: false,
  isGrouped: true,
  brands: [],
  brand: null,
  cvvLength: null,
  autofocus: false,
  isExpiryFree: false,
};

/** Moves a frame to the place that was kept for it. False: that could not be done in one go, and it loads anew as any that is moved. */
function takePlace(iframe: HTMLIFrameElement, place: HTMLElement): boolean {
  const label = place.getAttribute('aria-label');
  if (label !== null) iframe.setAttribute('aria-label', label);
  try {
    place.parentElement?.moveBefore(iframe, place);
    place.remove();
    return true;
  } catch {
    place.replaceWith(iframe);
    return false;
  }
}

/** Creates the frame and listens to it. Its value is checked like that of every other field. */
export function createFramed(builder: FormBuilder, of: FramedFieldOptions): Framed {
  const { environment, lifetime, faults, form } = builder;
  const early = environment.config.early?.frame(of.frames, of.field) ?? null;
  const iframe = early?.iframe ?? builder.draw('iframe', '');
  setFrameAttributes(builder, of, iframe);
  // A frame that loads already must not leave the document: something else keeps its place as long as the form is not in there.
  const place = early ? builder.draw('span', '') : iframe;
  const label = environment.text(of.label);
  const own = {
    language: environment.language,
    isRtl: environment.isRtl,
    label,
    placeholder: of.placeholder,
    title: iframe.title,
  };
  const autofocus = environment.options().autofocus === of.field;
  const onMessage = (message: FromFrame): void => {
    of.onMessage?.(message);
    if (message.is === 'change' && !message.isEmpty) builder.markTouched(framed);
    if (message.is === 'blur') builder.check(framed, 'left');
    if (message.is === 'change' && faults.isShown(framed)) builder.check(framed, 'typed');
    if (message.is === 'enter' && !environment.flag(environment.options().disableSubmitOnEnter, false)) form.requestSubmit();
  };
  const isUnchecked = !environment.flag(environment.options().validation, true);
  const setup = { ...nothing, ...own, isRequired: of.isRequired, autofocus, isUnchecked, ...of.setup };
  const client = createFrameClient(environment, lifetime, { iframe, field: of.field, group: of.frames, setup, onMessage, early });
  const focus = (): void => client.focus();
  const wrong = ({ isEmpty, isValid, fault }: FieldState): ErrorKey | null => {
    if (isEmpty) return framed.isRequired ? of.faultIn('empty') : null;
    return isValid ? null : of.faultIn(fault ?? 'wrong');
  };
  const framed: Framed = {
    name: of.name,
    label,
    group: drawGroup(builder, { name: of.name, label, control: place, focus, isOptional: !of.isRequired }),
    control: iframe,
    errors: of.errors,
    fault: async () => wrong(await client.validate()),
    focus,
    describe: (error) => client.describe(error),
    blurHook: of.blurHook,
    client,
    isRequired: of.isRequired,
    arrive() {
      if (early && takePlace(iframe, place)) client.arrive();
    },
  };
  return framed;
}
