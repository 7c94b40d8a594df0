import type { FrameSetup, FromFrame } from '../protocol.ts';
import { candidatesOf } from './cardNumber.ts';
import { digitsOf } from './edit.ts';

/** What a page is told about a field: everything but what stands in it. */
export type State = { readonly isValid: boolean; readonly isEmpty: boolean; readonly isComplete: boolean };

const BIN_DIGITS = 6;

type Brands = Extract<FromFrame, { readonly is: 'brands' }>;

/** The brands a number may be of, and its first six digits: as much as a page needs to look up the card's bank. */
function brandsIn(text: string, { brands }: FrameSetup): Brands {
  const digits = digitsOf(text);
  const bin = digits.length < BIN_DIGITS ? null : digits.slice(0, BIN_DIGITS);
  return { is: 'brands', brands: candidatesOf(digits, brands), bin };
}

/** Tells the page what has changed since it was told last. At the beginning an empty field is nothing to tell. */
export type Report = (
  now: { readonly text: string; readonly state: State; readonly setup: FrameSetup },
  isFirst: boolean,
) => void;

/** For one field. */
export function createReport(tell: (message: FromFrame) => void): Report {
  let toldState = '';
  let toldBrands = '';
  return ({ text, state, setup }, isFirst) => {
    const stateNow = Object.values(state).join();
    const message = setup.field === 'card.number' ? brandsIn(text, setup) : null;
    const brandsNow = message === null ? '' : `${message.brands.join()} ${message.bin}`;
    // A page that sets up anew has forgotten what it was told.
    const areBrandsNews = isFirst ? !state.isEmpty : brandsNow !== toldBrands;
    const isStateNews = isFirst ? !state.isEmpty : stateNow !== toldState;
    toldState = stateNow;
    toldBrands = brandsNow;
    if (message !== null && areBrandsNews) tell(message);
    if (isStateNews) tell({ is: 'change', ...state });
  };
}
