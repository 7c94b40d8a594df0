import type { WidgetRegistration, WidgetSession } from '../../spec/widget.ts';
import type { Hooks, Options, WidgetError } from '../options.ts';
import type { FrameField } from '../protocol.ts';
import type { Texts } from '../texts.ts';

/** A frame of a field that is loaded hidden, until its form is drawn. */
export type EarlyFrame = {
  readonly iframe: HTMLIFrameElement;
  readonly key: string;
  /** Whether the frame's script has reported, and whether the frame has loaded. */
  readonly progress: { hello: boolean; load: boolean };
};

/** Work that started before the runtime was loaded. Each result is taken once, unless it is too old. */
export interface HeadStart {
  /** The response of an address that was requested already. */
  answer(address: string): Promise<Response> | null;
  /** The group of the frames that wait for a card form of this checkout. */
  group(checkoutId: string): string | null;
  /** A frame of that group, which moves to its place without reloading. */
  frame(group: string, field: FrameField): EarlyFrame | null;
  /** Removes everything that was not taken. */
  end(): void;
}

/** The configuration that the loader was served with; the session has everything else. */
export type LoaderConfig = {
  /** The gateway's own address as the shop's page reaches it, without a slash at the end. */
  readonly origin: string;
  readonly checkoutId: string;
  readonly isRegistration: boolean;
  readonly cacheVersion: string;
  /** The nonce of the page's scripts, for the elements that we add. */
  readonly nonce: string | null;
  /** Requests and frames that the loader has begun already. */
  readonly early?: HeadStart;
};

/** The environment of a form. */
export interface Environment {
  readonly window: Window;
  readonly document: Document;
  /** The current one: after `onExpired` it is that of another checkout, and so is the session. Keep no copy of either. */
  readonly config: LoaderConfig;
  readonly session: WidgetSession;
  /** The language's texts with the shop's replacements over them. */
  text(key: keyof Texts['labels'] | keyof Texts['errors'], places?: Readonly<Record<string, string>>): string;
  /** A placeholder as the shop or the language has it. */
  placeholder(key: 'cardNumber' | 'cardHolder' | 'expiryDate' | 'cvv'): string;
  readonly language: string;
  readonly isRtl: boolean;
  /** The options as they are at this moment. */
  options(): Options;
  /** True for true and "true"; the default where nothing is set. */
  flag(value: unknown, otherwise: boolean): boolean;
  /** Calls a hook of the shop, if there is one at this moment, with `self` as its `this`. An exception is reported and goes no further. */
  call<Name extends keyof Hooks>(name: Name, self: object, ...words: readonly unknown[]): unknown;
  fail(error: WidgetError): void;
  /** Amount and currency as the language writes them; '' where nothing is charged. */
  readonly amountText: string;
}

/** One form of the widget: a container beside the shop's own form. */
export interface PaymentForm {
  /** `card`, `registration`, `directDebit`, `onlineTransfer-EPS`, …: the end of the container's class. */
  readonly key: string;
  readonly container: HTMLElement;
  /** The form that the browser submits. The engine sets action, method and target, and the hidden inputs that every form has. */
  readonly form: HTMLFormElement;
  readonly brands: readonly string[];
  /** The hook that may stop its submission. */
  readonly beforeHook: keyof Hooks;
  /** Shows every error. Resolves to whether the form may be sent. */
  validate(): Promise<boolean>;
  /** Adds the values that are known only at the end: sealed fields, browser data. Rejects with a WidgetError. */
  prepare(): Promise<void>;
  /**
   * While a submission is under way nothing can be pressed or changed. Not by `disabled` on a field that is sent: the browser would leave it
   * out of the submission.
   */
  setBusy(isBusy: boolean): void;
  /** After a decline: everything stays but the security code. */
  resetForRetry(): void;
  /** The form has been added to the document, and nothing has been painted yet. */
  onMounted?(): void;
  unmount(): void;
}

/** Makes the forms for the brands of one of the shop's forms, in their order; stored details come first when there are any. */
export type FormsMaker = (
  environment: Environment,
  wanted: { readonly brands: readonly string[]; readonly registrations: readonly WidgetRegistration[] },
) => readonly PaymentForm[];

/** Loader and runtime request the same addresses, so that the runtime can use the loader's responses. */

const STYLES: readonly unknown[] = ['card', 'plain', 'logos'];

/** The address of a checkout's session, with its amount as a language writes it. */
export function sessionAddress({ origin, checkoutId }: LoaderConfig, locale: unknown): string {
  const query = typeof locale === 'string' && locale !== '' ? `?locale=${encodeURIComponent(locale)}` : '';
  return `${origin}/v1/checkouts/${encodeURIComponent(checkoutId)}/widget${query}`;
}

/** The texts of a language. */
export const textsAddress = ({ origin, cacheVersion }: LoaderConfig, language: string): string =>
  `${origin}/v1/static/${cacheVersion}/labels/${language}.json`;

/** The address of a style's sheet; null for `none`, the usual sheet for an unknown style. */
export const sheetAddress = ({ origin, cacheVersion }: LoaderConfig, style: unknown): string | null =>
  style === 'none' ? null : `${origin}/v1/static/${cacheVersion}/css/${STYLES.includes(style) ? style : 'card'}.css`;
