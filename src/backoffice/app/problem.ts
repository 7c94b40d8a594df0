import type { shellTexts } from '../texts/shell.ts';

/** The reason why a request failed. */
export class Problem extends Error {
  /** 0: no response. */
  readonly status: number;
  readonly code: string | null;
  /** The faults by field; several faults of one field are one string. */
  readonly faults: Readonly<Record<string, string>>;
  /** The condition to meet first, such as `stepUp`. */
  readonly needs: string | null;

  constructor(about: Pick<Problem, 'status' | 'code' | 'faults' | 'needs'> & { readonly description: string }) {
    super(about.description);
    this.status = about.status;
    this.code = about.code;
    this.faults = about.faults;
    this.needs = about.needs;
  }
}

type Refusal = {
  readonly result?: {
    readonly code?: string;
    readonly description?: string;
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
  };
};

const refusalIn = (text: string): Refusal => {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return {};
  }
};

/** The problem of an error reply. */
export async function problemOf(response: Response): Promise<Problem> {
  const { result } = refusalIn(await response.text());
  const byName = Map.groupBy(result?.parameterErrors ?? [], ({ name }) => name);
  const faults = [...byName].map(([name, own]) => [name, own.map(({ message }) => message).join('; ')] as const);
  return new Problem({
    status: response.status,
    code: result?.code ?? null,
    description: result?.description ?? response.statusText,
    faults: Object.fromEntries(faults),
    needs: response.headers.get('x-turnpike-needs'),
  });
}

/** No response: the network or the gateway is down. */
export const unreached = (): Problem => new Problem({ status: 0, code: null, description: '', faults: {}, needs: null });

/** The user did not confirm the identity: nothing was sent. */
export const unconfirmed = (): Problem => new Problem({ status: 403, code: null, description: '', faults: {}, needs: 'stepUp' });

export const isProblem = (error: unknown): error is Problem => error instanceof Problem;

type Words = (typeof shellTexts)['en'];

/** The problem and its remedy in a sentence or two. */
export function problemText({ status, code, message, faults, needs }: Problem, t: Words): string {
  if (status === 0) return t.unreached;
  if (needs === 'stepUp') return t.unconfirmed;
  if (status === 429) return t.tooOften;
  if (status >= 500) return t.failed;
  if (status === 404) return t.notThere;
  const [first] = Object.entries(faults);
  if (first) return t.fault(first[0], first[1]);
  if (status === 403 && code === '800.900.300') return t.notAllowed;
  return message === '' ? t.failed : message;
}
