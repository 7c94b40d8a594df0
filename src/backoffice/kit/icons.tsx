import type { ReactNode } from 'react';

/** Our own icons, drawn with one stroke width on 16 by 16. An icon always has a label. */
const strokes = {
  mark: 'M4 4.5V14M1.5 7.5h13',
  dashboard: 'M2.5 13.5V8M6.5 13.5v-11M10.5 13.5V6M14 13.5H2',
  payments: 'M1.5 4h13v8.5h-13zM1.5 7h13M4 10h2.5',
  registrations: 'M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h2.5',
  checkouts: 'M1.5 2.5h2l1.5 8h7.5l1.5-5.5H4.2M6 13.5h.01M11.5 13.5h.01',
  schedules: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v2.5M10.5 2v2.5',
  risk: 'M8 1.8 13.5 4v4c0 3-2.2 5.2-5.5 6.3C4.7 13.2 2.5 11 2.5 8V4zM8 5v3.5M8 11h.01',
  webhooks: 'M8 5.5 5.5 10M8 5.5a2 2 0 1 0-2-1.6M5.5 10a2 2 0 1 1-3-.8M5.5 10.6h5.2M10.7 10.6a2 2 0 1 0 1.3-1.5M8 5.5l2.8 3.8',
  settlement: 'M2 13.5h12M3.5 13.5v-6M6.5 13.5v-6M9.5 13.5v-6M12.5 13.5v-6M1.8 7.5h12.4L8 2.5z',
  ledger: 'M3 2.5h9.5v11H3zM5.5 2.5v11M8 6h2.5M8 9h2.5',
  developer: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  administration:
    'M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4',
  audit: 'M4 1.8h5.5l3 3v9.4H4zM9.5 1.8v3h3M6.3 9l1.4 1.4 2.5-2.6',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2 4h12M2 8h12M2 12h12',
  user: 'M8 2.5a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM2.8 14c.4-2.8 2.4-4.2 5.2-4.2s4.8 1.4 5.2 4.2',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.8V8l2.2 1.6',
  plus: 'M8 3v10M3 8h10',
  up: 'M4 10l4-4 4 4',
  filter: 'M2 3.5h12M4.5 8h7M6.5 12.5h3',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  external: 'M6.5 3.5h-4v10h10v-4M9 2.5h4.5V7M13.2 2.8 7.5 8.5',
  key: 'M5 8.5a2.8 2.8 0 1 1 0 .01M7.8 8.5h6.4M12 8.5v2.3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const;

export type IconName = keyof typeof strokes;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'mark' || name === 'more' ? 2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="icon"
    >
      <path d={strokes[name]} />
    </svg>
  );
}
