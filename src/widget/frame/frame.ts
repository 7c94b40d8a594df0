import type { Envelope, FrameField, FrameSetup, FromFrame, ToFrame } from '../protocol.ts';
import { today } from './clock.ts';
import { createEditor } from './editor.ts';
import { fields } from './fields.ts';
import { heard } from './heard.ts';
import { dressing } from './input.ts';
import { createPaint } from './paint.ts';
import type { Place } from './place.ts';
import { sealGroup } from './sealGroup.ts';
import { answerSiblings, type Part } from './siblings.ts';

/** Before a page has said anything: nothing is told to anybody yet. */
const unset = (field: FrameField): FrameSetup => ({
  field,
  language: 'en',
  isRtl: false,
  label: field,
  placeholder: '',
  title: '',
  isRequired: true,
  isMasked: false,
  isGrouped: true,
  brands: [],
  brand: null,
  cvvLength: null,
  style: {},
  placeholderStyle: {},
  autofocus: false,
  isExpiryFree: false,
});

/** What has no origin cannot be named. It is the window that has given us our key, and it is told nothing of a card. */
const addressee = (origin: string): string => (origin === 'null' ? '*' : origin);

/** To the page around by its name. Where the browser does not know it, the page notices by itself that the frame has loaded. */
function greet({ window, key }: Place): void {
  const [around = 'null'] = window.location.ancestorOrigins ?? [];
  const hello: Envelope<FromFrame> = { turnpike: 1, key, message: { is: 'hello' } };
  if (around !== 'null') window.parent.postMessage(hello, around);
}

/** Opens a field to the page around its frame. Digits go from here to the gateway and nowhere else. */
export function openFrame(place: Place): void {
  const { window, input, field, group, key, mayLackOrigin } = place;
  const { document, parent } = window;
  const kind = fields[field];
  const paint = createPaint(document);
  const look = dressing(document, input, kind);
  let setup = unset(field);
  let origin: string | null = null;

  function tell(message: FromFrame): void {
    const envelope: Envelope<FromFrame> = { turnpike: 1, key, message };
    if (origin !== null) parent.postMessage(envelope, addressee(origin));
  }
  const editor = createEditor({ window, input, kind, tell, setup: () => setup, today });
  const ownPart = (): Part => ({ isValid: setup.isUnchecked === true || editor.state().isValid, values: editor.values() });
  answerSiblings(window, group, ownPart);

  function use(next: FrameSetup): void {
    setup = next;
    look.dress(setup);
    paint.input(setup.style);
    paint.placeholder(setup.placeholderStyle);
    editor.layOut();
  }

  const obey: { readonly [Is in ToFrame['is']]: (message: Extract<ToFrame, { readonly is: Is }>) => void } = {
    setup(message) {
      use(message.setup);
      tell({ is: 'ready' });
      editor.report(true);
      if (setup.autofocus) input.focus();
    },
    change(message) {
      use({ ...setup, ...message.setup });
      editor.report();
    },
    focus: () => input.focus(),
    clear: () => editor.clear(),
    describe: ({ error }) => look.describe(error),
    validate({ turn }) {
      const { isValid, isEmpty } = editor.state();
      tell({ is: 'validated', turn, isValid, isEmpty });
    },
    seal: (message) => void sealGroup(place, ownPart(), message).then(tell),
  };

  window.addEventListener('message', (event) => {
    const message = heard(event, { parent, key, field, origin, mayLackOrigin });
    if (!message) return;
    origin ??= event.origin;
    // The row is that of the message's own name.
    (obey[message.is] as (message: ToFrame) => void)(message);
  });
  greet(place);
}
