import type { Rest, Work } from '../runtime/ticks.ts';
import type { CardNumberMode } from '../spec/cards/cardNumbers.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { ParameterName, SectionName, ValueOf } from '../spec/parameters.ts';

/** One entry of `result.parameterErrors`. Secret values are masked in `value`; null when absent. */
export type Fault = { readonly name: string; readonly value: string | null; readonly message: string };

export type FieldVisit = (name: string, text: string, rowName: ParameterName) => void;

/** A request that passed every format and rule. Only `check` makes one, so holding it is the proof. */
export type Checked = {
  readonly is: 'checked';
  /**
   * The sent parameters by their sent names, in the order of the request, without unknown names. A value is empty only in a map.
   * A Map, because `customParameters[__proto__]` is a legal name.
   */
  readonly fields: ReadonlyMap<string, string>;
  /** The inner value of a parameter without an index or a key in its name. */
  get<Name extends ParameterName>(name: Name): ValueOf<Name> | undefined;
  /** The text of a parameter by its canonical full name, indexes and keys included: `cart.items[0].name`. */
  readonly text: (name: string) => string | undefined;
  /** Visits every field with the name of its row, in the order of the request. */
  visit(visit: FieldVisit): Work<void>;
  /** Lets other requests in between two parts of the work on a long form; absent: the form is short. */
  readonly rest?: Rest;
  /** The canonical row name of a sent name: `cart.items[3].name` → `cart.items[n].name`, `applePay.source` → `walletA.source`. */
  rowOf(name: string): ParameterName;
};

/** Where a request arrived. The endpoint determines the sections; a test may name sections and required parameters itself. */
export type Context = {
  readonly isLenient: boolean;
  readonly source: 'server' | 'browser';
  readonly environment: 'test' | 'live';
  /** How card numbers in texts are treated; default: masked. */
  readonly cardNumbers?: CardNumberMode | undefined;
} & (
  | { readonly endpoint: EndpointName }
  | { readonly endpoint?: undefined; readonly sections: readonly SectionName[]; readonly required: readonly string[] }
);
