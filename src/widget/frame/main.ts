import type { FrameField } from '../protocol.ts';
import { fields } from './fields.ts';
import { openFrame } from './frame.ts';

/** The script of a field's page: finds out from the address what it is for, and opens it to the page around it. */
const query = new URLSearchParams(location.search);
const field = query.get('field') ?? '';
const input = document.querySelector<HTMLInputElement>('form > input');

// Without a page around it the frame does nothing. In a sandbox the frame has lost its own origin and can keep nothing apart.
if (input && window.origin !== 'null' && Object.hasOwn(fields, field) && window.parent !== window)
  openFrame({
    window,
    input,
    field: field as FrameField,
    checkoutId: query.get('checkoutId') ?? '',
    group: query.get('group') ?? '',
    key: query.get('key') ?? '',
    mayLackOrigin: document.body.dataset.origins === 'null',
  });
