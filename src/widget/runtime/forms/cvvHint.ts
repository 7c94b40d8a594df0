import type { TextKey } from '../../texts.ts';
import type { Sheet } from './sheet.ts';

const texts: Readonly<Record<string, TextKey>> = { AMEX: 'cvvHintAmex', MAESTRO: 'cvvHintMaestro' };

/** Where the code stands on the card: a mark beside the field that opens when it is pointed at, focused or tapped, and closes by Escape. */
export function createCvvHint(sheet: Sheet, wrapper: HTMLElement): (brand: string) => void {
  const { around, draw, id, life } = sheet;
  const content = draw('div', 'wpwl-popover-content', {}, around.text('cvvHint'));
  const popover = draw('div', 'wpwl-popover', { id: `${id}_cvvHint`, role: 'tooltip', hidden: true }, content);
  const icon = draw(
    'button',
    'wpwl-icon',
    { type: 'button', 'aria-label': around.text('cvvHelp'), 'aria-describedby': popover.id },
    draw('span', 'wpwl-icon-sign', { 'aria-hidden': 'true' }, '?'),
  );
  const isOpen = (): boolean => !popover.hidden;
  const open = (isWanted: boolean): void => {
    popover.hidden = !isWanted;
  };
  let wasOpenAtPress = false;
  life.listen(icon, 'pointerdown', () => {
    wasOpenAtPress = isOpen() && icon.ownerDocument.activeElement === icon;
  });
  life.listen(icon, 'click', () => open(!wasOpenAtPress));
  life.listen(icon, 'focus', () => open(true));
  life.listen(icon, 'blur', () => open(false));
  // The text itself may be pointed at without closing.
  const area = draw('span', 'wpwl-hint-area', {}, icon, popover);
  life.listen(area, 'mouseenter', () => open(true));
  life.listen(area, 'mouseleave', () => open(icon.ownerDocument.activeElement === icon && isOpen()));
  life.listen(around.document, 'keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape' || !isOpen()) return;
    event.stopPropagation();
    open(false);
  });
  wrapper.append(area);
  return (brand) => {
    content.textContent = around.text(texts[brand] ?? 'cvvHint');
  };
}
