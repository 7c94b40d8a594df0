import type { EarlyFrame } from '../../loader/headStart.ts';
import type { FieldState, FrameField, FrameSetup, FromFrame } from '../../protocol.ts';
import type { Surroundings } from '../contract.ts';
import type { Life } from '../life.ts';
import type { FrameLine } from './frameLine.ts';
import { lookOf, placeholderLookOf } from './frameStyle.ts';

export type FrameOf = {
  readonly iframe: HTMLIFrameElement;
  readonly field: FrameField;
  readonly group: string;
  /** Without its looks, which are taken from the element. */
  readonly setup: Omit<FrameSetup, 'field' | 'style' | 'placeholderStyle'>;
  readonly onMessage: (message: FromFrame) => void;
  /** It was begun before, under its own key, and is where it is to be at the latest when the page sees it. */
  readonly early: EarlyFrame | null;
};

/** Under which a shop styles a placeholder. */
const placeholderNames: Readonly<Record<FrameField, string>> = {
  'card.number': 'card-number-placeholder',
  'card.cvv': 'cvv-placeholder',
  'card.holder': 'card-holder-placeholder',
  'card.expiry': 'expiry-placeholder',
};

/** What is known of one frame while the page lives. */
export type Seen = {
  state: FieldState;
  error: string | null;
  /** What it is to be now, over what it was made with. */
  wanted: Partial<FrameSetup>;
  /** As much of that as it was greeted with. */
  sent: Partial<FrameSetup>;
  /** The channel works, since the last load. */
  isUp: boolean;
  isGreeted: boolean;
  /** It has said itself that it is there, so that its load says nothing more. */
  hasSaidHello: boolean;
  isFocused: boolean;
  /** The styles it was given. */
  look: string;
  readonly waiting: (() => void)[];
};

export type Talk = {
  readonly around: Surroundings;
  readonly life: Life;
  readonly of: FrameOf;
  readonly line: FrameLine;
  readonly seen: Seen;
};

/** The state of a field in which nothing was typed. */
export const untyped: FieldState = { isValid: false, isEmpty: true, fault: 'empty' };

/** The state of a frame before its first message. */
export const firstSeen = (early: EarlyFrame | null): Seen => ({
  state: untyped,
  error: null,
  wanted: {},
  sent: {},
  isUp: false,
  isGreeted: false,
  hasSaidHello: early?.come.hello === true && !early.come.load,
  look: '',
  isFocused: false,
  waiting: [],
});

const looks = ({ around, of: { iframe, field } }: Talk): Pick<FrameSetup, 'style' | 'placeholderStyle'> => ({
  style: lookOf(iframe),
  placeholderStyle: placeholderLookOf(iframe, around.options().iframeStyles?.[placeholderNames[field]]),
});

/** Tells it all that it is to be. */
export function greet(talk: Talk): void {
  const { of, line, seen } = talk;
  const look = looks(talk);
  seen.isGreeted = true;
  seen.look = JSON.stringify(look);
  seen.sent = seen.wanted;
  line.post({ is: 'setup', setup: { ...of.setup, ...seen.wanted, field: of.field, ...look } });
  if (seen.error !== null) line.post({ is: 'describe', error: seen.error });
}

/** Tells it how it is to look now, where that has changed. */
export function repaint(talk: Talk): void {
  const { line, seen } = talk;
  const look = looks(talk);
  const text = JSON.stringify(look);
  if (!seen.isGreeted || text === seen.look) return;
  seen.look = text;
  line.post({ is: 'change', setup: look });
}

/** A document of ours has come into the frame: whatever was in it before is gone. */
export function begin(talk: Talk): void {
  const { seen } = talk;
  if (seen.isUp) seen.state = untyped;
  seen.isUp = false;
  greet(talk);
}

/** One that was begun before the form may have been ready for long. Has the page moved it meanwhile, then it loads anew and says so. */
export function greetEarly(talk: Talk): void {
  const { of, seen, life } = talk;
  const { contentWindow } = of.iframe;
  if (!of.early?.come.hello && !of.early?.come.load) return;
  // The page has its turn with the new form first: what it changes there may be seen in the frame.
  queueMicrotask(() => {
    if (!seen.isGreeted && !life.isOver && of.iframe.contentWindow === contentWindow) greet(talk);
  });
}
