import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { SavedView } from '../../../spec/answers/payments.ts';
import type { StoredDocument } from '../../../users/documents.ts';
import type { Handler } from '../../handler.ts';
import type { Services } from '../../services.ts';
import { noSuch } from '../authorize.ts';
import { ownAccount } from '../command.ts';
import { capturePayment, chargebackPayment, refundPayment, reverseChargeback, reversePayment } from './actions.ts';
import { seePayment } from './details.ts';
import { exportPayments, searchPayments } from './search.ts';

const COLLECTION = 'view';
const VIEWS_MAX = 100;

type View = Omit<SavedView, 'id'>;

const shown = ({ id, body }: StoredDocument): SavedView => ({ id, ...(body as View) });

/** The saved views of a user, the newest first. */
const listViews = ownAccount('listViews', async ({ users, replies }: Pick<Services, 'replies' | 'users'>, { signed, values }) => {
  const documents = await users.needs.store.documents({ collection: COLLECTION, ownerId: signed.user.id, limit: VIEWS_MAX });
  const views = documents.map(shown).filter(({ page }) => values.page === undefined || page === values.page);
  return replies.json(200, { views } satisfies AdminAnswer<'listViews'>);
});

/** Saves a view; it replaces one of the same page and name. */
const saveView = ownAccount('saveView', async (services: Pick<Services, 'replies' | 'users'>, { signed, values }) => {
  const { store, clock, ids } = services.users.needs;
  const documents = await store.documents({ collection: COLLECTION, ownerId: signed.user.id, limit: VIEWS_MAX });
  const { page, name, filters, columns = null } = values;
  const before = documents.find(({ body }) => (body as View).page === page && (body as View).name === name);
  if (!before && documents.length >= VIEWS_MAX) {
    const fault = { name: 'name', value: null, message: `there are ${VIEWS_MAX} views already: remove one first` };
    return services.replies.result('200.300.404', null, { faults: [fault] });
  }
  const body: View = { page, name, filters, columns };
  const document: StoredDocument = before
    ? { ...before, revision: before.revision + 1, body }
    : { collection: COLLECTION, id: ids.next(), ownerId: signed.user.id, at: clock.now(), revision: 1, body };
  // Another window has saved the same view in the meantime: the client sends it again.
  if (!(await store.saveDocuments([document])))
    return services.replies.result('200.300.404', null, { status: 409, remark: 'send it again' });
  return services.replies.json(200, shown(document) satisfies AdminAnswer<'saveView'>);
});

/** Removes a view of the user. */
const removeView = ownAccount('removeView', async (services: Pick<Services, 'replies' | 'users'>, { signed }, request) => {
  const { store } = services.users.needs;
  const document = await store.document(COLLECTION, request.id ?? '');
  if (document?.ownerId !== signed.user.id) return noSuch(services, 'view');
  await store.saveDocuments([{ collection: COLLECTION, id: document.id, revision: document.revision, isDeleted: true }]);
  return services.replies.json(200, {} satisfies AdminAnswer<'removeView'>);
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
