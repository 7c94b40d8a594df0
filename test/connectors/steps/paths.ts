import assert from 'node:assert/strict';
import type { StepRow } from '../../../src/connectors/kind.ts';

export type Rows = Readonly<Record<string, StepRow>>;

type Template = { readonly step: string; readonly method: string; readonly pattern: RegExp; readonly literals: number };

/** Reads the requests of a row, such as `POST /refunds, /refunds/{id}, GET /refunds`: a method counts until the next one. */
function templatesOf(step: string, { request }: StepRow): readonly Template[] {
  let method = '';
  return request.split(', ').map((part) => {
    const [, verb, path = ''] =
      /^(?:([A-Z]+) )?(\/\S+)$/.exec(part) ?? assert.fail(`the request of ${step} cannot be read: ${part}`);
    method = verb ?? method;
    const segments = path.slice(1).split('/');
    const isVariable = (segment: string): boolean => /^\{\w+\}$/.test(segment);
    const pattern = segments.map((segment) => (isVariable(segment) ? '[^/]+' : RegExp.escape(segment))).join('/');
    const literals = segments.filter((segment) => !isVariable(segment)).length;
    return { step, method, pattern: new RegExp(`^(?:/v\\d+)?/${pattern}$`), literals };
  });
}

/**
 * Finds the rows that a request belongs to, by its method and path. Of several templates the one with the most words counts; two rows may
 * share a template.
 */
export function stepFinder(rows: Rows): (method: string, path: string) => readonly string[] {
  const templates = Object.entries(rows).flatMap(([step, row]) => templatesOf(step, row));
  return (method, path) => {
    const found = templates.filter((one) => one.method === method && one.pattern.test(path));
    const most = Math.max(...found.map(({ literals }) => literals));
    return [...new Set(found.filter(({ literals }) => literals === most).map(({ step }) => step))];
  };
}
