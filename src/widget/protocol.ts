/**
 * The messages between a shop's page and a field frame. A message goes only to the exact other window and origin, and is believed only
 * from there. Of a number the page learns the first six digits, by which brands are told apart, and no other: the values go
 * from the frame to the gateway and come back sealed.
 */

/** The fields that live in frames. Holder and expiry only where the page must not see them either. */
export type FrameField = 'card.number' | 'card.cvv' | 'card.holder' | 'card.expiry';

/** The fault of a field, as far as a page may know. `month` and `past` are of an expiry date. */
export type FrameFault = 'empty' | 'short' | 'wrong' | 'month' | 'past';

/** The state of a field without its value. `fault` is null for a valid field. */
export type FieldState = { readonly isValid: boolean; readonly isEmpty: boolean; readonly fault: FrameFault | null };

/** Properties that a page may style an input with. */
export type FrameStyle = Readonly<Record<string, string>>;

export type FrameSetup = {
  readonly field: FrameField;
  readonly language: string;
  /** Right-to-left page. Digits stay left-to-right. */
  readonly isRtl: boolean;
  readonly label: string;
  readonly placeholder: string;
  readonly title: string;
  readonly isRequired: boolean;
  readonly isMasked: boolean;
  /** Groups of digits with spaces between them. */
  readonly isGrouped: boolean;
  /** Brands of this form in their order; detection chooses among them. */
  readonly brands: readonly string[];
  /** The brand that is chosen now: it says how long number and code are; null: whatever the number says. */
  readonly brand: string | null;
  readonly cvvLength: 3 | 4 | null;
  readonly style: FrameStyle;
  readonly placeholderStyle: FrameStyle;
  readonly autofocus: boolean;
  /** No check of the expiry date. */
  readonly isExpiryFree: boolean;
  /** The shop has switched checks off: whatever is there is sealed, and the gateway says what it thinks of it. */
  readonly isUnchecked?: boolean;
};

/** The setup of a field of which nothing is known yet, but for its name and its styles. */
export const emptySetup: Omit<FrameSetup, 'field' | 'style' | 'placeholderStyle'> = {
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

/** Page → frame. `turn` ties an answer to its question. */
export type ToFrame =
  | { readonly is: 'setup'; readonly setup: FrameSetup }
  | { readonly is: 'change'; readonly setup: Partial<FrameSetup> }
  | { readonly is: 'focus' | 'clear' }
  | { readonly is: 'describe'; readonly error: string | null }
  | { readonly is: 'validate'; readonly turn: number }
  /** To the frame of the number, or of the security code of stored details: gather the other frames of the same group, and seal. */
  | {
      readonly is: 'seal';
      readonly turn: number;
      readonly group: string;
      readonly fields: Readonly<Record<string, string>>;
      /** For which checkout, where it is no longer the one in the frame's address: the shop gave a new one when the first had expired. */
      readonly checkoutId?: string;
    };

/** Frame → page. */
export type FromFrame =
  /** The frame's script runs: it may be set up, and until then says nothing else. */
  | { readonly is: 'hello' }
  | { readonly is: 'ready' }
  | { readonly is: 'focus' }
  | ({ readonly is: 'blur' } & FieldState)
  | ({ readonly is: 'change'; readonly isComplete: boolean } & FieldState)
  /** Brands the number may be of, the most likely first; `bin` is its first six digits once they are there. */
  | { readonly is: 'brands'; readonly brands: readonly string[]; readonly bin: string | null }
  | { readonly is: 'enter' }
  /** The tab key leaves the field: the page moves its own focus on. */
  | { readonly is: 'leave'; readonly isBackward: boolean }
  | ({ readonly is: 'validated'; readonly turn: number } & FieldState)
  | { readonly is: 'sealed'; readonly turn: number; readonly sealed: string }
  | { readonly is: 'unsealed'; readonly turn: number; readonly because: 'invalid' | 'network' | 'session' };

/** Around every message: `turnpike` marks it as ours, `key` is the random name of this very frame. */
export type Envelope<Message> = { readonly turnpike: 1; readonly key: string; readonly message: Message };

/** The message of our result page inside a frame to the page around it. */
export type ResultMessage = { readonly turnpike: 1; readonly result: import('../spec/widget.ts').WidgetResult };

/** The name of a frame's group stands in its address: frames of one form find each other by it and by nothing the page can read. */
export const framePath = '/v1/pciIframe.html';
