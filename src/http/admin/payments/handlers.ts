import type { SavedView } from '../../../spec/answers/payments.ts';
import type { Paper } from '../../../users/documents.ts';
import type { Handler } from '../../services.ts';
import { noSuch, ofOneself } from '../authorize.ts';
import { capturePayment, chargebackPayment, refundPayment, reverseChargeback, reversePayment } from './actions.ts';
import { seePayment } from './details.ts';
import { exportPayments, searchPayments } from './search.ts';

const DRAWER = 'view';
const VIEWS_MAX = 100;

type View = Omit<SavedView, 'id'>;

const shown = ({ id, body }: Paper): SavedView => ({ id, ...(body as View) });

/** The views that somebody has saved, the youngest first. */
const listViews = ofOneself('listViews', async ({ people, respond }, { signed, values }) => {
  const papers = await people.needs.store.papers({ drawer: DRAWER, ownerId: signed.user.id, limit: VIEWS_MAX });
  const views = papers.map(shown).filter(({ page }) => values.page === undefined || page === values.page);
  return respond.json(200, { views });
});

/** Saves a view; one of the same page and name gives way to it. */
const saveView = ofOneself('saveView', async (rooms, { signed, values }) => {
  const { store, clock, ids } = rooms.people.needs;
  const papers = await store.papers({ drawer: DRAWER, ownerId: signed.user.id, limit: VIEWS_MAX });
  const { page, name, filters, columns = null } = values;
  const before = papers.find(({ body }) => (body as View).page === page && (body as View).name === name);
  if (!before && papers.length >= VIEWS_MAX) {
    const fault = { name: 'name', value: null, message: `there are ${VIEWS_MAX} views already: remove one first` };
    return rooms.respond.result('200.300.404', null, { faults: [fault] });
  }
  const body: View = { page, name, filters, columns };
  const paper: Paper = before
    ? { ...before, revision: before.revision + 1, body }
    : { drawer: DRAWER, id: ids.next(), ownerId: signed.user.id, at: clock.now(), revision: 1, body };
  // Whoever was faster saved the same view from another window: the later one is asked for again.
  if (!(await store.filePapers([paper])))
    return rooms.respond.result('200.300.404', null, { status: 409, remark: 'send it again' });
  return rooms.respond.json(200, shown(paper));
});

/** Removes one of one's own views. */
const removeView = ofOneself('removeView', async (rooms, { signed }, request) => {
  const { store } = rooms.people.needs;
  const paper = await store.paper(DRAWER, request.id ?? '');
  if (paper?.ownerId !== signed.user.id) return noSuch(rooms, 'view');
  await store.filePapers([{ drawer: DRAWER, id: paper.id, revision: paper.revision, isGone: true }]);
  return rooms.respond.json(200, {});
});

/** Payments in the back office. */
export const paymentHandlers = {
  searchPayments,
  exportPayments,
  seePayment,
  capturePayment,
  refundPayment,
  reversePayment,
  chargebackPayment,
  reverseChargeback,
  listViews,
  saveView,
  removeView,
} as const satisfies Readonly<Record<string, Handler>>;
