/** A value of a form: fields may be nested, and a field that is undefined is left out. */
type FormValue = string | bigint | number | boolean | undefined | readonly string[] | FormFields;
export type FormFields = { readonly [name: string]: FormValue };

/** Nested fields as `a[b]=…`, lists as `a[]=…`, percent-encoded as application/x-www-form-urlencoded. */
export function encodeForm(fields: FormFields): string {
  const pairs = new URLSearchParams();
  append(pairs, '', fields);
  return pairs.toString();
}

function append(pairs: URLSearchParams, prefix: string, fields: FormFields): void {
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === undefined) continue;
    if (isList(value)) for (const item of value) pairs.append(`${path}[]`, item);
    else if (typeof value === 'object') append(pairs, path, value);
    else pairs.append(path, String(value));
  }
}

const isList = (value: FormValue): value is readonly string[] => Array.isArray(value);
