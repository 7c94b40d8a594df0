import type { Redirect } from './payment.ts';

/** A file of the acquirer, and the hash that it must have; null: any. */
export type ComponentFile = { readonly url: string; readonly integrity: string | null };

/** A script of the acquirer that works on a page of the gateway. */
export type Component = {
  readonly script: ComponentFile;
  readonly style: ComponentFile | null;
  /** The origins that it asks and loads pictures from. */
  readonly origins: readonly string[];
  /**
   * JavaScript: a function of `data`, of the element that it may fill, and of two functions, one to call with the result, a text, and one
   * to call when there will be none. It belongs to the connector and holds nothing that was sent.
   */
  readonly begin: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** The next step of a shopper who was redirected to the gateway's own page. */
export type ShopperStep =
  /** `token` belongs to this step: the page sends it with the result. `wasRefused`: the acquirer did not accept the last result. */
  | { readonly is: 'component'; readonly component: Component; readonly token: string; readonly wasRefused: boolean }
  | { readonly is: 'redirect'; readonly redirect: Redirect }
  /** The acquirer has everything: the shopper goes on to the shop. */
  | { readonly is: 'done' };

/** The fields of the form that the page sends; `completeReturn` gets them as parameters. */
export const STEP_FIELD = 'step';
export const RESULT_FIELD = 'result';

/** A page for a shopper's browser, or the address of the next one. */
export type Page =
  | {
      readonly is: 'page';
      readonly status: number;
      readonly html: string;
      readonly policy: string;
      /** The entity whose shops may show it in a frame; without one no page may. */
      readonly framedFor?: string;
    }
  | { readonly is: 'redirect'; readonly location: string };

/** Pages of an acquirer in this process: the bank or wallet of the sandbox. */
export interface ShopperPages {
  /** `ticket` is the end of the address that the payment was redirected to; `languages` the browser's Accept-Language. */
  show(ticket: string, languages: string): Page;
  act(ticket: string, form: ReadonlyMap<string, string>, languages: string): Promise<Page>;
}
