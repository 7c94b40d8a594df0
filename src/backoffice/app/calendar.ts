/** The sheet of the calendar is fetched when one is opened. */

let asked: Promise<void> | null = null;

const fetchSheet = (): Promise<void> =>
  new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name="calendar"]')?.content ?? '';
    // Without it the calendar is plain, and still works.
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });

/** Resolves when a calendar can be drawn. */
export const calendarSheet = (): Promise<void> => {
  asked ??= fetchSheet();
  return asked;
};
