import type { Hooks } from '../../options.ts';
import {
  emptySetup,
  type FrameField as FieldName,
  type FieldState,
  type FrameFault,
  type FrameSetup,
  type FromFrame,
} from '../../protocol.ts';
import type { ErrorKey, TextKey } from '../../texts.ts';
import { drawGroup } from './field.ts';
import type { Field, FormBuilder } from './formBuilder.ts';
import { createFrameClient, type FrameClient } from './frameClient.ts';

/** A field that lives in a frame. */
export type Framed = Field & { readonly client: FrameClient; isRequired: boolean; onMounted(): void };

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
export function createFramed(builder: FormBuilder, options: FramedFieldOptions): Framed {
  const { environment, lifetime, faults, form } = builder;
  const early = environment.config.early?.frame(options.frames, options.field) ?? null;
  const iframe = early?.iframe ?? builder.draw('iframe', '');
  setFrameAttributes(builder, options, iframe);
  // A frame that loads already must not leave the document: something else keeps its place as long as the form is not in there.
  const place = early ? builder.draw('span', '') : iframe;
  const label = environment.text(options.label);
  const shown = {
    language: environment.language,
    isRtl: environment.isRtl,
    label,
    placeholder: options.placeholder,
    title: iframe.title,
  };
  const autofocus = environment.options().autofocus === options.field;
  const onMessage = (message: FromFrame): void => {
    options.onMessage?.(message);
    if (message.is === 'change' && !message.isEmpty) builder.markTouched(framed);
    if (message.is === 'blur') builder.check(framed, 'left');
    if (message.is === 'change' && faults.isShown(framed)) builder.check(framed, 'typed');
    if (message.is === 'enter' && !environment.flag(environment.options().disableSubmitOnEnter, false)) form.requestSubmit();
  };
  const isUnchecked = !environment.flag(environment.options().validation, true);
  const setup = { ...emptySetup, ...shown, isRequired: options.isRequired, autofocus, isUnchecked, ...options.setup };
  const client = createFrameClient(environment, lifetime, {
    iframe,
    field: options.field,
    group: options.frames,
    setup,
    onMessage,
    early,
  });
  const focus = (): void => client.focus();
  const wrong = ({ isEmpty, isValid, fault }: FieldState): ErrorKey | null => {
    if (isEmpty) return framed.isRequired ? options.faultIn('empty') : null;
    return isValid ? null : options.faultIn(fault ?? 'wrong');
  };
  const framed: Framed = {
    name: options.name,
    label,
    group: drawGroup(builder, { name: options.name, label, control: place, focus, isOptional: !options.isRequired }),
    control: iframe,
    errors: options.errors,
    fault: async () => wrong(await client.validate()),
    focus,
    describe: (error) => client.describe(error),
    blurHook: options.blurHook,
    client,
    isRequired: options.isRequired,
    onMounted() {
      if (early && takePlace(iframe, place)) client.onMounted();
    },
  };
  return framed;
}
